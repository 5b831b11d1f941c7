import { type Places, wholePlaces } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Amount, Card } from '../../shared/ui/index.ts'
import styles from './statement.module.css'
import { buildPeriodParts, buildStatementParts, type StatementPart } from './statement-parts.ts'
import type { AccountStatement, PeriodAccount } from './use-statement.ts'

/**
 * The whole history in one asset, as a column that adds up to the held amount. No decimal is cut off, because then it
 * would not add up.
 */
export function AccountCard({ account }: { account: AccountStatement }) {
  const t = useText()
  return (
    <Card title={account.symbol}>
      {buildStatementParts(t, account).map((part) => (
        <PartRows key={part.name} part={part} places={wholePlaces(account.symbol)} />
      ))}
    </Card>
  )
}

/** What changed in one asset in a period, as a column that adds up to what was held after it. */
export function PeriodCard({ account }: { account: PeriodAccount }) {
  const t = useText()
  return (
    <Card title={account.symbol}>
      {buildPeriodParts(t, account).map((part) => (
        <PartRows key={part.name} part={part} places={wholePlaces(account.symbol)} />
      ))}
    </Card>
  )
}

type PartRowsProps = { part: StatementPart; places: Places }

export function PartRows({ part: { name, title, sum, entries, note }, places }: PartRowsProps) {
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
      {entries.length > 0 && (
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
      )}
      {note && <p className={styles.small}>{note}</p>}
    </section>
  )
}
