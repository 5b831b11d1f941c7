import { type ReactNode, useState } from 'react'
import {
  dismiss,
  goOn,
  mayAskAgain,
  mayGiveUp,
  mayPutAside,
  type Payment,
  putAside,
  stopWaiting,
  usePayments,
} from '../../chain/payment/index.ts'
import { useChain } from '../../shared/api/index.ts'
import { useNow } from '../../shared/clock/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/index.ts'
import { usePayer } from './use-payer.ts'
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
    dismiss(intent.id)
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
        <AskAgain payment={payment} onClose={onClose} />
      ) : (
        <Button tone="quiet" onClick={onClose}>
          {t('common.close')}
        </Button>
      )}
      {stage.at === 'asking' && <NoPrompt id={intent.id} since={stage.since} />}
      {mayGiveUp(payment) && (
        <Button tone="plain" onClick={leave}>
          {t('payment.leave')}
        </Button>
      )}
      {mayPutAside(payment) && <Aside payment={payment} onClose={onClose} />}
      {also}
    </>
  )
}

/** A wallet answers within moments, or it has lost the request: phones close apps that are in the background. */
const LOST_MS = 15_000

function NoPrompt({ id, since }: { id: string; since: number }) {
  const t = useText()
  const now = useNow(2_000)
  const isHere = usePayments(({ driven }) => driven.has(id))
  if (!isHere || now - since < LOST_MS) return null
  return (
    <Button tone="plain" onClick={() => stopWaiting(id)}>
      {t('payment.noPrompt')}
    </Button>
  )
}

/** Only the tab that drives the payment can store that it is put aside. */
function Aside({ payment: { intent }, onClose }: { payment: Payment; onClose: () => void }) {
  const t = useText()
  const isHere = usePayments(({ driven }) => driven.has(intent.id))
  if (!isHere) return null
  return (
    <Button
      tone="plain"
      onClick={() => {
        putAside(intent.id)
        onClose()
      }}
    >
      {t('payment.putAside')}
    </Button>
  )
}

function AskAgain({ payment: { intent, stage }, onClose }: { payment: Payment; onClose: () => void }) {
  const t = useText()
  const [busy, setBusy] = useState(false)
  const { payer, lookAgain } = usePayer(intent.account, intent.chainId)
  const { data: chain } = useChain()
  const isHere = usePayments(({ driven }) => driven.has(intent.id))
  // Another tab drives the payment and shows the possible actions.
  if (stage.at === 'unknown' && !isHere)
    return (
      <Button tone="quiet" onClick={onClose}>
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
