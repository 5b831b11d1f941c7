import { sql } from 'kysely'
import { collectFindings } from '../../platform/db/collect-findings.ts'
import type { Database } from '../../platform/db/database.ts'
import { codeOf } from '../ledger/index.ts'

/** The transaction types that pay dividends. */
const DIVIDEND_TYPES = [codeOf('type.pointReward'), codeOf('type.pledgeRest')]
const PARTNER_REWARD_TYPES = [codeOf('type.partnerReward')]

const CHECKS = {
  // An account number is owner << 14 | kind << 8 | asset << 6 | stripe.
  'has another amount of BTN locked than its pledges add up to': `
    select coalesce(held.member, locked.member) as id
    from (select id >> 14 as member, balance from lode.ledger_account where (id >> 8) & 63 = ${codeOf('kind.pledged')}) held
    full join (
      select member_id as member, sum(amount) as amount from lode.pledge where returned_at is null group by 1
    ) locked on locked.member = held.member
    where coalesce(held.balance, 0) <> coalesce(locked.amount, 0)`,
  'has a pledge that differs from its order': `
    select pledge.member_id as id from lode.pledge left join lode.pay_order ordered on ordered.id = pledge.id
    where (ordered.type = ${codeOf('order.pledge')} and ordered.ended = 'success' and ordered.member_id = pledge.member_id
           and ordered.amount = pledge.amount and ordered.weight = pledge.weight
           and pledge.end_day - pledge.start_day = ordered.term_days) is not true`,
  'has a settled pledge order whose pledge is missing': `
    select member_id as id from lode.pay_order
    where type = ${codeOf('order.pledge')} and ended = 'success'
      and not exists (select from lode.pledge where pledge.id = pay_order.id)`,
  'was paid another dividend than its pledges say': comparePaid(DIVIDEND_TYPES, 'lode.pledge'),
  'was paid another dividend than its tally says': comparePaid(DIVIDEND_TYPES, 'lode.dividend_tally'),
  'was paid another partner reward than is recorded': comparePaid(PARTNER_REWARD_TYPES, 'lode.partner_paid'),
  'was paid a share that is not both recorded and in the ledger': `
    select coalesce(posting.member, 0) as id
    from (select id from lode.ledger_transaction where type in (${[...DIVIDEND_TYPES, ...PARTNER_REWARD_TYPES].join(', ')})) entry
    full join lode.share_payment noted on noted.transaction = entry.id
    left join lode.posting on posting.transaction = coalesce(entry.id, noted.transaction) and posting.member > 0
    where entry.id is null or noted.transaction is null`,
} as const

function comparePaid(types: readonly number[], table: string): string {
  return `
    select coalesce(booked.member, noted.member) as id
    from (
      select posting.member, sum(posting.amount) as amount
      from lode.ledger_transaction entry
      join lode.posting on posting.transaction = entry.id and posting.member > 0
      where entry.type in (${types.join(', ')}) group by 1
    ) booked
    full join (select member_id as member, sum(paid) as amount from ${table} group by 1) noted
      on noted.member = booked.member
    where coalesce(booked.amount, 0) <> coalesce(noted.amount, 0)`
}

/** Checks that pledges, their orders, closed days, funding, paid partner rewards and the ledger agree. */
export const pledgeFindings = async (db: Database): Promise<string[]> => [
  ...(await collectFindings(db, CHECKS)),
  ...(await dayFindings(db)),
]

async function dayFindings(db: Database): Promise<string[]> {
  const { rows } = await sql<{ day: number }>`
    select closed.day
    from lode.production_day closed
    left join lode.day_funding used on used.day = closed.day
    left join lode.dividend_funding given on given.tx = used.tx and given.log_index = used.log_index
    group by closed.day
    having coalesce(sum(given.amount), 0) <> closed.admitted + closed.above
    order by closed.day`.execute(db)
  const { rows: counted } = await sql<{ day: number }>`
    select closed.day
    from (select day, weight - lag(weight, 1, 0::numeric) over (order by day) as change from lode.production_day) closed
    left join (
      select day, sum(weight) as weight
      from (
        select start_day as day, weight from lode.pledge union all select end_day, -weight from lode.pledge
      ) changed
      group by day
    ) counted on counted.day = closed.day
    where closed.change <> coalesce(counted.weight, 0)
    order by closed.day`.execute(db)
  return [
    ...rows.map(({ day }) => `day ${day} was closed with another amount than its funding`),
    ...counted.map(({ day }) => `day ${day} was closed with another weight than its pledges add up to`),
  ]
}
