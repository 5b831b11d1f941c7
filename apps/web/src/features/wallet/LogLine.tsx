import type { Asset } from '@lode/kernel'
import { ArrowDownLeft, ArrowUpRight } from 'lucide-react'
import { memo } from 'react'
import { useChain } from '../../shared/api/index.ts'
import { useNow } from '../../shared/clock/index.ts'
import { formatMoment, isZero, placesOf } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { RecordLine } from '../../shared/list/index.ts'
import { Amount, Pill, Skeleton, TransactionLink } from '../../shared/ui/index.ts'
import styles from './LogLine.module.css'
import { typeText } from './type-text.ts'
import type { WalletLogLine } from './use-log.ts'

type LogLineProps = {
  symbol: Asset
  line: WalletLogLine | undefined
  /** Undefined while it is loading. A prop, because a query in each of thousands of lines would be slow. */
  explorerUrl: string | null | undefined
  /** Always the same function, because the line is memoized. */
  onOpen: (line: WalletLogLine) => void
}

/**
 * One line of the log. Without a line it draws a placeholder of the same shape. Memoized: the log is refreshed every few
 * seconds, and then only new and changed lines render.
 */
export const LogLine = memo(function LogLine({ symbol, line, explorerUrl, onOpen }: LogLineProps) {
  const t = useText()
  const language = useLanguage()
  if (!line) return <LogLineSkeleton />
  const isOut = line.direction === 'out'
  const isCanceled = line.status === 'canceled'
  return (
    <RecordLine
      tone={isCanceled ? 'void' : line.status === 'confirming' ? 'sky' : isOut ? 'neutral' : 'jade'}
      colored={!isOut && !isCanceled}
      sign={isOut ? <ArrowUpRight size={18} /> : <ArrowDownLeft size={18} />}
      name={typeText(t, line.type)}
      onOpen={() => onOpen(line)}
      amount={<Amount value={line.amount} places={placesOf[symbol]} sign={isOut ? '−' : '+'} />}
      at={formatMoment(line.at, language)}
      status={<LineStatus status={line.status} />}
    >
      {!isZero(line.fee) && (
        <p className={styles.fee} data-canceled={isCanceled ? '' : undefined}>
          {t('wallet.fee')} <Amount value={line.fee} symbol={symbol} places={placesOf[symbol]} />
        </p>
      )}
      {line.status === 'confirming' && line.tx && <ConfirmingNote at={line.at} />}
      {line.tx && explorerUrl !== undefined && (
        <div className={styles.small}>
          <TransactionLink hash={line.tx} explorerUrl={explorerUrl} />
        </div>
      )}
    </RecordLine>
  )
})

function LogLineSkeleton() {
  const t = useText()
  return (
    <RecordLine
      tone="neutral"
      name={<Skeleton>{t('wallet.types.transferIn')}</Skeleton>}
      amount={<Skeleton>+000.00</Skeleton>}
      at={<Skeleton>00 Aaa 0000, 00:00</Skeleton>}
      status={
        <p className={styles.small}>
          <Skeleton>{t('wallet.statuses.confirmed')}</Skeleton>
        </p>
      }
    />
  )
}

function LineStatus({ status }: { status: WalletLogLine['status'] }) {
  const t = useText()
  const words = t(`wallet.statuses.${status}`)
  // Most lines are confirmed, so that state is plain text and not a pill.
  if (status === 'confirmed') return <p className={styles.confirmed}>{words}</p>
  return <Pill tone={status === 'confirming' ? 'sky' : 'neutral'}>{words}</Pill>
}

function ConfirmingNote({ at }: { at: string }) {
  const t = useText()
  const { data: chain } = useChain()
  const minutes = Math.floor((useNow(10_000) - Date.parse(at)) / 60_000)
  return (
    <p className={styles.seen}>
      {chain && t('wallet.seen', { count: chain.finalityMinutes })}
      <span className={styles.elapsed}>{minutes < 1 ? t('wallet.elapsedNone') : t('wallet.elapsed', { minutes })}</span>
    </p>
  )
}
