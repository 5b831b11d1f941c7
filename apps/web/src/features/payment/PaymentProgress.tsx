import { assertNever } from '@lode/kernel'
import type { TFunction } from 'i18next'
import { CircleAlert, ExternalLink, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Hex } from 'viem'
import { type Payment, usePayments } from '../../chain/payment/index.ts'
import { useNow } from '../../shared/clock/index.ts'
import { explorerPage, shortAddress } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { CopyButton, LargeAmount, Row, Rows, Steps } from '../../shared/ui/index.ts'
import { amountText, canonicalAmount } from './amount-of.ts'
import styles from './PaymentProgress.module.css'
import { problemText } from './problem-text.ts'
import { StatusPill } from './StatusPill.tsx'
import { stepsOf } from './steps.ts'

/** Where a payment stands: the amount, what is to be known, the steps, and its transactions. */
export function PaymentProgress({ payment, note }: { payment: Payment; note?: string | undefined }) {
  const t = useText()
  const language = useLanguage()
  const now = useNow(10_000)
  const signedIn = useSession(({ account }) => account?.toLowerCase() === payment.intent.account.toLowerCase())
  const isHere = usePayments(({ driven }) => driven.has(payment.intent.id))
  const { intent, stage, sent } = payment
  const isElsewhere = !isHere && (stage.at === 'checking' || stage.at === 'asking' || stage.at === 'unknown')
  const word = wordOn(t, payment)

  return (
    <>
      <div className={styles.head}>
        <p>
          <StatusPill stage={stage} />
        </p>
        <LargeAmount
          size="hero"
          value={canonicalAmount(intent)}
          symbol={intent.symbol}
          places={{ least: 2, most: intent.decimals }}
        />
      </div>
      {note && (
        <Note tone="sky" icon={<Info size={18} aria-hidden="true" />}>
          {note}
        </Note>
      )}
      <div role="status">
        {word && (
          <Note
            tone={word.tone}
            icon={
              word.tone === 'sky' ? <Info size={18} aria-hidden="true" /> : <CircleAlert size={18} aria-hidden="true" />
            }
          >
            {word.text}
          </Note>
        )}
        {isElsewhere && (
          <Note tone="sky" icon={<Info size={18} aria-hidden="true" />}>
            {t('payment.otherTab')}
          </Note>
        )}
      </div>
      <Steps label={t('payment.progress')} steps={stepsOf(t, payment, { now, language, signedIn })} />
      {sent.length > 0 && (
        <Rows>
          {sent.map(({ hash }) => (
            <Row key={hash} label={t('payment.transaction')}>
              <Transaction hash={hash} explorerUrl={intent.explorerUrl} />
            </Row>
          ))}
          {stage.at === 'failed' && stage.why.kind === 'replaced' && (
            <Row label={t('payment.replacedBy')}>
              <Transaction hash={stage.why.by} explorerUrl={intent.explorerUrl} />
            </Row>
          )}
        </Rows>
      )}
    </>
  )
}

type Tone = 'sky' | 'rose' | 'lode'

function Note({ tone, icon, children }: { tone: Tone; icon: ReactNode; children: string }) {
  return (
    <p className={styles.note} data-tone={tone}>
      {icon}
      <span>{children}</span>
    </p>
  )
}

const unknownTexts = {
  'answer-lost': 'payment.unknown.answerLost',
  'not-seen': 'payment.unknown.notSeen',
  overtaken: 'payment.unknown.overtaken',
  'no-node': 'payment.unknown.noNode',
} as const

/** What is to be said at length, where the steps alone do not say it. */
function wordOn(t: TFunction, { intent, stage }: Payment): { tone: Tone; text: string } | null {
  const amount = amountText(intent)
  switch (stage.at) {
    case 'paused':
      return { tone: 'lode', text: problemText(t, intent, stage.problem) }
    case 'unknown':
      return { tone: 'lode', text: t(unknownTexts[stage.why]) }
    case 'failed':
      return { tone: 'rose', text: t(`payment.failed.${stage.why.kind}`, { amount }) }
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

function Transaction({ hash, explorerUrl }: { hash: Hex; explorerUrl: string | null }) {
  const t = useText()
  return (
    <span className={styles.transaction}>
      {explorerUrl === null ? (
        <span className={styles.hash}>{shortAddress(hash)}</span>
      ) : (
        <a
          className={styles.link}
          href={explorerPage(explorerUrl, 'tx', hash)}
          target="_blank"
          rel="noreferrer"
          aria-label={t('wallet.onExplorer', { hash: shortAddress(hash) })}
        >
          <span className={styles.hash}>{shortAddress(hash)}</span>
          <ExternalLink size={16} aria-hidden="true" />
        </a>
      )}
      <CopyButton text={hash} label={t('wallet.copyHash')} />
    </span>
  )
}
