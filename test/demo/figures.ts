import { createHash } from 'node:crypto'
import { query } from '../sim/query.ts'

export type Figures = Readonly<Record<(typeof counted)[number], number>> & {
  /**
   * A hash of every account's balance. The stripes of an account count as one, because which stripe is used is random.
   */
  readonly balances: string
}

const counted = [
  ...(['members', 'activated', 'orders', 'rewards', 'pledges', 'running', 'pledgers', 'transfers'] as const),
  ...(['days', 'quietDays', 'notices', 'plans'] as const),
] as const

const STRIPE_BITS = 6

/** Counts the results of the demo. */
export async function figuresOf(ownerUrl: string): Promise<Figures> {
  const [counts] = await query<Record<(typeof counted)[number], number>>(
    ownerUrl,
    `select (select count(*)::int from lode.member) as members,
            (select count(*)::int from lode.member where level > 0) as activated,
            (select count(*)::int from lode.pay_order) as orders,
            (select count(*)::int from lode.reward) as rewards,
            (select count(*)::int from lode.pledge) as pledges,
            (select count(*)::int from lode.pledge where returned_at is null) as running,
            (select count(distinct member_id)::int from lode.pledge) as pledgers,
            (select count(*)::int from lode.payout where kind = 'transfer') as transfers,
            (select count(*)::int from lode.production_day) as days,
            (select count(*)::int from lode.production_day where admitted + from_carry = 0) as "quietDays",
            (select count(*)::int from lode.notice) as notices,
            (select count(*)::int from lode.plan) as plans`,
  )
  if (!counts) throw new Error('nothing was counted')
  const accounts = await query<{ id: string; balance: string }>(
    ownerUrl,
    `select id >> ${STRIPE_BITS} as id, sum(balance) as balance from lode.ledger_account group by 1 order by 1`,
  )
  const text = accounts.map(({ id, balance }) => `${id} ${balance}\n`).join('')
  return { ...counts, balances: createHash('sha256').update(text).digest('hex') }
}
