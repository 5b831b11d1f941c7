import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/db/database.ts'
import { codeOf, readSystemBalances } from '../ledger/index.ts'
import type { PromotionRow } from '../orders/index.ts'
import type { Plan } from '../plan/index.ts'
import { teamFindings } from '../team/index.ts'
import { claimRewards } from './commands.ts'
import {
  naivePlan,
  newKey,
  openPromotionFixture,
  type PromotionFixture,
  unevenPlan,
} from './testing/promotion-fixture.ts'

const MEMBERS = 5_000
const EVENTS = 1_500
/** Few buyers, so that each buys many levels and they get rewards from each other. */
const BUYERS = 400

/** The allocation without the three rewards: their parts go to the mining fund. */
const WITHOUT = { miningFund: 9_000, promotion: 0, upLevel: 0, agent: 0 }

const fixtures: PromotionFixture[] = []
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.close()
})

async function openFixture(options: Parameters<typeof openPromotionFixture>[0]): Promise<PromotionFixture> {
  const fixture = await openPromotionFixture(options)
  fixtures.push(fixture)
  return fixture
}

/** Mulberry32: the same history for the same seed. */
function randomFrom(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}

describe('a history of promotions', { timeout: 600_000 }, () => {
  it('of thousands of members ends with the same levels, balances, counts and rewards as the simple model', async () => {
    const seed = Number(process.env.PROMOTION_SEED ?? Math.floor(Math.random() * 2 ** 31))
    const below = randomFrom(seed)
    const sponsors = Array.from({ length: MEMBERS }, (_, index) =>
      index === 0 ? null : 1 + below(Math.min(index, [3, 40, index][below(3)] ?? index)),
    )
    // The pool changes its plan, and orders keep the version under which they were made.
    const fixture = await openFixture({
      sponsors,
      plans: [unevenPlan(1), unevenPlan(2, WITHOUT), unevenPlan(3)],
      // Enough for some of the airdrops and not for all of them.
      reserves: { airdrop: 250n * 12_001n + 5n, promotion: 400n * 24_001n },
    })
    const { model } = fixture
    const buyers = Array.from({ length: BUYERS }, (_, place) => 1 + (place < 100 ? place : below(MEMBERS)))
    await fixture.credit(new Map(buyers.map((id) => [id, 20_000_000_000n])))
    const experts = buyers.filter((_, place) => place % 9 === 0)
    for (const id of experts) await fixture.authorise(id)

    let open: PromotionRow[] = []
    const abandoned = new Set<string>()
    const done = { balance: 0, online: 0, closed: 0, claims: 0, refused: 0, noAirdrop: 0 }
    let time = Date.now()
    for (let event = 0; event < EVENTS; event += 1) {
      if (event > 0 && event % 500 === 0) await fixture.publish(fixture.plan().version + 1)
      const id = buyers[below(buyers.length)] ?? 1
      const buyer = model.member(id)
      const level = buyer.level + 1
      const price = fixture.plan().levels[level]?.price
      const kind = below(10)
      if (kind < 4 && price !== undefined) {
        const made = await fixture.order(id, level, price)
        const isOpen = open.some((order) => Number(order.memberId) === id)
        if (typeof made === 'string') {
          expect([made, buyer.usdt < price || isOpen]).toEqual([isOpen ? 'order-open' : 'balance-insufficient', true])
          done.refused += 1
          continue
        }
        buyer.usdt -= price
        buyer.frozen += price
        settle(made)
        done.balance += 1
      } else if (kind < 8 && price !== undefined) {
        const balancePart = below(2) === 0 ? 0n : BigInt(1 + below(Number(price) - 1))
        const made = await fixture.order(id, level, balancePart)
        if (typeof made === 'string') {
          done.refused += 1
          continue
        }
        buyer.usdt -= balancePart
        buyer.frozen += balancePart
        open.push(made)
        if (below(5) === 0) abandoned.add(made.id)
      } else if (kind === 8) {
        // A block with some of the payments, in another order than the orders were made. Quotes last for half an hour,
        // so about two thirds of the blocks still find some to pay.
        time += 1_000 * below(40)
        const payable = open.filter(({ id: order, deadline }) => !abandoned.has(order) && Number(deadline) >= time)
        const paid = payable.sort(() => below(3) - 1).slice(0, 1 + below(12))
        open = open.filter((order) => !paid.includes(order))
        if (paid.length > 0) await fixture.pay(paid, new Date(time))
        paid.forEach(settle)
        done.online += paid.length
        await pass()
      } else {
        // Every other time a member who has rewards to claim, because few of the experts have any.
        const withReward = experts.filter((one) => model.member(one).unclaimed > 0n)
        const asking = below(2) === 0 && withReward.length > 0 ? withReward : experts
        const expert = asking[below(asking.length)] ?? 1
        const before = model.member(expert).unclaimed
        const claimed = await claimRewards({ db: fixture.api, session: fixture.sessionOf(expert) }, { key: newKey() })
        if (before === 0n) expect(claimed).toMatchObject({ error: 'claim-nothing' })
        else expect(claimed).toMatchObject({ value: { amount: String(model.claim(expert)) } })
        done.claims += before === 0n ? 0 : 1
      }
    }

    function settle(order: PromotionRow): void {
      const plan = [unevenPlan(1), unevenPlan(2, WITHOUT), unevenPlan(3)][order.planVersion - 1]
      if (!plan) throw new Error('no such plan')
      const { memberId, level, amount, balancePart, power, airdrop } = order
      const member = Number(memberId)
      const paid = model.settle(naivePlan(plan), {
        member,
        level,
        price: amount,
        fromBalance: balancePart,
        power,
        airdrop,
      })
      if (!paid) done.noAirdrop += 1
    }

    /** Expires the orders that can no longer be paid; their frozen money comes back. */
    async function pass(): Promise<void> {
      await fixture.pass(new Date(time))
      const isPast = ({ deadline }: PromotionRow) => Number(deadline) < time
      for (const { memberId, balancePart } of open.filter(isPast)) {
        const member = model.member(Number(memberId))
        member.usdt += balancePart
        member.frozen -= balancePart
        done.closed += 1
      }
      open = open.filter((order) => !isPast(order))
    }

    // Every kind of event happened at least five times.
    expect(
      Object.entries(done).filter(([, count]) => count < 5),
      JSON.stringify({ seed, done }),
    ).toEqual([])
    expect(new Set(model.rewards.map(({ failed }) => failed))).toEqual(
      new Set([null, 'not-activated', 'level-below', 'count-reached']),
    )
    expect({ seed, wrong: await differences(fixture, open.length) }).toEqual({ seed, wrong: [] })
  })

  it('under a plan without the three rewards is the same in everything else', async () => {
    const seed = Number(process.env.PROMOTION_SEED ?? Math.floor(Math.random() * 2 ** 31))
    const withParts = await onlyPaidOnline(unevenPlan(1), seed)
    const without = await onlyPaidOnline(unevenPlan(1, WITHOUT), seed)
    expect({ seed, same: without.same }).toEqual({ seed, same: withParts.same })
    expect([withParts.rewards > 100, without.rewards]).toEqual([true, 0])
    // The rewards that nobody gets go to the mining fund, to the unit.
    expect({ seed, mining: without.mining }).toEqual({ seed, mining: withParts.mining + withParts.toOthers })
    expect([withParts.toOthers > 0n, without.toOthers]).toEqual([true, 0n])
  })
})

