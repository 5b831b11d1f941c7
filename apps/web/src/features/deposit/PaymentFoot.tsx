import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { dismiss, goOn, mayAskAgain, mayGiveUp, type Payment, usePayments } from '../../chain/payment/index.ts'
import { read } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/index.ts'
import { usePayer, WalletAction } from '../payment/index.ts'
import { closeDeposit } from './sheet.ts'

type PaymentFootProps = { payment: Payment; onTryAgain: () => void; onAnother: (() => void) | null; another: string }

/** The next sensible step, whatever has become of it. */
export function PaymentFoot({ payment, onTryAgain, onAnother, another }: PaymentFootProps) {
  const t = useText()
  const navigate = useNavigate()
  const { intent, stage } = payment
  const leave = () => {
    dismiss(intent.id)
    closeDeposit()
  }
  if (stage.at === 'credited')
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
        <Button tone="plain" onClick={leave}>
          {t('payment.done')}
        </Button>
      </>
    )
  if (stage.at === 'failed')
    return (
      <>
        <Button onClick={onTryAgain}>{t('payment.tryAgain')}</Button>
        <Button tone="plain" onClick={leave}>
          {t('payment.done')}
        </Button>
      </>
    )
  return (
    <>
      {mayAskAgain(payment) ? (
        <AskAgain payment={payment} />
      ) : (
        <Button tone="quiet" onClick={closeDeposit}>
          {t('common.close')}
        </Button>
      )}
      {mayGiveUp(payment) && (
        <Button tone="plain" onClick={leave}>
          {t('payment.leave')}
        </Button>
      )}
      {onAnother && (
        <Button tone="plain" onClick={onAnother}>
          {another}
        </Button>
      )}
    </>
  )
}

function AskAgain({ payment: { intent, stage } }: { payment: Payment }) {
  const t = useText()
  const [busy, setBusy] = useState(false)
  const { payer, lookAgain } = usePayer(intent.account, intent.chainId)
  const chain = useQuery({ ...read('pool/chain', {}), staleTime: Number.POSITIVE_INFINITY }).data
  const isHere = usePayments(({ driven }) => driven.has(intent.id))
  // Another tab looks after it, and says what can be done there.
  if (stage.at === 'unknown' && !isHere)
    return (
      <Button tone="quiet" onClick={closeDeposit}>
        {t('common.close')}
      </Button>
    )
  if (payer.kind !== 'ready')
    return <WalletAction payer={payer} account={intent.account} chain={chain} onAsked={lookAgain} />
  return (
    <Button
      busy={busy}
      onClick={async () => {
        setBusy(true)
        await goOn(intent.id)
        setBusy(false)
      }}
    >
      {t(stage.at === 'paused' ? 'payment.goOn' : 'payment.askAgain')}
    </Button>
  )
}
