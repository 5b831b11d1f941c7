import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { kinds } from '../chart.ts'
import type { NumberRange } from '../seal-chain.ts'
import { EXAMPLES, type Findings } from './findings.ts'
import type { Owners } from './ranges.ts'

const flooredKinds = Object.values(kinds)
  .filter((kind) => kind.floored)
  .map(({ code }) => code as number)

type Postings = RawBuilder<unknown>
export const postingsOfPartition = (partition: string): Postings => sql`select * from ${sql.id('lode', partition)}`
export const postingsOfWindow = ({ first, last }: NumberRange): Postings =>
  sql`select * from lode.posting where transaction between ${first} and ${last}`

/** Checks that every balance is the sum of its postings, that no version is missing, and that no floor was broken. */
export async function auditBalances(
  trx: Database,
  findings: Findings,
  postings: Postings,
): Promise<{ accounts: bigint; postings: bigint }> {
  const { rows } = await sql<{ postings: bigint; accounts: bigint; wrong: bigint }>`
    select count(*) as postings, count(*) filter (where newest) as accounts, count(*) filter (where wrong) as wrong
    from (${comparePostings(postings)}) as step`.execute(trx)
  const count = rows[0] ?? { postings: 0n, accounts: 0n, wrong: 0n }
  if (count.wrong > 0n) {
    const examples = await sql<{ example: string }>`
      select format('account %s at version %s', account, version) as example
      from (${comparePostings(postings)}) as step where wrong limit ${EXAMPLES}`.execute(trx)
    findings.addMany(
      'a balance is not the sum of its postings',
      count.wrong,
      examples.rows.map(({ example }) => example),
    )
  }
  return { accounts: count.accounts, postings: count.postings }
}

/**
 * Compares each posting with the previous one of its account, and the newest one with the account row. A partition has
 * all postings of its accounts. A window of transactions has only some: if the previous posting is not in the window, it
 * is looked up. If the account has a later posting, that one is compared in its own window.
 */
const comparePostings = (postings: Postings) => sql`
  select run.account, run.version, run.newest,
    (run.version = coalesce(earlier.version, run.version_before, 0) + 1
     and run.balance_after = coalesce(earlier.balance_after, run.balance_before, 0) + run.amount
     and (run.balance_after >= 0 or run.account >> 8 & 63 <> all (${flooredKinds}))
     and (not run.newest
          or held.version = run.version and held.balance::text = run.balance_after::text
             and held.floor::text is not distinct from case when run.account >> 8 & 63 = any (${flooredKinds}) then '0' end
          or held.version > run.version and exists (
               select from lode.posting
               where member = run.member and account = run.account and version = run.version + 1))) is not true as wrong
  from (
    select member, account, version, amount, balance_after,
           lag(version) over its as version_before, lag(balance_after) over its as balance_before,
           lead(version) over its is null as newest
    from (${postings}) as posting
    window its as (partition by member, account order by version)
  ) as run
  left join lateral (
    select version, balance_after from lode.posting
    where run.version > 1 and run.version_before is distinct from run.version - 1
      and posting.member = run.member and posting.account = run.account and posting.version = run.version - 1
  ) earlier on true
  left join lateral (
    select * from lode.ledger_account where run.newest and ledger_account.id = run.account limit 1
  ) held on true`

/** Checks that every account has a posting: `accounts` is the number of accounts that have some. Returns the number. */
export async function auditAccountCount(trx: Database, findings: Findings, accounts: bigint): Promise<bigint> {
  const { rows: counted } = await sql<{ count: bigint }>`
    select count(*) as count from lode.ledger_account`.execute(trx)
  const stored = counted[0]?.count ?? 0n
  if (stored === accounts) return stored
  const { rows } = await sql<{ id: bigint }>`
    select id from lode.ledger_account
    where not exists (
      select from lode.posting where posting.member = greatest(ledger_account.id >> 14, 0) and posting.account = ledger_account.id)
    limit ${EXAMPLES}`.execute(trx)
  findings.addMany(
    'the number of accounts does not match the postings',
    stored > accounts ? stored - accounts : accounts - stored,
    rows.map(({ id }) => `account ${id}`),
  )
  return stored
}

/** Checks that each account row of a slice has the version and the balance of a posting. Returns their number. */
export async function auditAccountRows(trx: Database, findings: Findings, range: NumberRange): Promise<bigint> {
  const compared = sql`
    select held.id,
      (newest.balance_after::text = held.balance::text
       and held.floor::text is not distinct from case when held.id >> 8 & 63 = any (${flooredKinds}) then '0' end) is not true as wrong
    from lode.ledger_account as held
    left join lode.posting as newest
      on newest.member = greatest(held.id >> 14, 0) and newest.account = held.id and newest.version = held.version
    where held.id between ${range.first} and ${range.last}`
  const { rows } = await sql<{ accounts: bigint; wrong: bigint; examples: string[] }>`
    select count(*) as accounts, count(*) filter (where wrong) as wrong,
           coalesce((array_agg(format('account %s', id)) filter (where wrong))[:${EXAMPLES}], '{}') as examples
    from (${compared}) as compared`.execute(trx)
  const [count] = rows
  if (!count) return 0n
  findings.addMany('an account does not have the balance of its newest posting', count.wrong, count.examples)
  return count.accounts
}

export async function auditTotals(trx: Database, findings: Findings): Promise<void> {
  const { rows } = await sql<{ asset: number; total: string }>`
    select (id >> 6 & 3)::int as asset, sum(balance) as total from lode.ledger_account
    group by 1 having sum(balance) <> 0`.execute(trx)
  for (const { asset, total } of rows) findings.add('the ledger does not sum to zero', `asset ${asset}: ${total}`)
}

/** Checks that every suspense holder has an account, and every suspense account a holder. */
export async function auditHolders(trx: Database, findings: Findings, slice: Owners): Promise<void> {
  const { distance, suspenseAccounts } = slice
  const { rows } = await sql<{ example: string }>`
    select format('holder %s', holder.owner) as example from lode.suspense_holder holder
    where abs(holder.owner) between ${distance.first} and ${distance.last} and not exists (
      select from lode.ledger_account where id >= holder.owner << 14 and id < (holder.owner + 1) << 14)
    union all
    select format('account %s', id) from lode.ledger_account
    where id < 0 and id between ${suspenseAccounts.first} and ${suspenseAccounts.last}
      and not exists (select from lode.suspense_holder where owner = id >> 14)
    limit ${EXAMPLES}`.execute(trx)
  for (const { example } of rows) findings.add('a suspense holder and its accounts do not match', example)
}