/** A history whose payments do not depend on earlier rewards, so that it is the same under every plan. */
async function onlyPaidOnline(plan: Plan, seed: number) {
  const below = randomFrom(seed)
  const sponsors = Array.from({ length: MEMBERS }, (_, index) => (index === 0 ? null : 1 + below(Math.min(index, 60))))
  const fixture = await openFixture({
    sponsors,
    plans: [plan],
    reserves: { airdrop: 200n * 12_001n, promotion: 100n * 24_001n },
  })
  const { owner, model } = fixture
  for (let id = 1; id <= 40; id += 3) await fixture.authorise(id)
  const levels = new Map<number, number>()
  for (let block = 0; block < 30; block += 1) {
    const buyers = new Set(Array.from({ length: 14 }, () => 1 + below(below(2) === 0 ? 60 : MEMBERS)))
    const orders: PromotionRow[] = []
    for (const id of buyers) {
      const level = (levels.get(id) ?? 0) + 1
      if (level > 5) continue
      const made = await fixture.order(id, level, 0n)
      if (typeof made === 'string') throw new Error(made)
      levels.set(id, level)
      orders.push(made)
    }
    await fixture.pay(orders, new Date())
  }
  const same = await sql<{ row: string }>`
    select concat_ws(' ', member.id, member.level, tally.power, tally.investment, to_jsonb(place)) as row
    from lode.member join lode.team_place place on place.member_id = member.id
    left join lode.promotion_tally tally on tally.member_id = member.id and tally.investment > 0
    union all
    select concat_ws(' ', number, member_id, level, amount, power, airdrop, airdrop_paid, ended, settlement) from lode.pay_order
    order by 1`.execute(owner)
  const holdings = await allBalances(owner)
  const system = await readSystemBalances(owner)
  const { rows: rewards } = await sql`select from lode.reward`.execute(owner)
  const usdt = Array.from(
    holdings.values(),
    (held) => (held['available USDT'] ?? 0n) + (held['agentUnclaimed USDT'] ?? 0n),
  )
  return {
    same: {
      rows: same.rows,
      airdrops: Array.from(model.members.keys(), (id) => String(holdings.get(BigInt(id))?.['available BTN'] ?? 0n)),
      pool: (['partner:funded', 'pool:liquidity', 'pool:operations', 'custody:vault'] as const).map((kind) =>
        String(system(kind, 'USDT')),
      ),
      reserves: (['reserve:airdrop', 'reserve:promotion'] as const).map((kind) => String(system(kind, 'BTN'))),
    },
    mining: system('pool:mining', 'USDT'),
    rewards: rewards.length,
    toOthers: usdt.reduce((sum, amount) => sum + amount, 0n),
  }
}

