import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { kinds } from '../chart.ts'
import { EXAMPLES, type Findings } from './findings.ts'

const flooredKinds = Object.values(kinds)
  .filter((kind) => kind.floored)
  .map(({ code }) => code as number)

/** Checks that every balance is the sum of its postings, that no version is missing, and that no floor was broken. */
export async function auditAccounts(
  trx: Database,
  findings: Findings,
): Promise<{ accounts: bigint; postings: bigint }> {
  let accounts = 0n
  let postings = 0n
  for (const partition of await listPartitions(trx, 'posting')) {
    const { rows } = await replayPartition(partition).execute(trx)
    const [count] = rows
    if (!count) continue
    accounts += count.accounts
    postings += count.postings
    if (count.wrong > 0n) {
      const examples = await sql<{ example: string }>`
        select format('account %s at version %s', account, version) as example from (${comparePostings(partition)}) as step
        where wrong limit ${EXAMPLES}`.execute(trx)
      findings.addMany(
        'a balance is not the sum of its postings',
        count.wrong,
        examples.rows.map(({ example }) => example),
      )
    }
  }
  const storedAccounts = await countAccounts(trx)
  if (storedAccounts !== accounts) await findStrayAccounts(trx, findings, storedAccounts - accounts)
  await auditTotals(trx, findings)
  await auditHolders(trx, findings)
  return { accounts: storedAccounts, postings }
}

export async function listPartitions(trx: Database, table: string): Promise<string[]> {
  const { rows } = await sql<{ leaf: string }>`
    select relname as leaf from pg_partition_tree(${`lode.${table}`}::regclass) join pg_class on oid = relid
    where isleaf order by oid`.execute(trx)
  return rows.map(({ leaf }) => leaf)
}

const replayPartition = (partition: string) => sql<{ postings: bigint; accounts: bigint; wrong: bigint }>`
  select count(*) as postings, count(*) filter (where newest) as accounts, count(*) filter (where wrong) as wrong
  from (${comparePostings(partition)}) as step`

/** Compares each posting with the previous one of its account, and the newest one with the account row. */
const comparePostings = (partition: string) => sql`
  select run.account, run.version, run.newest,
    (run.version = run.version_before + 1
     and run.balance_after = run.balance_before + run.amount
     and (run.balance_after >= 0 or run.account >> 8 & 63 <> all (${flooredKinds}))
     and (not run.newest
          or held.version = run.version and held.balance::text = run.balance_after::text
             and held.floor::text is not distinct from case when run.account >> 8 & 63 = any (${flooredKinds}) then '0' end)) is not true as wrong
  from (
    select account, version, amount, balance_after,
           lag(version, 1, 0::bigint) over its as version_before,
           lag(balance_after, 1, 0::numeric) over its as balance_before,
           lead(version) over its is null as newest
    from ${sql.id('lode', partition)}
    window its as (partition by member, account order by version)
  ) as run
  left join lateral (
    select * from lode.ledger_account where run.newest and ledger_account.id = run.account limit 1
  ) held on true`

async function countAccounts(trx: Database): Promise<bigint> {
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from lode.ledger_account`.execute(trx)
  return rows[0]?.count ?? 0n
}

async function findStrayAccounts(trx: Database, findings: Findings, count: bigint): Promise<void> {
  const { rows } = await sql<{ id: bigint }>`
    select id from lode.ledger_account
    where not exists (
      select from lode.posting where posting.member = greatest(ledger_account.id >> 14, 0) and posting.account = ledger_account.id)
    limit ${EXAMPLES}`.execute(trx)
  const size = count > 0n ? count : -count
  findings.addMany(
    'the number of accounts does not match the postings',
    size,
    rows.map(({ id }) => `account ${id}`),
  )
}

async function auditTotals(trx: Database, findings: Findings): Promise<void> {
  const { rows } = await sql<{ asset: number; total: string }>`
    select (id >> 6 & 3)::int as asset, sum(balance) as total from lode.ledger_account
    group by 1 having sum(balance) <> 0`.execute(trx)
  for (const { asset, total } of rows) findings.add('the ledger does not sum to zero', `asset ${asset}: ${total}`)
}

/** Checks that every suspense holder has an account, and every suspense account a holder. */
async function auditHolders(trx: Database, findings: Findings): Promise<void> {
  const { rows } = await sql<{ example: string }>`
    select format('holder %s', holder.owner) as example from lode.suspense_holder holder
    where not exists (
      select from lode.ledger_account where id >= holder.owner << 14 and id < (holder.owner + 1) << 14)
    union all
    select format('account %s', id) from lode.ledger_account
    where id < 0 and not exists (select from lode.suspense_holder where owner = id >> 14)
    limit ${EXAMPLES}`.execute(trx)
  for (const { example } of rows) findings.add('a suspense holder and its accounts do not match', example)
}
