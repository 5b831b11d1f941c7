import type { AssetName, Rows } from './books.ts'

/** Orders with everything that followed from them. Times are in milliseconds. */
export type OrderBooks = {
  readonly orders: readonly OrderRow[]
  readonly rewards: readonly RewardRow[]
  /** Sharing experts and partners, with their airdrops. */
  readonly appointed: readonly AppointedRow[]
  /** By member number. */
  readonly people: ReadonlyMap<bigint, MemberRow>
}

export type OrderRow = {
  readonly id: string
  readonly member: bigint
  readonly type: number
  readonly plan: number
  readonly asset: AssetName
  readonly amount: bigint
  /** The part from the balance; the rest is paid online. */
  readonly part: bigint
  readonly madeAt: number
  readonly deadline: number | null
  readonly level: number | null
  readonly power: number
  readonly airdrop: bigint
  /** For a pledge: its days, the term's basis points, and its weight. */
  readonly term: { readonly days: number; readonly points: number; readonly weight: bigint } | null
  readonly isCancelled: boolean
  readonly ended: 'success' | 'failed' | null
  readonly failure: string | null
  /** `<transaction>:<log index>` of the payment. */
  readonly paidBy: string | null
  readonly settlement: bigint | null
  readonly endedAt: number | null
  readonly toMining: bigint | null
  readonly airdropPaid: boolean | null
}

export type RewardRow = {
  readonly member: bigint
  readonly order: string
  readonly type: 'promotionReward' | 'upLevelReward' | 'agentReward'
  readonly layer: number | null
  readonly points: number
  readonly amount: bigint
  readonly failed: string | null
  readonly isClaimed: boolean
}

type AppointedRow = {
  readonly as: 'expert' | 'partner'
  readonly member: bigint
  readonly plan: number
  readonly airdrop: bigint
  readonly airdropPaid: boolean | null
}

export type MemberRow = {
  readonly id: bigint
  readonly account: string
  readonly sponsor: bigint | null
  readonly parent: bigint | null
  readonly branch: number | null
  /** The values in the database, to be compared with the model. */
  readonly written: MemberFigures
}

export type MemberFigures = {
  readonly level: number
  readonly power: number
  readonly investment: bigint
  readonly income: bigint
  readonly rewards: number
  readonly isActivated: boolean
  readonly invites: number
  /** By layer and branch. */
  readonly activated: readonly number[]
  readonly performance: bigint
}

export async function readOrderBooks(rows: Rows): Promise<OrderBooks> {
  type Order = Record<'id' | 'member_id' | 'amount' | 'balance_part', string> &
    Record<'power' | 'airdrop' | 'paid_by' | 'settlement' | 'to_mining' | 'failure', string | null> &
    Record<'type' | 'plan_version', number> &
    Pick<OrderRow, 'asset' | 'level' | 'ended'> & {
      made_at: Date
      deadline: Date | null
      ended_at: Date | null
      term_days: number | null
      term_weight: number | null
      weight: string | null
      is_cancelled: boolean
      airdrop_paid: boolean | null
    }
  const orders = await rows<Order>(`
    select id, member_id, type, plan_version, asset, amount, balance_part, made_at, deadline, level, power, airdrop,
           term_days, term_weight, weight, cancelled_at is not null as is_cancelled, ended, ended_at, failure, settlement, to_mining, airdrop_paid,
           '0x' || encode(paid_tx, 'hex') || ':' || paid_log_index as paid_by
    from lode.pay_order order by number`)
  type Reward = Record<'member_id' | 'order_id' | 'amount', string> &
    Pick<RewardRow, 'type' | 'layer' | 'failed'> & { basis_points: number; is_claimed: boolean }
  const rewards = await rows<Reward>(`
    select member_id, order_id, type, layer, basis_points, amount, failed, claimed_at is not null as is_claimed
    from lode.reward order by id`)
  type Appointed = Record<'member_id' | 'airdrop', string> &
    Pick<AppointedRow, 'as'> & { plan_version: number; airdrop_paid: boolean | null }
  const appointed = await rows<Appointed>(`
    select 'expert' as as, member_id, plan_version, airdrop, airdrop_paid from lode.sharing_expert
    union all select 'partner', member_id, plan_version, airdrop, airdrop_paid from lode.partner`)
  type Someone = Record<'id' | 'account' | 'power' | 'investment' | 'income' | 'performance', string> &
    Record<'sponsor_id' | 'parent_id', string | null> &
    Record<'level' | 'rewards' | 'invites', number> & {
      branch: number | null
      activated: number[]
      is_activated: boolean
    }
  const people = await rows<Someone>(`
    select id, '0x' || encode(account, 'hex') as account, sponsor_id, parent_id, branch, level,
           coalesce(power, 0) as power, coalesce(investment, 0) as investment, coalesce(income, 0) as income,
           coalesce(rewards, 0) as rewards, place.activated as is_activated, effective_invites as invites,
           activated_counts as activated, performance
    from lode.member
    join lode.team_place place on place.member_id = id
    left join lode.promotion_tally tally on tally.member_id = id`)
  return {
    orders: orders.map((row) => ({
      id: row.id,
      member: BigInt(row.member_id),
      type: row.type,
      plan: row.plan_version,
      asset: row.asset,
      amount: BigInt(row.amount),
      part: BigInt(row.balance_part),
      madeAt: row.made_at.getTime(),
      deadline: row.deadline?.getTime() ?? null,
      level: row.level,
      power: Number(row.power ?? 0),
      airdrop: BigInt(row.airdrop ?? 0),
      isCancelled: row.is_cancelled,
      ended: row.ended,
      failure: row.failure,
      paidBy: row.paid_by,
      settlement: numberOf(row.settlement),
      toMining: numberOf(row.to_mining),
      airdropPaid: row.airdrop_paid,
      endedAt: row.ended_at?.getTime() ?? null,
      term:
        row.term_days === null
          ? null
          : { days: row.term_days, points: row.term_weight ?? 0, weight: BigInt(row.weight ?? 0) },
    })),
    rewards: rewards.map((row) => ({
      member: BigInt(row.member_id),
      order: row.order_id,
      type: row.type,
      layer: row.layer,
      points: row.basis_points,
      amount: BigInt(row.amount),
      failed: row.failed,
      isClaimed: row.is_claimed,
    })),
    appointed: appointed.map((row) => ({
      as: row.as,
      member: BigInt(row.member_id),
      plan: row.plan_version,
      airdrop: BigInt(row.airdrop),
      airdropPaid: row.airdrop_paid,
    })),
    people: new Map(
      people.map((row) => [
        BigInt(row.id),
        {
          id: BigInt(row.id),
          account: row.account,
          sponsor: numberOf(row.sponsor_id),
          parent: numberOf(row.parent_id),
          branch: row.branch,
          written: {
            level: row.level,
            power: Number(row.power),
            investment: BigInt(row.investment),
            income: BigInt(row.income),
            rewards: row.rewards,
            isActivated: row.is_activated,
            invites: row.invites,
            activated: row.activated,
            performance: BigInt(row.performance),
          },
        },
      ]),
    ),
  }
}

const numberOf = (text: string | null): bigint | null => (text === null ? null : BigInt(text))
