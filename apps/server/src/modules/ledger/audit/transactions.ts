import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { assetCodes } from '../chart.ts'
import type { NumberRange } from '../seal-chain.ts'
import type { Findings } from './findings.ts'

/**
 * Checks that every transaction of a window sums to zero in each asset and moves only what its type may move, and that
 * every posting belongs to a transaction.
 */
export async function auditTransactions(
  trx: Database,
  findings: Findings,
  { first, last }: NumberRange,
): Promise<{ transactions: bigint; postings: bigint }> {
  let transactions = 0n
  let postings = 0n
  const { rows } = await checkTransactionsSql(first, last).execute(trx)
  for (const { message, count, example, kind } of rows) {
    if (kind === 'transactions') transactions += count
    else if (kind === 'postings') postings += count
    else findings.addMany(message, count, [example])
  }
  return { transactions, postings }
}

type AuditRow = { kind: 'transactions' | 'postings' | 'finding'; message: string; count: bigint; example: string }

/** An account number is owner << 14 | kind << 8 | asset << 6 | stripe (account-number.ts). */
const checkTransactionsSql = (first: bigint, last: bigint) => sql<AuditRow>`
  with window_posting as materialized (
    select posting.*, kind.code as kind, kind.holder, kind.log, kind.assets, posting.account >> 14 as owner,
           (posting.account >> 6 & 3)::smallint as asset
    from lode.posting
    left join lode.ledger_kind kind on kind.code = posting.account >> 8 & 63
    where posting.transaction between ${first} and ${last}
  ),
  window_transaction as materialized (
    select * from lode.ledger_transaction where id between ${first} and ${last}
  ),
  checked_transaction as (
    select window_transaction.id,
      rule.code is null as unknown_type,
      (window_transaction.member >= 0 and octet_length(window_transaction.input_hash) = 32
       and case rule.key_space when 'member' then window_transaction.member > 0
                          else window_transaction.member = 0 and starts_with(window_transaction.key, rule.key_space || ':') end) is not true as wrong_key,
      (coalesce(sum(amount) filter (where asset = ${assetCodes.USDT}), 0) = 0 and coalesce(sum(amount) filter (where asset = ${assetCodes.BTN}), 0) = 0
       and coalesce(sum(amount) filter (where asset = ${assetCodes.BTC}), 0) = 0 and count(window_posting.transaction) >= 2) is not true as unbalanced,
      bool_and(kind = any (case when amount < 0 then rule.debits else rule.credits end) and asset = any (assets)
               and amount <> 0 and scale(amount) = 0 and scale(balance_after) = 0) is not true as forbidden,
      bool_and(window_posting.member = greatest(owner, 0)
               and case holder when 'member' then owner > 0 when 'system' then owner = 0 else owner < 0 end) is not true as misfiled,
      bool_and((log is null) = (line is null)) is not true as wrong_log_line,
      (count(distinct owner) filter (where holder = 'member' and not (rule.credits_others and amount > 0)) <= 1
       and (window_transaction.member = 0 or coalesce(min(owner) filter (
              where holder = 'member' and not (rule.credits_others and amount > 0)), window_transaction.member) = window_transaction.member)) is not true as wrong_member
    from window_transaction
    left join lode.ledger_type rule on rule.code = window_transaction.type
    left join window_posting on window_posting.transaction = window_transaction.id
    group by window_transaction.id, window_transaction.member, window_transaction.input_hash, window_transaction.key, rule.code, rule.key_space
  ),
  orphan as (
    select account, version, transaction from window_posting
    where not exists (select from window_transaction where window_transaction.id = window_posting.transaction)
  )
  select 'transactions' as kind, '' as message, count(*) as count, '' as example from window_transaction
  union all select 'postings', '', count(*), '' from window_posting
  union all select 'finding', problem, count(*), format('transaction %s', min(id))
  from checked_transaction cross join lateral unnest(array[
    case when unknown_type then 'a transaction has an unknown type' end,
    case when wrong_key then 'a transaction has a key that its type cannot have' end,
    case when unbalanced then 'a transaction does not sum to zero' end,
    case when forbidden then 'a transaction has a posting that its type or account kind does not allow' end,
    case when misfiled then 'a posting is stored under another member' end,
    case when wrong_log_line then 'a posting lacks its log line, or has one that it must not have' end,
    case when wrong_member then 'a transaction changed an account of a member that it may not change' end
  ]) as problem
  where problem is not null group by problem
  union all select 'finding', 'a posting belongs to no transaction', count(*),
    format('account %s version %s transaction %s', min(account), min(version), min(transaction))
  from orphan having count(*) > 0`
