import { collectFindings } from '../../platform/db/collect-findings.ts'
import type { Database } from '../../platform/db/database.ts'
import { codeOf } from '../ledger/index.ts'

const CHECKS = {
  // An account number is owner << 14 | kind << 8 | asset << 6 | stripe.
  'has other frozen balances than its open orders add up to': `
    select coalesce(held.member, open.member) as id
    from (
      select id >> 14 as member, (id >> 6) & 3 as asset, balance from lode.ledger_account where (id >> 8) & 63 = ${codeOf('kind.frozenOrder')}
    ) held
    full join (
      select member_id as member, case asset when 'USDT' then 1 else 2 end::bigint as asset, sum(balance_part) as parts
      from lode.pay_order where ended is null group by 1, 2
    ) open on open.member = held.member and open.asset = held.asset
    where coalesce(held.balance, 0) <> coalesce(open.parts, 0)`,
  'has an order that succeeded and is not in the ledger': `
    select member_id as id from lode.pay_order
    where ended = 'success' and not exists (
      select from lode.ledger_transaction
      where member = case when paid_tx is null then member_id else 0 end
        and ledger_transaction.type = case
          when pay_order.type = ${codeOf('order.promotion')} and paid_tx is null then ${codeOf('type.promotionByBalance')}
          when pay_order.type = ${codeOf('order.promotion')} then ${codeOf('type.promotionPaid')}
          when paid_tx is null then ${codeOf('type.pledgeByBalance')} else ${codeOf('type.pledgePaid')} end
        and key = case when paid_tx is null then 'order:' || pay_order.id || ':settle'
                       else 'chain:' || (select chain_id from lode.chain_state) || ':0x' || encode(paid_tx, 'hex')
                            || ':' || paid_log_index end)`,
  'has an order whose balance part was never frozen, or was not unfrozen when it failed': `
    select member_id as id from lode.pay_order
    where balance_part > 0 and (
      not exists (select from lode.ledger_transaction where member = member_id and key = 'order:' || pay_order.id)
      or ended = 'failed' and not exists (
        select from lode.ledger_transaction where member = member_id and key = 'order:' || pay_order.id || ':release'))`,
} as const

/** Returns the differences between the orders and the ledger. */
export const orderFindings = (db: Database): Promise<string[]> => collectFindings(db, CHECKS)
