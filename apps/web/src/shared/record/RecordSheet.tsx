import type { Asset } from '@lode/kernel'
import type { ReactNode } from 'react'
import { useChain } from '../api/index.ts'
import { formatMoment, wholePlaces } from '../format/index.ts'
import { useLanguage, useText } from '../i18n/index.ts'
import { Amount, CopyButton, Row, Rows, Sheet, TransactionLink } from '../ui/index.ts'
import styles from './RecordSheet.module.css'

type RecordSheetProps = {
  title: string
  symbol: Asset
  amount: string
  sign?: '+' | '−'
  status: string
  /** Rows of this kind of record, below the status. */
  rows?: ReactNode
  at: string
  endedAt: string | null
  /** The label of `endedAt`, if it is not an end. */
  endedLabel?: string
  /** Null if the balance has not changed; then `noBalance` says why. */
  balanceAfter: string | null
  noBalance: string
  /** The chain transaction. Null if there is none; then `noTransaction` says why, or is null if nothing moved. */
  tx: string | null
  noTransaction: string | null
  /** The id of the line in the asset log. Null if the log has none. */
  reference: string | null
  onClose: () => void
  /** Links below the rows. */
  children?: ReactNode
}

/** All that is known about one record of an amount: a line of the asset log, or a reward. */
export function RecordSheet(props: RecordSheetProps) {
  const { title, symbol, amount, sign, status, rows, at, endedAt, balanceAfter, reference, onClose, children } = props
  const t = useText()
  const language = useLanguage()
  const places = wholePlaces(symbol)
  return (
    <Sheet open onClose={onClose} title={title}>
      <p className={styles.amount}>
        <Amount value={amount} symbol={symbol} places={places} {...(sign && { sign })} />
      </p>
      <Rows>
        <Row label={t('wallet.statusFilter')}>{status}</Row>
        {rows}
        <Row label={t('wallet.detail.at')}>
          <time dateTime={at}>{formatMoment(at, language)}</time>
        </Row>
        {endedAt && (
          <Row label={props.endedLabel ?? t('wallet.detail.endedAt')}>
            <time dateTime={endedAt}>{formatMoment(endedAt, language)}</time>
          </Row>
        )}
        <Row label={t('wallet.detail.balanceAfter')}>
          {balanceAfter === null ? props.noBalance : <Amount value={balanceAfter} symbol={symbol} places={places} />}
        </Row>
        {(props.tx ?? props.noTransaction) && (
          <Row label={t('wallet.csv.transaction')} stacked>
            {props.tx ? <Transaction hash={props.tx} /> : props.noTransaction}
          </Row>
        )}
        {reference && (
          <Row label={t('wallet.csv.reference')} stacked>
            <div className={styles.copied}>
              <span className={styles.code}>{withoutType(reference)}</span>
              <CopyButton text={withoutType(reference)} label={t('wallet.detail.copyReference')} />
            </div>
          </Row>
        )}
      </Rows>
      {children}
    </Sheet>
  )
}

function Transaction({ hash }: { hash: string }) {
  const t = useText()
  const explorerUrl = useChain().data?.explorerUrl
  const code = <span className={styles.code}>{hash}</span>
  return explorerUrl ? (
    <>
      {code}
      <TransactionLink hash={hash} explorerUrl={explorerUrl} />
    </>
  ) : (
    <div className={styles.copied}>
      {code}
      <CopyButton text={hash} label={t('wallet.copyHash')} />
    </div>
  )
}

/** The id of a log line begins with the name of its type, which tells a member nothing. */
const withoutType = (reference: string): string => reference.slice(reference.indexOf(':') + 1)
