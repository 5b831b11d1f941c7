import { useNavigate } from 'react-router'
import { dismiss, type Payment } from '../../chain/payment/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/index.ts'
import { closeDeposit } from './sheet.ts'

type CreditedFootProps = { payment: Payment; another: { text: string; onAnother: () => void } | null }

/** The buttons after a credited deposit. */
export function CreditedFoot({ payment: { intent }, another }: CreditedFootProps) {
  const t = useText()
  const navigate = useNavigate()
  const leave = () => {
    dismiss(intent.id)
    closeDeposit()
  }
  return (
    <>
      <Button
        onClick={() => {
          leave()
          navigate(`/wallet/detail?symbol=${intent.symbol}`)
        }}
      >
        {t('payment.toWallet')}
      </Button>
      {another && (
        <Button tone="plain" onClick={another.onAnother}>
          {another.text}
        </Button>
      )}
      <Button tone="plain" onClick={leave}>
        {t('payment.done')}
      </Button>
    </>
  )
}
