import type { Asset } from '@lode/kernel'
import { Link } from 'react-router'
import {
  formatAmount,
  formatDate,
  formatMoment,
  formatWholeAmount,
  placesOf,
  wholePlaces,
} from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { Amount, Card, CopyableAddress, Note, Pill, Row, Rows, Skeleton } from '../../shared/ui/index.ts'
import { HoldRows, useRemaining } from '../protection/index.ts'
import { countReviewers, formatUnits, type SymbolTerms, type TransferLimits, type TransferTerms } from './limits.ts'
import styles from './transfer.module.css'
import { formatFigure, formatWithSymbol, NO_TRAILING_ZEROS } from './use-transfer-form.ts'

export function PausedNote({ until, now }: { until: string; now: number }) {
  const t = useText()
  const language = useLanguage()
  const remaining = useRemaining()
  return (
    <Note tone="lode">
      {t('transfer.paused', { time: remaining(until, now), moment: formatMoment(until, language) })}
    </Note>
  )
}

/** A note that new transfers wait until the last hold has ended. */
export function HeldNote({ holds }: { holds: TransferTerms['holds'] }) {
  const t = useText()
  const language = useLanguage()
  const last = holds.reduce((end, { endsAt }) => Math.max(end, Date.parse(endsAt)), 0)
  return (
    <Note tone="lode">{t('transfer.heldUntil', { moment: formatMoment(new Date(last).toISOString(), language) })}</Note>
  )
}

/** The limits of one transfer, and of all transfers in any 24 hours. */
export function LimitRows({
  limits,
  quota,
}: {
  limits: TransferLimits | undefined
  quota: SymbolTerms['quota'] | undefined
}) {
  const t = useText()
  return (
    <Rows>
      <Row label={t('transfer.oneTransfer')}>
        {limits ? (
          t('transfer.fromTo', { min: formatFigure(limits, limits.min), max: formatWithSymbol(limits, limits.max) })
        ) : (
          <Skeleton>00 to 00,000 USDT</Skeleton>
        )}
      </Row>
      <Row label={t('transfer.fee')}>
        {limits ? (
          <Amount value={formatUnits(limits, limits.fee)} symbol={limits.symbol} places={placesOf[limits.symbol]} />
        ) : (
          <Skeleton>0.00 USDT</Skeleton>
        )}
      </Row>
      <Row label={t('transfer.quota')}>
        {limits && quota ? (
          t('transfer.quotaOf', {
            left: formatAmount(quota.left, NO_TRAILING_ZEROS),
            total: formatWholeAmount(quota.total, limits.symbol),
          })
        ) : (
          <Skeleton>000 of 000 USDT</Skeleton>
        )}
      </Row>
    </Rows>
  )
}

/** An amount of this many characters fills half a line. */
const LONG_AMOUNT_CHARACTERS = 12

type SumRowsProps = { limits: TransferLimits | undefined; symbol: Asset; amount: bigint | null }

/** What arrives, and what leaves the balance. */
export function SumRows({ limits, symbol, amount }: SumRowsProps) {
  const t = useText()
  const places = wholePlaces(symbol)
  const isKnown = limits && amount !== null
  return (
    <Rows>
      <Row label={t('transfer.arrives')}>
        {isKnown ? (
          <span
            className={styles.arrives}
            data-long={formatUnits(limits, amount).length > LONG_AMOUNT_CHARACTERS ? '' : undefined}
          >
            <Amount value={formatUnits(limits, amount)} symbol={symbol} places={places} />
          </span>
        ) : (
          '–'
        )}
      </Row>
      <Row label={t('transfer.debited')}>
        {isKnown ? <Amount value={formatUnits(limits, amount + limits.fee)} symbol={symbol} places={places} /> : '–'}
        {isKnown && (
          <span className={styles.beside}>
            {t('transfer.debitedText', { fee: formatWithSymbol(limits, limits.fee) })}
          </span>
        )}
      </Row>
    </Rows>
  )
}

/** The output address, and since when it is set. */
export function DestinationCard({ terms, boundAt }: { terms: TransferTerms | undefined; boundAt: string | null }) {
  const t = useText()
  const language = useLanguage()
  const isExitSession = useSession(({ exit }) => exit)
  return (
    <Card>
      <CopyableAddress label={t('transfer.to')} value={terms?.address} />
      <div className={styles.bound}>
        {terms?.own ? (
          <Pill tone="neutral">{t('security.address.own')}</Pill>
        ) : (
          <p className={styles.small}>
            {terms && boundAt && t('transfer.boundSince', { moment: formatDate(boundAt, language) })}
          </p>
        )}
        {!isExitSession && (
          <Link to="/setting" className={styles.change}>
            {t('transfer.changeAddress')}
          </Link>
        )}
      </div>
    </Card>
  )
}

type PayoutTimeProps = {
  terms: TransferTerms | undefined
  limits: TransferLimits | undefined
  amount: bigint | null
  minutes: number | undefined
  now: number
}

export function PayoutTimeCard(props: PayoutTimeProps) {
  const t = useText()
  return (
    <Card title={t('transfer.when')}>
      <PayoutTime {...props} />
    </Card>
  )
}

/** When the transfer is paid: soon, or what it waits for: a payout pause, holds with their ends, or a review. */
export function PayoutTime({ terms, limits, amount, minutes, now }: PayoutTimeProps) {
  const t = useText()
  const language = useLanguage()
  if (!terms || !limits || minutes === undefined)
    return (
      <p>
        <Skeleton>{t('transfer.atOnce', { count: 1 })}</Skeleton>
      </p>
    )
  const reviewers = amount === null ? 0 : countReviewers(limits, amount)
  const sizes = {
    one: formatWithSymbol(limits, limits.reviewAbove),
    two: formatWithSymbol(limits, limits.decisionAbove),
  }
  const isHeld = terms.holds.length > 0
  const pause = terms.pausedUntil && { moment: formatMoment(terms.pausedUntil, language) }
  return (
    <div className={styles.when}>
      {isHeld && (
        <>
          <p>{pause ? t('transfer.afterHoldsAndPause', pause) : t('transfer.afterHolds')}</p>
          <HoldRows holds={terms.holds} now={now} />
        </>
      )}
      {terms.reviewed && reviewers < 2 && <p>{t('transfer.reviewAccount')}</p>}
      {reviewers === 2 && <p>{t('transfer.reviewTwo', sizes)}</p>}
      {reviewers === 1 && !terms.reviewed && <p>{t('transfer.reviewOne', sizes)}</p>}
      {!isHeld && !terms.reviewed && reviewers === 0 && (
        <p>{pause ? t('transfer.afterPause', pause) : t('transfer.atOnce', { count: minutes })}</p>
      )}
      {reviewers === 0 && !terms.reviewed && <p className={styles.small}>{t('transfer.reviewSizes', sizes)}</p>}
    </div>
  )
}
