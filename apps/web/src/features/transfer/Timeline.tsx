import type { ReactNode } from 'react'
import { addAmounts, formatMoment, formatRecent, formatWholeAmount } from '../../shared/format/index.ts'
import { type TextFunction, useLanguage, useText } from '../../shared/i18n/index.ts'
import { PoolLink } from '../../shared/pool/index.ts'
import { Skeleton, Steps } from '../../shared/ui/index.ts'
import { useRemaining } from '../protection/index.ts'
import styles from './transfer.module.css'
import type { TransferOrder } from './transfer-press.ts'
import { buildTimeline, shownTransferState, type TimelineRow } from './transfer-timeline.ts'

type TimelineProps = { order: TransferOrder | undefined; minutes: number | undefined; now: number }

/** The steps of a transfer: done, current with what it waits for and until when, and still to come. */
export function Timeline({ order, minutes, now }: TimelineProps) {
  const t = useText()
  const language = useLanguage()
  if (!order || minutes === undefined)
    return (
      <ul className={styles.waiting} aria-hidden="true">
        {(['requested', 'approved', 'signed', 'broadcast', 'mined', 'final'] as const).map((row) => (
          <li key={row}>
            <Skeleton>{t(`transfer.steps.${row}`)}</Skeleton>
          </li>
        ))}
      </ul>
    )
  const steps = buildTimeline(order).map((row) => ({
    key: row.row,
    state: row.state,
    title: stepTitle(t, order, row),
    at: row.at && <time dateTime={row.at}>{formatRecent(row.at, now, language)}</time>,
    detail: stepDetail(t, { order, row, minutes, now }),
  }))
  return (
    <div className={styles.progress} data-state={order.state}>
      <Steps label={t('transfer.order.progress')} steps={steps} />
    </div>
  )
}

function stepTitle(t: TextFunction, order: TransferOrder, { row, state }: TimelineRow): string {
  const shownState = shownTransferState(order)
  if (row === 'held' && shownState === 'review') return t('transfer.steps.review')
  if (row === 'approved' && state === 'current' && (shownState === 'queued' || shownState === 'late'))
    return t('transfer.steps.queued')
  return t(`transfer.steps.${row}`)
}

type StepDetailInput = { order: TransferOrder; row: TimelineRow; minutes: number; now: number }

function stepDetail(t: TextFunction, { order, row: { row, state }, minutes, now }: StepDetailInput): ReactNode {
  const total = formatWholeAmount(addAmounts(order.amount, order.fee), order.symbol)
  const isCurrent = state === 'current'
  switch (row) {
    case 'requested':
      return t('transfer.now.requested', { total })
    case 'held':
      return isCurrent ? <Holds order={order} now={now} /> : null
    case 'approved':
      return isCurrent && order.queue ? <Queue queue={order.queue} /> : null
    case 'signed':
      return isCurrent ? t('transfer.now.approved') : null
    case 'broadcast':
      return isCurrent ? t('transfer.now.signed') : null
    case 'mined':
      return isCurrent ? <Confirming order={order} minutes={minutes} now={now} /> : null
    case 'final':
      return state === 'done'
        ? t('transfer.now.final', { amount: formatWholeAmount(order.amount, order.symbol) })
        : null
    case 'rejected':
      return (
        <>
          {order.note && <p className={styles.said}>{t('transfer.now.note', { note: order.note })}</p>}
          <p>{t('transfer.now.back', { total })}</p>
          <PoolLink to="contact" />
        </>
      )
    case 'cancelled':
      return t('transfer.now.back', { total })
    case 'reverted':
      return t('transfer.now.reverted', { total })
  }
}

/** What the transfer waits for. If it is late, a note about this comes first. */
function Queue({ queue: { reason, until, late } }: { queue: NonNullable<TransferOrder['queue']> }) {
  const t = useText()
  const language = useLanguage()
  const isPauseWithoutEnd = reason === 'paused' && until === null
  return (
    <>
      {late && <p className={styles.late}>{t('transfer.queue.late')}</p>}
      <p>
        {isPauseWithoutEnd
          ? t('transfer.queue.pausedOpen')
          : t(`transfer.queue.${reason}`, { moment: until ? formatMoment(until, language) : '' })}
      </p>
    </>
  )
}

/** Every hold with its reason, and its end if time ends it. */
function Holds({ order, now }: { order: TransferOrder; now: number }) {
  const t = useText()
  const language = useLanguage()
  const remaining = useRemaining()
  const hasProtection = order.holds.some(({ reason }) => !isOfPool(reason))
  return (
    <>
      <ul className={styles.holds}>
        {order.holds.map(({ reason, endsAt }) => {
          const isReview = reason === 'review-size' || reason === 'review-account'
          return (
            <li key={reason}>
              <span>{isOfPool(reason) ? t(`transfer.holds.${reason}`) : t(`security.holds.${reason}`)}</span>
              <span className={styles.end}>
                {endsAt === null
                  ? t(reason === 'check' ? 'transfer.holds.byCheck' : 'transfer.holds.byDecision')
                  : t(isReview ? 'transfer.holds.atTheLatest' : 'protection.endsIn', { time: remaining(endsAt, now) })}
                {endsAt && <span className={styles.moment}>{formatMoment(endsAt, language)}</span>}
              </span>
            </li>
          )
        })}
      </ul>
      {hasProtection && <p>{t('security.holds.why')}</p>}
    </>
  )
}

type HoldReason = TransferOrder['holds'][number]['reason']

/** A hold by the pool. All others protect the account. */
const isOfPool = (reason: HoldReason): reason is 'review-size' | 'review-account' | 'check' =>
  reason === 'review-size' || reason === 'review-account' || reason === 'check'

const MINUTE_MS = 60_000

/**
 * The transfer was sent. Once it is in a block, shows when it is usually final. The bar shows time, not certainty, and
 * is never full.
 */
function Confirming({ order, minutes, now }: { order: TransferOrder; minutes: number; now: number }) {
  const t = useText()
  const seenAt = order.steps.filter(({ state }) => state === 'mined').at(-1)?.at
  if (order.state !== 'mined' || !seenAt) return t('transfer.now.broadcast')
  const passed = Math.max(0, now - Date.parse(seenAt)) / MINUTE_MS
  const elapsed = passed < 1 ? t('transfer.now.justNow') : t('transfer.now.minutesAgo', { minutes: Math.floor(passed) })
  return (
    <>
      <span className={styles.bar} aria-hidden="true">
        <span style={{ inlineSize: `${Math.min(95, Math.round((100 * passed) / minutes))}%` }} />
      </span>
      {t('transfer.now.mined', { elapsed, count: minutes })}
    </>
  )
}
