import { formatMoment, isZero, valuePlaces } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Amount, Card, Row, Rows, Skeleton } from '../../shared/ui/index.ts'
import { OldPrices, oldPriceDays, useAssets } from '../wallet/index.ts'
import styles from './statement.module.css'
import { netText } from './statement-csv.ts'
import type { Statement } from './use-statement.ts'

const rows = [
  { part: 'paidIn', text: 'statement.paidIn' },
  { part: 'received', text: 'statement.received' },
  { part: 'transferredOut', text: 'statement.transferredOut' },
  { part: 'held', text: 'statement.held' },
] as const

/** All symbols together in USDT, by the prices of now; what has none is named. */
export function TotalCard({ statement }: { statement: Statement | undefined }) {
  const t = useText()
  const language = useLanguage()
  const total = statement?.total
  // The statement is valued at the prices of the wallet, and says nothing about their time itself.
  const { data: assets } = useAssets()
  const valued = statement?.accounts
    .filter(({ paidIn, received, held }) => [paidIn, received, held].some(({ amount }) => !isZero(amount)))
    .map(({ symbol }) => symbol)
  const worth = (value: string) => <Amount value={value} symbol="USDT" places={valuePlaces} />
  return (
    <Card
      title={t('statement.total')}
      aside={
        <p className={styles.small}>
          {statement ? (
            t('statement.asOf', { time: formatMoment(statement.at, language) })
          ) : (
            <Skeleton>00 Aaa 0000, 00:00</Skeleton>
          )}
        </p>
      }
    >
      <Rows>
        {rows.map(({ part, text }) => (
          <Row key={part} label={t(text)}>
            {total ? worth(total[part]) : <Skeleton>0,000.00 USDT</Skeleton>}
          </Row>
        ))}
        <Row label={t('statement.net')}>
          {total ? (
            <>
              {worth(total.net.amount)}
              <span className={styles.under}>{netText(t, total.net)}</span>
            </>
          ) : (
            <Skeleton>0,000.00 USDT</Skeleton>
          )}
        </Row>
      </Rows>
      <div className={styles.small}>
        <p>{t('statement.byPrices')}</p>
        {assets && valued && <OldPrices days={oldPriceDays(assets, valued)} />}
        {total && total.without.length > 0 && <p>{t('wallet.totalWithout', { symbols: total.without.join(', ') })}</p>}
      </div>
    </Card>
  )
}
