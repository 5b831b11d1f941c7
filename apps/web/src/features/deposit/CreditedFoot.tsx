import { useNavigate } from 'react-router'
import { dismissPayment, type Payment } from '../../chain/payment/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/index.ts'
import { closeDeposit } from './deposit-sheet-state.ts'

type AnotherDeposit = { text: string; onAnother: () => void }
type CreditedFootProps = { payment: Payment; another: AnotherDeposit | null }

/** The buttons after a credited deposit. */
export function CreditedFoot({ payment: { intent }, another }: CreditedFootProps) {
  const t = useText()
  const navigate = useNavigate()
  const leave = () => {
    dismissPayment(intent.id)
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
      {another && <AnotherDepositButton {...another} />}
      <Button tone="plain" onClick={leave}>
        {t('payment.done')}
      </Button>
    </>
  )
}

/** Asks for a confirmation and then fills the form in for a second deposit of the same amount. */
export function AnotherDepositButton({ text, onAnother }: AnotherDeposit) {
  return (
    <Button tone="plain" onClick={onAnother}>
      {text}
    </Button>
  )
}
