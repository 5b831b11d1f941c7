import type { Asset } from '@lode/kernel'
import { Link } from 'react-router'
import {
  formatAmount,
  formatDate,
  formatMoment,
  placesOf,
  wholeAmount,
  wholePlaces,
} from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { Amount, Card, CopyableAddress, Note, Pill, Row, Rows, Skeleton } from '../../shared/ui/index.ts'
import { HoldRows, useRemaining } from '../protection/index.ts'
import { canonical, type Limits, reviewersOf, type SymbolTerms, type Terms } from './limits.ts'
import styles from './transfer.module.css'
import { BARE, figures, inWords } from './use-transfer-form.ts'

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
export function HeldNote({ holds }: { holds: Terms['holds'] }) {
  const t = useText()
  const language = useLanguage()
  const last = holds.reduce((end, { endsAt }) => Math.max(end, Date.parse(endsAt)), 0)
  return (
    <Note tone="lode">{t('transfer.heldUntil', { moment: formatMoment(new Date(last).toISOString(), language) })}</Note>
  )
}

/** The limits of one transfer, and of all transfers in any 24 hours. */
export function LimitRows({ limits, quota }: { limits: Limits | undefined; quota: SymbolTerms['quota'] | undefined }) {
  const t = useText()
  return (
    <Rows>
      <Row label={t('transfer.oneTransfer')}>
        {limits ? (
          t('transfer.fromTo', { min: figures(limits, limits.min), max: inWords(limits, limits.max) })
        ) : (
          <Skeleton>00 to 00,000 USDT</Skeleton>
        )}
      </Row>
      <Row label={t('transfer.fee')}>
        {limits ? (
          <Amount value={canonical(limits, limits.fee)} symbol={limits.symbol} places={placesOf[limits.symbol]} />
        ) : (
          <Skeleton>0.00 USDT</Skeleton>
        )}
      </Row>
      <Row label={t('transfer.quota')}>
        {limits && quota ? (
          t('transfer.quotaOf', {
            left: formatAmount(quota.left, BARE),
            total: wholeAmount(quota.total, limits.symbol),
          })
        ) : (
          <Skeleton>000 of 000 USDT</Skeleton>
        )}
      </Row>
    </Rows>
  )
}

/** An amount of this many characters fills half a line. */
const MANY = 12

type SumRowsProps = { limits: Limits | undefined; symbol: Asset; amount: bigint | null }

/** What arrives, and what leaves the balance. */
export function SumRows({ limits, symbol, amount }: SumRowsProps) {
  const t = useText()
  const places = wholePlaces(symbol)
  const known = limits && amount !== null
  return (
    <Rows>
      <Row label={t('transfer.arrives')}>
        {known ? (
          <span className={styles.arrives} data-long={canonical(limits, amount).length > MANY ? '' : undefined}>
            <Amount value={canonical(limits, amount)} symbol={symbol} places={places} />
          </span>
        ) : (
          '–'
        )}
      </Row>
      <Row label={t('transfer.debited')}>
        {known ? <Amount value={canonical(limits, amount + limits.fee)} symbol={symbol} places={places} /> : '–'}
        {known && (
          <span className={styles.beside}>{t('transfer.debitedText', { fee: inWords(limits, limits.fee) })}</span>
        )}
      </Row>
    </Rows>
  )
}

/** The output address, and since when it is set. */
export function WhereCard({ terms, boundAt }: { terms: Terms | undefined; boundAt: string | null }) {
  const t = useText()
  const language = useLanguage()
  const leaving = useSession(({ exit }) => exit)
  return (
    <Card>
      <CopyableAddress label={t('transfer.to')} value={terms?.address} />
      <div className={styles.bound}>
        {terms?.own ? (
          <Pill tone="neutral">{t('protection.address.own')}</Pill>
        ) : (
          <p className={styles.small}>
            {terms && boundAt && t('transfer.boundSince', { moment: formatDate(boundAt, language) })}
          </p>
        )}
        {!leaving && (
          <Link to="/setting" className={styles.change}>
            {t('transfer.changeAddress')}
          </Link>
        )}
      </div>
    </Card>
  )
}

type WhenProps = {
  terms: Terms | undefined
  limits: Limits | undefined
  amount: bigint | null
  minutes: number | undefined
  now: number
}

export function WhenCard(props: WhenProps) {
  const t = useText()
  return (
    <Card title={t('transfer.when')}>
      <When {...props} />
    </Card>
  )
}

/** When the transfer is paid: soon, or what it waits for: a payout pause, holds with their ends, or a review. */
export function When({ terms, limits, amount, minutes, now }: WhenProps) {
  const t = useText()
  const language = useLanguage()
  if (!terms || !limits || minutes === undefined)
    return (
      <p>
        <Skeleton>{t('transfer.atOnce', { count: 1 })}</Skeleton>
      </p>
    )
  const reviewers = amount === null ? 0 : reviewersOf(limits, amount)
  const sizes = { one: inWords(limits, limits.reviewAbove), two: inWords(limits, limits.decisionAbove) }
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
