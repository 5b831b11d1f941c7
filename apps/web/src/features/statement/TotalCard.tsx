import { formatMoment, isZero, valuePlaces } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Amount, Card, Row, Rows, Skeleton } from '../../shared/ui/index.ts'
import { useAssets } from '../assets/index.ts'
import { OldPrices, oldPriceDays } from '../wallet/index.ts'
import { PartRows } from './AccountCard.tsx'
import styles from './statement.module.css'
import { buildEquation, buildResultPart } from './statement-parts.ts'
import type { Statement } from './use-statement.ts'

const zeroAmounts = { paidIn: '0', received: '0', spent: '0', takenOut: '0', held: '0' }

/** All assets together in USDT, at current prices. Assets without a price are named. */
export function TotalCard({ statement }: { statement: Statement | undefined }) {
  const t = useText()
  const language = useLanguage()
  const total = statement?.total
  // The statement uses the wallet's prices and does not contain their time, so the time is read from the wallet.
  const { data: assets } = useAssets()
  const valued = statement?.accounts
    .filter(({ paidIn, received, held }) => [paidIn, received, held].some(({ amount }) => !isZero(amount)))
    .map(({ symbol }) => symbol)
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
        {buildEquation(t, total ?? zeroAmounts).map(({ name, title, sum: { amount, sign } }) => (
          <Row key={name} label={title}>
            {total ? (
              <Amount value={amount} symbol="USDT" places={valuePlaces} {...(sign && { sign })} />
            ) : (
              <Skeleton>0,000.00 USDT</Skeleton>
            )}
          </Row>
        ))}
      </Rows>
      {total && <PartRows part={buildResultPart(t, total.paidIn, total.result)} places={valuePlaces} />}
      <div className={styles.small}>
        <p>{t('statement.byPrices')}</p>
        {assets && valued && <OldPrices days={oldPriceDays(assets, valued)} />}
        {total && total.without.length > 0 && <p>{t('wallet.totalWithout', { symbols: total.without.join(', ') })}</p>}
      </div>
    </Card>
  )
}
