import { type Asset, assets, formatAmount, type Units, units } from '@lode/kernel'
import { allocationParts, type DataOf, orderTypes, type RewardFailure, type RewardType } from '@lode/wire'
import { sql } from 'kysely'
import { addressFromColumn, addressTail } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import type { OpaqueIds } from '../../platform/http/opaque-ids.ts'
import { cutPage, rowsToRead } from '../../platform/http/page.ts'
import { buildLineId, readBalances, readBalancesAfterOperations, readSystemBalance } from '../ledger/index.ts'
import { type OrderDisplayOptions, readOpenOrder } from '../orders/index.ts'
import { levelAt, type Plan } from '../plan/index.ts'
import { computePreview } from './rules.ts'

type Decimals = OrderDisplayOptions['decimals']
type Overview = DataOf<'promotion/overview'>

export async function readOverview(
  db: Database,
  member: bigint,
  plan: Plan | null,
  showing: OrderDisplayOptions,
): Promise<Overview> {
  const { decimals } = showing
  // Read before the level. If the order is settled in between, the answer has both the order and the new level. In the
  // other sequence it would have neither, and the level would be offered again.
  const open = await readOpenOrder(db, member, orderTypes.promotion, showing)
  const usdt = (amount: bigint) => formatUnits('USDT', units('USDT', amount), decimals)
  const { rows } = await sql<{
    now: Date
    level: number
    power: string
    investment: string
    income: string
    rewards: number
    expert: boolean
    referrals: number
    effective: number
  }>`
    select lode.now() as now, member.level, coalesce(tally.power, 0) as power,
           coalesce(tally.investment, 0) as investment, coalesce(tally.income, 0) as income,
           coalesce(tally.rewards, 0) as rewards, expert.member_id is not null as expert,
           (select count(*)::int from lode.member invited where invited.sponsor_id = member.id) as referrals,
           place.effective_invites as effective
    from lode.member
    join lode.team_place place on place.member_id = member.id
    left join lode.promotion_tally tally on tally.member_id = member.id
    left join lode.sharing_expert expert on expert.member_id = member.id
    where member.id = ${member}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`member ${member} has no place`)
  const held = (await readBalances(db, member)).USDT
  return {
    at: row.now.toISOString(),
    level: row.level,
    power: Number(row.power),
    investment: usdt(BigInt(row.investment)),
    directReferrals: row.referrals,
    effectiveInvites: row.effective,
    rewards: { count: row.rewards, atMost: plan ? levelAt(plan, row.level).rewardsAtMost : 0 },
    income: usdt(BigInt(row.income)),
    thanksgiving: { expert: row.expert, pending: usdt(held.agentUnclaimed) },
    available: usdt(held.available),
    plan: plan && {
      version: plan.version,
      levels: plan.levels.map((_, level) => formatLevel(plan, level, decimals)),
      next: await formatNextLevel(db, plan, row.level + 1, decimals),
    },
    open,
  }
}

function formatLevel(plan: Plan, level: number, decimals: Decimals) {
  const { price, power, airdrop, rewardsAtMost, quotas } = levelAt(plan, level)
  const [usdt, btn, btc] = assets.map((asset) => formatUnits(asset, quotas[asset], decimals))
  return {
    level,
    price: formatUnits('USDT', price, decimals),
    power,
    airdrop: formatUnits('BTN', airdrop, decimals),
    rewardsAtMost,
    quotas: { USDT: usdt ?? '0', BTN: btn ?? '0', BTC: btc ?? '0' },
  }
}

async function formatNextLevel(db: Database, plan: Plan, level: number, decimals: Decimals) {
  const next = plan.levels[level]
  if (!next) return null
  const shares = computePreview(plan, next.price)
  const reserve = await readSystemBalance(db, level === 1 ? 'reserve:airdrop' : 'reserve:promotion', 'BTN')
  return {
    level,
    price: formatUnits('USDT', next.price, decimals),
    shares: allocationParts.map((part) => ({
      part,
      basisPoints: plan.allocation[part],
      amount: formatUnits('USDT', shares[part], decimals),
    })),
    airdropFunded: reserve >= next.airdrop,
  }
}

const formatUnits = <A extends Asset>(asset: A, amount: Units<A>, decimals: Decimals): string =>
  formatAmount(amount, decimals[asset])

/** Rewards that a member missed for one reason. */
export type MissedRewards = { readonly reason: RewardFailure; readonly count: number; readonly amount: Units<'USDT'> }

/** What a member missed within a time, by reason. The index `reward_missed` has all that it reads. */
export async function readMissedRewards(
  db: Database,
  member: bigint,
  { from, until }: { readonly from: Date; readonly until: Date },
): Promise<MissedRewards[]> {
  const { rows } = await sql<{ reason: RewardFailure; count: number; amount: string }>`
    select failed as reason, count(*)::int as count, sum(amount) as amount
    from lode.reward
    where member_id = ${member} and failed is not null and at >= ${from} and at < ${until}
    group by failed`.execute(db)
  return rows.map((row) => ({ ...row, amount: units('USDT', BigInt(row.amount)) }))
}

/** The day of a member's first missed reward; null if none was missed. */
export async function readFirstMissedDay(db: Database, member: bigint): Promise<number | null> {
  const { rows } = await sql<{ day: number | null }>`
    select lode.day_of(min(at)) as day from lode.reward where member_id = ${member} and failed is not null`.execute(db)
  return rows[0]?.day ?? null
}

export type RewardsPage = {
  readonly status?: 'failed' | 'claim' | 'unClaim'
  readonly type?: RewardType
  /** The id of the last record of the previous page. */
  readonly before?: bigint
  readonly limit: number
}

const statusConditions = {
  failed: sql`and reward.failed is not null`,
  claim: sql`and reward.failed is null and (reward.type <> 'agentReward' or reward.claimed_at is not null)`,
  unClaim: sql`and reward.failed is null and reward.type = 'agentReward' and reward.claimed_at is null`,
} as const

const NOT_CREDITED = { line: null, balanceAfter: null }

/** A member's rewards, also missed ones, newest first. */
export async function listRewards(
  db: Database,
  member: bigint,
  { status, type, before, limit }: RewardsPage,
  { decimals, ids }: { decimals: Decimals; ids: OpaqueIds },
): Promise<DataOf<'promotion/rewards'>> {
  const { rows } = await sql<{
    id: bigint
    type: RewardType
    layer: number | null
    basis_points: number
    amount: string
    failed: RewardFailure | null
    at: Date
    claimed_at: Date | null
    level: number
    account: Buffer
    operation: string | null
  }>`
    select reward.id, reward.type, reward.layer, reward.basis_points, reward.amount, reward.failed, reward.at,
           reward.claimed_at, pay_order.level, buyer.account,
           -- The operation of the log line that credited it. A claim has its own operation, for all that it credits.
           case when reward.failed is not null then null
                when reward.type <> 'agentReward' then reward.order_id
                else (select claim.operation from lode.reward_claim claim
                      where claim.member_id = reward.member_id and claim.claimed_at = reward.claimed_at limit 1)
           end as operation
    from lode.reward
    join lode.pay_order on pay_order.id = reward.order_id
    join lode.member buyer on buyer.id = pay_order.member_id
    where reward.member_id = ${member}
      ${status === undefined ? sql`` : statusConditions[status]}
      ${type === undefined ? sql`` : sql`and reward.type = ${type}`}
      ${before === undefined ? sql`` : sql`and reward.id < ${before}`}
    order by reward.id desc limit ${rowsToRead(limit)}`.execute(db)
  const { page, next } = cutPage(rows, limit, ({ id }) => id)
  const lines = page.flatMap(({ type, operation }) => (operation === null ? [] : [{ type, operation }]))
  const balances = await readBalancesAfterOperations(db, { member, asset: 'USDT' }, lines)
  const findCredit = ({ type, operation }: (typeof page)[number]) => {
    const line = operation === null ? null : buildLineId(type, operation)
    const balance = line === null ? undefined : balances.get(line)
    return balance === undefined
      ? NOT_CREDITED
      : { line, balanceAfter: formatUnits('USDT', units('USDT', balance), decimals) }
  }
  return {
    items: page.map((row) => ({
      id: ids.encode(member, row.id),
      type: row.type,
      status: row.failed ? 'failed' : row.type === 'agentReward' && !row.claimed_at ? 'unClaim' : 'claim',
      amount: formatAmount(units('USDT', BigInt(row.amount)), decimals.USDT),
      tail: addressTail(addressFromColumn(row.account)),
      level: row.level,
      basisPoints: row.basis_points,
      layer: row.layer,
      at: row.at.toISOString(),
      claimedAt: row.claimed_at?.toISOString() ?? null,
      reason: row.failed,
      ...findCredit(row),
    })),
    next,
  }
}