/** Compares all stored data with the model. Returns the first difference of each kind. */
async function differences({ owner, model }: PromotionFixture, openOrders: number): Promise<unknown[]> {
  const wrong: unknown[] = []
  const compare = (what: string, is: unknown, must: unknown) => {
    const [left, right] = [is, must].map((value) =>
      JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}` : one)),
    )
    if (left !== right && wrong.length < 5) wrong.push({ what, is: left, must: right })
  }
  const { rows } = await sql<Record<string, string | null> & { id: bigint }>`
    select member.id, member.level::text, tally.power::text, tally.investment::text, tally.income::text, tally.rewards::text,
           place.performance::text, place.effective_invites::text, place.activated::text
    from lode.member join lode.team_place place on place.member_id = member.id
    left join lode.promotion_tally tally on tally.member_id = member.id`.execute(owner)
  for (const row of rows) {
    const member = model.member(Number(row.id))
    compare(
      `member ${row.id}`,
      [row.level, row.power ?? '0', row.investment ?? '0', row.income ?? '0', row.rewards ?? '0'],
      [
        ...[
          String(member.level),
          String(member.power),
          member.investment,
          member.income,
          String(member.promotionRewards),
        ],
      ],
    )
    compare(
      `team of ${row.id}`,
      [row.performance, row.effective_invites, row.activated],
      [...[member.performance, String(member.activeInvites), String(member.level > 0)]],
    )
  }
  // Compares every ledger account of every kind, so that no member has anything that the model does not know.
  const holdings = await allBalances(owner)
  for (const { id, usdt, frozen, unclaimed, btn } of model.members.values()) {
    const must = {
      'available USDT': usdt,
      'frozenOrder USDT': frozen,
      'agentUnclaimed USDT': unclaimed,
      'available BTN': btn,
    }
    const sorted = (amounts: Record<string, bigint>) =>
      Object.entries(amounts)
        .filter(([, amount]) => amount !== 0n)
        .sort()
    compare(`balances of ${id}`, sorted(holdings.get(BigInt(id)) ?? {}), sorted(must))
  }
  const system = await readSystemBalances(owner)
  compare('mining', system('pool:mining', 'USDT'), model.pool.mining)
  compare('partner', system('partner:funded', 'USDT'), model.pool.partner)
  compare('liquidity', system('pool:liquidity', 'USDT'), model.pool.liquidity)
  compare('operations', system('pool:operations', 'USDT'), model.pool.operations)
  compare('airdrops', system('reserve:airdrop', 'BTN'), model.pool.airdrop)
  compare('promotion airdrops', system('reserve:promotion', 'BTN'), model.pool.promotion)

  const { rows: rewards } = await sql<{ reward: string }>`
    select concat_ws(' ', reward.member_id, pay_order.member_id, pay_order.level, reward.type, reward.amount, reward.failed,
                     case when claimed_at is not null then 'claimed' end) as reward
    from lode.reward join lode.pay_order on pay_order.id = reward.order_id
    order by pay_order.settlement, reward.id`.execute(owner)
  const must = model.rewards.map(({ member, buyer, level, type, amount, failed, claimed }) =>
    [member, buyer, level, type, amount, failed, claimed ? 'claimed' : null].filter((part) => part !== null).join(' '),
  )
  compare('count of rewards', rewards.length, must.length)
  for (const [place, { reward }] of rewards.entries()) compare(`reward ${place}`, reward, must[place])

  compare('parts of a price', await unevenPrices(owner), [])

  const { rows: sums } = await sql<{ open: number; uneven: number; mining: string }>`
    select count(*) filter (where ended is null)::int as open, coalesce(sum(to_mining), 0) as mining,
           count(*) filter (where settlement is null and ended = 'success')::int as uneven
    from lode.pay_order`.execute(owner)
  compare('orders', [sums[0]?.open, sums[0]?.uneven, sums[0]?.mining], [openOrders, 0, model.pool.mining])
  compare('team', await teamFindings(owner), [])
  return wrong
}

/** The balances of all members, by member, account kind and asset, without empty ones. */
async function allBalances(owner: Database): Promise<Map<bigint, Record<string, bigint>>> {
  const { rows } = await sql<{ member: bigint; name: string; balance: string }>`
    select account.id >> 14 as member, kind.name || ' ' || asset.name as name, balance
    from lode.ledger_account account
    join lode.ledger_kind kind on kind.code = (account.id >> 8) & 63
    join lode.ledger_asset asset on asset.code = (account.id >> 6) & 3
    where account.id >> 14 <> 0 and balance <> 0`.execute(owner)
  const held = new Map<bigint, Record<string, bigint>>()
  for (const { member, name, balance } of rows) held.set(member, { ...held.get(member), [name]: BigInt(balance) })
  return held
}

/** Orders whose price is not, to the unit, what left the payer and what arrived at the receivers. */
async function unevenPrices(owner: Database): Promise<unknown[]> {
  const { rows } = await sql<{ id: string }>`
    select pay_order.id
    from lode.pay_order
    join lode.ledger_transaction settled on settled.key = case
      when paid_tx is null then 'order:' || pay_order.id || ':settle'
      else 'chain:' || (select chain_id from lode.chain_state) || ':0x' || encode(paid_tx, 'hex') || ':' || paid_log_index end
    join lode.posting on posting.transaction = settled.id
    join lode.ledger_kind kind on kind.code = (posting.account >> 8) & 63
    where ended = 'success'
    group by pay_order.id
    having sum(posting.amount) filter (where posting.amount > 0) <> pay_order.amount
      or sum(posting.amount) filter (where posting.amount < 0) <> -pay_order.amount
      or sum(posting.amount) filter (where kind.name = 'pool:mining') <> pay_order.to_mining
      or sum(posting.amount) filter (where posting.member > 0 and posting.amount > 0)
         is distinct from (select sum(amount) from lode.reward where order_id = pay_order.id and failed is null)`.execute(
    owner,
  )
  const { rows: settled } = await sql<{ orders: number; transactions: number }>`
    select (select count(*) from lode.pay_order where ended = 'success')::int as orders,
           (select count(*) from lode.ledger_transaction where type in (${codeOf('type.promotionByBalance')}, ${codeOf('type.promotionPaid')}))::int as transactions`.execute(
    owner,
  )
  return [...rows, ...settled.filter(({ orders, transactions }) => orders !== transactions)]
}
