import { assertNever } from '@lode/kernel'
import { type Payment, usePayments } from '../../chain/payment/index.ts'
import { useNow } from '../../shared/clock/index.ts'
import { type TextFunction, useLanguage, useText } from '../../shared/i18n/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { LargeAmount, Note, type NoteTone, Row, Rows, Steps, TransactionLink } from '../../shared/ui/index.ts'
import styles from './PaymentProgress.module.css'
import { amountText, canonicalAmount } from './payment-amount.ts'
import { buildPaymentSteps } from './payment-steps.ts'
import { problemText } from './problem-text.ts'
import { StatusPill } from './StatusPill.tsx'

/** The progress of a payment: amount, notes, steps and transactions. */
export function PaymentProgress({ payment, note }: { payment: Payment; note?: string | undefined }) {
  const t = useText()
  const language = useLanguage()
  const now = useNow(10_000)
  const signedIn = useSession(({ account }) => account?.toLowerCase() === payment.intent.account.toLowerCase())
  const isDrivenHere = usePayments(({ driven }) => driven.has(payment.intent.id))
  const { intent, stage, sent } = payment
  const isDrivenElsewhere =
    !isDrivenHere && (stage.at === 'checking' || stage.at === 'asking' || stage.at === 'unknown')
  const explanation = explainStage(t, payment)

  return (
    <>
      <div className={styles.head}>
        <p>
          <StatusPill payment={payment} />
        </p>
        <LargeAmount
          size="hero"
          value={canonicalAmount(intent)}
          symbol={intent.symbol}
          places={{ least: 2, most: intent.decimals }}
        />
      </div>
      {note && <Note tone="sky">{note}</Note>}
      <div role="status">
        {explanation && <Note tone={explanation.tone}>{explanation.text}</Note>}
        {isDrivenElsewhere && <Note tone="sky">{t('payment.otherTab')}</Note>}
      </div>
      <Steps
        label={t('payment.progress')}
        steps={buildPaymentSteps(t, payment, { now, language, signedIn })}
        // Other notes explain the stage. This one stays the same while the steps go on.
        announced={explanation === null || explanation.tone === 'sky'}
      />
      {sent.length > 0 && (
        <Rows>
          {sent.map(({ hash }) => (
            <Row key={hash} label={t('payment.transaction')}>
              <TransactionLink hash={hash} explorerUrl={intent.explorerUrl} />
            </Row>
          ))}
          {stage.at === 'failed' && stage.why.kind === 'replaced' && (
            <Row label={t('payment.replacedBy')}>
              <TransactionLink hash={stage.why.by} explorerUrl={intent.explorerUrl} />
            </Row>
          )}
        </Rows>
      )}
    </>
  )
}

const unknownTexts = {
  'answer-lost': 'payment.unknown.answerLost',
  unsearched: 'payment.unknown.unsearched',
  'not-seen': 'payment.unknown.notSeen',
  overtaken: 'payment.unknown.overtaken',
  'no-node': 'payment.unknown.noNode',
} as const

/** A longer text, if the steps alone do not explain the stage. */
function explainStage(t: TextFunction, { intent, stage }: Payment): { tone: NoteTone; text: string } | null {
  const amount = amountText(intent)
  switch (stage.at) {
    case 'paused':
      return { tone: 'lode', text: problemText(t, intent, stage.problem) }
    case 'unknown':
      return { tone: 'lode', text: t(unknownTexts[stage.why]) }
    case 'failed':
      return { tone: 'rose', text: t(`payment.failed.${stage.why.kind}`, { amount }) }
    case 'lapsed':
      return { tone: 'lode', text: t('payment.lapsed', { amount }) }
    case 'checking':
    case 'asking':
    case 'approving':
    case 'sent':
    case 'mined':
    case 'confirming':
      return { tone: 'sky', text: t('payment.mayClose') }
    case 'credited':
    case 'refused':
      return null
    default:
      return assertNever(stage)
  }
}
