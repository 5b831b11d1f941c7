import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { assetCodes } from '../chart.ts'
import type { Findings } from './findings.ts'

const WINDOW = 20_000
const EVERYTHING = 9_223_372_036_854_775_807n

/**
 * Checks that every transaction sums to zero in each asset and moves only what its type may move. The windows cover all
 * possible numbers, so that a posting without a transaction is found too.
 */
export async function auditTransactions(
  inside: Database,
  findings: Findings,
): Promise<{ transactions: bigint; postings: bigint }> {
  let transactions = 0n
  let postings = 0n
  for (let after = -EVERYTHING; after < EVERYTHING; ) {
    const upTo = await endOfWindow(inside, after)
    const { rows } = await judged(after + 1n, upTo).execute(inside)
    for (const { wrong, count, example, kind } of rows) {
      if (kind === 'transactions') transactions += count
      else if (kind === 'postings') postings += count
      else findings.addMany(wrong, count, [example])
    }
    after = upTo
  }
  return { transactions, postings }
}

async function endOfWindow(inside: Database, after: bigint): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    select id from lode.ledger_transaction where id > ${after} order by id offset ${WINDOW - 1} limit 1`.execute(inside)
  return rows[0]?.id ?? EVERYTHING
}

type Judged = { kind: 'transactions' | 'postings' | 'wrong'; wrong: string; count: bigint; example: string }

const judged = (first: bigint, last: bigint) => sql<Judged>`
  with its_posting as materialized (
    select posting.*, kind.code as kind, kind.holder, kind.log, kind.assets, posting.account >> 14 as owner,
           (posting.account >> 6 & 3)::smallint as asset
    from lode.posting
    left join lode.ledger_kind kind on kind.code = posting.account >> 8 & 63
    where posting.transaction between ${first} and ${last}
  ),
  head as materialized (
    select * from lode.ledger_transaction where id between ${first} and ${last}
  ),
  whole as (
    select head.id,
      rule.code is null as untyped,
      (head.member >= 0 and octet_length(head.input_hash) = 32
       and case rule.key_space when 'member' then head.member > 0
                          else head.member = 0 and starts_with(head.key, rule.key_space || ':') end) is not true as unkeyed,
      (coalesce(sum(amount) filter (where asset = ${assetCodes.USDT}), 0) = 0 and coalesce(sum(amount) filter (where asset = ${assetCodes.BTN}), 0) = 0
       and coalesce(sum(amount) filter (where asset = ${assetCodes.BTC}), 0) = 0 and count(its_posting.transaction) >= 2) is not true as unbalanced,
      bool_and(kind = any (case when amount < 0 then rule.debits else rule.credits end) and asset = any (assets)
               and amount <> 0 and scale(amount) = 0 and scale(balance_after) = 0) is not true as forbidden,
      bool_and(its_posting.member = greatest(owner, 0)
               and case holder when 'member' then owner > 0 when 'system' then owner = 0 else owner < 0 end) is not true as misfiled,
      bool_and((log is null) = (line is null)) is not true as unlogged,
      (count(distinct owner) filter (where holder = 'member' and not (rule.credits_others and amount > 0)) <= 1
       and (head.member = 0 or coalesce(min(owner) filter (
              where holder = 'member' and not (rule.credits_others and amount > 0)), head.member) = head.member)) is not true as foreign_money
    from head
    left join lode.ledger_type rule on rule.code = head.type
    left join its_posting on its_posting.transaction = head.id
    group by head.id, head.member, head.input_hash, head.key, rule.code, rule.key_space
  ),
  orphan as (
    select account, version, transaction from its_posting
    where not exists (select from head where head.id = its_posting.transaction)
  )
  select 'transactions' as kind, '' as wrong, count(*) as count, '' as example from head
  union all select 'postings', '', count(*), '' from its_posting
  union all select 'wrong', problem, count(*), format('transaction %s', min(id))
  from whole cross join lateral unnest(array[
    case when untyped then 'a transaction is of no known type' end,
    case when unkeyed then 'a transaction has a key that its type cannot have' end,
    case when unbalanced then 'a transaction does not sum to zero' end,
    case when forbidden then 'a transaction moved what its type may not move' end,
    case when misfiled then 'a posting is filed under somebody else' end,
    case when unlogged then 'a movement that a member can see has no log line' end,
    case when foreign_money then 'a transaction touched several members' end
  ]) as problem
  where problem is not null group by problem
  union all select 'wrong', 'a posting belongs to no transaction', count(*),
    format('account %s version %s transaction %s', min(account), min(version), min(transaction))
  from orphan having count(*) > 0`
