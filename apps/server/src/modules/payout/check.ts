import { assets } from '@lode/kernel'
import { collectFindings } from '../../platform/db/collect-findings.ts'
import type { Database } from '../../platform/db/database.ts'
import { codeOf } from '../ledger/index.ts'

/** SQL: the asset's code in account numbers. */
const ASSET_CODE = `case payout.asset ${assets.map((asset) => `when '${asset}' then ${codeOf(`asset.${asset}`)}`).join(' ')} end::bigint`

/** SQL: the key of the ledger transaction that sets a payout's money aside. */
const OWN_KEY = `payout.kind || ':' || payout.id`

const CHECKS = {
  // An account number is owner << 14 | kind << 8 | asset << 6 | stripe.
  'has other money frozen than its open transfers add up to': `
    select coalesce(held.member, open.member) as id
    from (
      select id >> 14 as member, (id >> 6) & 3 as asset, balance from lode.ledger_account
      where (id >> 8) & 63 = ${codeOf('kind.frozenOut')}
    ) held
    full join (
      select member_id as member, ${ASSET_CODE} as asset, sum(amount + fee) as amount
      from lode.payout where ended is null and kind = 'transfer' group by 1, 2
    ) open on open.member = held.member and open.asset = held.asset
    where coalesce(held.balance, 0) <> coalesce(open.amount, 0)`,
  '(the pool) has other money set aside than its open payments add up to': `
    select 0 as id
    from (
      select (id >> 8) & 63 as kind, (id >> 6) & 3 as asset, sum(balance) as balance from lode.ledger_account
      where (id >> 8) & 63 in (${codeOf('kind.pool:paying')}, ${codeOf('kind.suspense:returning')}) group by 1, 2
    ) held
    full join (
      select case kind when 'treasury' then ${codeOf('kind.pool:paying')} else ${codeOf('kind.suspense:returning')} end::bigint as kind,
             ${ASSET_CODE} as asset, sum(amount) as amount
      from lode.payout where ended is null and kind <> 'transfer' group by 1, 2
    ) open on open.kind = held.kind and open.asset = held.asset
    where coalesce(held.balance, 0) <> coalesce(open.amount, 0)`,
  'has a payout whose money was never set aside in the ledger': `
    select coalesce(member_id, 0) as id from lode.payout
    where not exists (
      select from lode.ledger_transaction where member = coalesce(payout.member_id, 0) and key = ${OWN_KEY})`,
  'has a payout that ended, and the ledger does not know it': `
    select coalesce(member_id, 0) as id from lode.payout
    where ended is not null and not exists (
      select from lode.ledger_transaction
      where member = case when ended = 'final' then 0 else coalesce(payout.member_id, 0) end
        and key = case when ended = 'final' then 'chain:' || (select chain_id from lode.chain_state) || ':0x'
                                                || encode(paid_tx, 'hex') || ':' || paid_log_index
                       when kind = 'transfer' then ${OWN_KEY} || ':release' else ${OWN_KEY} || ':undone' end)`,
} as const

/** Returns the differences between the payouts and the ledger. */
export const payoutFindings = (db: Database): Promise<string[]> => collectFindings(db, CHECKS)
