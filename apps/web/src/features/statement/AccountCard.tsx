import { placesOf } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Amount, Card } from '../../shared/ui/index.ts'
import { type Part, partsOf } from './entries.ts'
import styles from './statement.module.css'
import { netText } from './statement-csv.ts'
import type { Account } from './use-statement.ts'

/** The whole history in one symbol, as a column that adds up to what is held. */
export function AccountCard({ account }: { account: Account }) {
  const t = useText()
  const { symbol, net } = account
  return (
    <Card title={symbol}>
      {partsOf(t, account).map((part) => (
        <PartRows key={part.name} part={part} symbol={symbol} />
      ))}
      <dl className={styles.net}>
        <div className={styles.row}>
          <dt>
            {t('statement.net')} <span className={styles.small}>{netText(t, net)}</span>
          </dt>
          <dd className={styles.sum}>
            <Amount value={net.amount} symbol={symbol} places={placesOf[symbol]} />
          </dd>
        </div>
      </dl>
    </Card>
  )
}

type PartRowsProps = { part: Part; symbol: Account['symbol'] }

function PartRows({ part: { name, title, sum, entries }, symbol }: PartRowsProps) {
  const places = placesOf[symbol]
  return (
    <section className={styles.part} data-part={name}>
      <header className={styles.row}>
        <h3 className={styles.title}>{title}</h3>
        {sum && (
          <p className={styles.sum}>
            <Amount value={sum.amount} places={places} {...(sum.sign && { sign: sum.sign })} />
          </p>
        )}
      </header>
      <dl>
        {entries.map((entry) => (
          <div key={entry.name} className={styles.row} data-beside={entry.sign === null ? '' : undefined}>
            <dt className={styles.small}>{entry.name}</dt>
            <dd className={styles.amount}>
              <Amount value={entry.amount} places={places} {...(entry.sign && { sign: entry.sign })} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
