import { type ReactNode, useState } from 'react'
import {
  continuePayment,
  dismissPayment,
  hidePayment,
  mayAskAgain,
  mayGiveUp,
  mayHide,
  type Payment,
  stopWaiting,
  usePayments,
} from '../../chain/payment/index.ts'
import { useChain } from '../../shared/api/index.ts'
import { useNow } from '../../shared/clock/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/index.ts'
import { useWalletReadiness } from './use-wallet-readiness.ts'
import { WalletAction } from './WalletAction.tsx'

type PaymentFootProps = {
  payment: Payment
  onClose: () => void
  /** Called for another try after a failed payment. */
  onTryAgain: () => void
  /** Replaces all buttons once the payment is credited. */
  credited: ReactNode
  /** Shown below the buttons until the payment has ended. */
  also?: ReactNode
}

/** The buttons for the next step, by the payment's stage. */
export function PaymentFoot({ payment, onClose, onTryAgain, credited, also }: PaymentFootProps) {
  const t = useText()
  const { intent, stage } = payment
  const leave = () => {
    dismissPayment(intent.id)
    onClose()
  }
  if (stage.at === 'credited') return credited
  if (stage.at === 'lapsed') return <Button onClick={leave}>{t('payment.done')}</Button>
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
        <AskAgainButton payment={payment} onClose={onClose} />
      ) : (
        <Button tone="quiet" onClick={onClose}>
          {t('common.close')}
        </Button>
      )}
      {stage.at === 'asking' && <NoPromptButton id={intent.id} since={stage.since} />}
      {mayGiveUp(payment) && (
        <Button tone="plain" onClick={leave}>
          {t('payment.leave')}
        </Button>
      )}
      {mayHide(payment) && <HidePaymentButton payment={payment} onClose={onClose} />}
      {also}
    </>
  )
}

/** After this time the wallet may have lost the request, because phones close apps in the background. */
const PROMPT_LOST_MS = 15_000

function NoPromptButton({ id, since }: { id: string; since: number }) {
  const t = useText()
  const now = useNow(2_000)
  const isDrivenHere = usePayments(({ driven }) => driven.has(id))
  if (!isDrivenHere || now - since < PROMPT_LOST_MS) return null
  return (
    <Button tone="plain" onClick={() => stopWaiting(id)}>
      {t('payment.noPrompt')}
    </Button>
  )
}

/** Only the tab that drives the payment can store that the member has hidden it. */
function HidePaymentButton({ payment: { intent }, onClose }: { payment: Payment; onClose: () => void }) {
  const t = useText()
  const isDrivenHere = usePayments(({ driven }) => driven.has(intent.id))
  if (!isDrivenHere) return null
  return (
    <Button
      tone="plain"
      onClick={() => {
        hidePayment(intent.id)
        onClose()
      }}
    >
      {t('payment.putAside')}
    </Button>
  )
}

function AskAgainButton({ payment: { intent, stage }, onClose }: { payment: Payment; onClose: () => void }) {
  const t = useText()
  const [busy, setBusy] = useState(false)
  const { readiness, lookAgain } = useWalletReadiness(intent.account, intent.chainId)
  const { data: chain } = useChain()
  const isDrivenHere = usePayments(({ driven }) => driven.has(intent.id))
  // Another tab drives this payment. That tab shows the possible actions.
  if (stage.at === 'unknown' && !isDrivenHere)
    return (
      <Button tone="quiet" onClick={onClose}>
        {t('common.close')}
      </Button>
    )
  if (readiness.kind !== 'ready')
    return <WalletAction readiness={readiness} account={intent.account} chain={chain} onAsked={lookAgain} />
  return (
    <Button
      busy={busy}
      onClick={async () => {
        setBusy(true)
        await continuePayment(intent.id)
        setBusy(false)
      }}
    >
      {t(stage.at === 'paused' ? 'payment.goOn' : 'payment.askAgain')}
    </Button>
  )
}
