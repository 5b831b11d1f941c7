import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Asset, addDays, type DayNumber, dayNumber, formatAmount, units } from '@lode/kernel'
import { type DataOf, incomePeriods, receivedTypes, rewardFailures } from '@lode/wire'
import { type KyselyPlugin, sql } from 'kysely'
import { parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRoute, testEnvironment } from '../../testing/api.ts'
import { withoutCauseChecks } from '../../testing/cause-checks.ts'
import { insertExpert } from '../../testing/expert-fixture.ts'
import { startServerProcess } from '../../testing/process.ts'
import { buildHomeQuery, collectAll, readHome, readIncome } from '../home/index.ts'
import { codeOf, post, readBalances } from '../ledger/index.ts'
import { readPartnerReward } from '../partner/index.ts'
import { makePromotion } from '../promotion/index.ts'
import { readAssets, readPeriod, readStatement } from '../wallet/index.ts'
import { pledgeFindings } from './check.ts'
import { listMemberDays, readOverview } from './queries.ts'
import { BTN, openPledgeFixture, type PledgeFixture } from './testing/pledge-fixture.ts'

const DECIMALS = { USDT: 6, BTN: 18, BTC: 8 }
const MEMBERS = 7
/** The first member invited all others and is a sharing expert. The second one becomes a partner. */
const [EXPERT, PARTNER, NEWCOMER] = [1, 2, MEMBERS]
const DAYS = 8

let fixture: PledgeFixture
let day: DayNumber

/** Pseudorandom numbers, the same for the same seed. */
function seededRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const collectAllOf = (member: number, key: string = randomUUID()) =>
  collectAll(
    {
      db: fixture.api,
      session: fixture.sessionOf(member),
      onFailure: (_part, error) => {
        throw error
      },
    },
    { key },
  )

async function promote(member: number): Promise<void> {
  const { rows } = await sql<{ level: number }>`select level from lode.member where id = ${member}`.execute(
    fixture.owner,
  )
  const level = (rows[0]?.level ?? 0) + 1
  const price = (await fixture.plans.inForce(fixture.owner))?.levels[level]?.price
  if (price === undefined) return
  await fixture.credit(member, 'USDT', price)
  const context = { plans: fixture.plans, session: fixture.sessionOf(member), onlineRefusal: () => null }
  const made = await fixture.api
    .transaction()
    .execute((trx) => makePromotion(trx, context, { planVersion: 1, level, balancePart: price }))
  expect(made).toMatchObject({ ok: true })
}

async function fundReserves(): Promise<void> {
  for (const [index, reserve] of (['airdrop', 'promotion'] as const).entries())
    await post(fixture.worker, [
      {
        type: 'reserveFunding',
        key: `chain:31337:0x${'ab'.repeat(31)}0${index}:0`,
        moves: [
          { asset: 'BTN', amount: units('BTN', 10_000_000n * BTN), from: 'custody:vault', to: `reserve:${reserve}` },
        ],
      },
    ])
}

/** Some random days: promotions, pledges of all terms, production with days without any, and some who collect. */
async function liveRandomDays(seed: number): Promise<void> {
  const random = seededRandom(seed)
  for (let count = 0; count < DAYS; count += 1) {
    await fixture.setTime(day, 9)
    for (let member = 1; member < NEWCOMER; member += 1) {
      if (random(3) === 0 || (member === EXPERT && count === 0)) await promote(member)
      if (random(2) === 0) {
        await fixture.credit(member, 'BTN', 40_000n * BTN)
        await fixture.pledge(member, BigInt(10_001 + random(20_000)), [1, 3, 7, 60][random(4)] ?? 1)
      }
    }
    if (random(4) > 0) await fixture.fund(day, BigInt(1_000 + random(9_000_000)))
    day = addDays(day, 1)
    await fixture.setTime(day, 13)
    await fixture.close()
    await fixture.returnPledges()
    for (let member = 1; member < NEWCOMER; member += 1) if (random(3) === 0) await collectAllOf(member)
  }
}

beforeAll(async () => {
  fixture = await openPledgeFixture({ members: MEMBERS, clients: 4 })
  day = addDays(fixture.firstDay, 1)
  await fundReserves()
  await sql`
    insert into lode.price (asset, price, at, source)
    select asset, price, lode.now() + interval '60 days', decode(repeat('11', 20), 'hex')
    from (values ('BTC', 65000.5), ('BTN', 0.0123)) as given (asset, price)`.execute(fixture.owner)
  await insertExpert(fixture.owner, EXPERT)
  await fixture.appoint(PARTNER, day)
  await liveRandomDays(7)
}, 120_000)
afterAll(() => fixture.end())

type Home = DataOf<'account/home'>
const home = (member: number, db = fixture.api): Promise<Home> =>
  readHome(db, BigInt(member), { decimals: DECIMALS, priceMaxAgeSeconds: 86_400, plans: fixture.plans })

const format = (asset: Asset, amount: bigint) => formatAmount(units(asset, amount), DECIMALS[asset])

/** What the log lines of a member add up to, from this day on, by asset. */
async function sumLines(member: number, { from = 0, to = 1_000_000 }: { from?: number; to?: number } = {}) {
  const { rows } = await sql<{ asset: number; amount: string }>`
    select asset, sum(amount) as amount from lode.log_line
    where member = ${member} and type = any(${receivedTypes.map((type) => codeOf(`log.${type}`))}::smallint[])
      and lode.day_of(at) between ${from} and ${to}
    group by asset`.execute(fixture.owner)
  return (asset: Asset) => BigInt(rows.find((row) => row.asset === codeOf(`asset.${asset}`))?.amount ?? 0)
}

const readAssetsOf = (member: number) =>
  readAssets(
    fixture.api,
    { memberId: BigInt(member), account: fixture.sessionOf(member).account },
    { decimals: DECIMALS, priceMaxAgeSeconds: 86_400, plan: null },
  )

const readPledges = (member: number) =>
  readOverview(fixture.api, BigInt(member), null, {
    plans: fixture.plans,
    operators: fixture.operators,
    orders: { decimals: DECIMALS, finalityMinutes: 1, quotes: null as never },
  })

const amountOf = ({ collect }: Home, part: string) => collect.find((one) => one.part === part)?.amount

describe('the home page of every member', { timeout: 60_000 }, () => {
  it('shows what the log lines add up to: today, yesterday, in 30 days and in all', async () => {
    const received = new Set<string>()
    for (let member = 1; member <= MEMBERS; member += 1) {
      const { earned } = await home(member)
      const periods = {
        today: await sumLines(member, { from: day }),
        yesterday: await sumLines(member, { from: day - 1, to: day - 1 }),
        month: await sumLines(member, { from: day - 29 }),
        all: await sumLines(member),
      }
      for (const item of earned.items)
        for (const period of ['today', 'yesterday', 'month', 'all'] as const) {
          expect(item[period], `${item.symbol} of ${member}, ${period}`).toBe(
            format(item.symbol, periods[period](item.symbol)),
          )
          if (item[period] !== '0') received.add(`${item.symbol} ${period}`)
        }
    }
    // The random days are of use only if they paid something of each kind.
    expect([...received]).toEqual(expect.arrayContaining(['USDT all', 'BTN all', 'BTC all', 'BTC today', 'USDT month']))
  })

  it('shows the same holdings, values and waiting amounts as the other pages', async () => {
    let waiting = 0
    for (let member = 1; member <= MEMBERS; member += 1) {
      const shown = await home(member)
      const wallet = await readAssetsOf(member)
      expect(shown.have.total).toEqual(wallet.total)
      expect(shown.have.items.map(({ symbol, values }) => ({ symbol, values }))).toEqual(
        wallet.items.map(({ symbol, values }) => ({ symbol, values })),
      )
      const { produced } = await readPledges(member)
      const balances = await readBalances(fixture.owner, BigInt(member))
      expect(amountOf(shown, 'dividends')).toBe(produced)
      expect(amountOf(shown, 'thanksgiving')).toBe(format('USDT', balances.USDT.agentUnclaimed))
      const partner = await readPartnerReward(fixture.api, BigInt(member), DECIMALS)
      expect(amountOf(shown, 'partner')).toBe(partner?.produced ?? '0')
      waiting += shown.collect.filter(({ amount }) => amount !== '0').length
    }
    expect(waiting).toBeGreaterThan(3)
  })

  it('shows the share of the last day as the table of days does, close to production × own ÷ all', async () => {
    let shares = 0
    for (let member = 1; member <= MEMBERS; member += 1) {
      const { last } = await home(member)
      const [own] = (await listMemberDays(fixture.api, BigInt(member), { limit: 1 }, DECIMALS)).items
      if (own?.day !== last?.day) {
        expect(last).toMatchObject({ effective: '0', amount: '0', pledges: 0 })
        continue
      }
      expect(last?.amount).toBe(own?.amount)
      const toUnits = (text: string | undefined, decimals: number) => Number(text) * 10 ** decimals
      const exact = (toUnits(last?.shared, 8) * Number(last?.effective)) / Math.max(1, Number(last?.totalEffective))
      expect(Math.abs(toUnits(last?.amount, 8) - exact)).toBeLessThanOrEqual((last?.pledges ?? 0) + 1)
      shares += 1
    }
    expect(shares).toBeGreaterThan(2)
  })

  it('names an asset without a price, and values the others', async () => {
    const { earned, have } = await readHome(fixture.api, BigInt(EXPERT), {
      decimals: DECIMALS,
      priceMaxAgeSeconds: -86_400 * 365,
      plans: fixture.plans,
    })
    expect(earned.total.all.without).toEqual(['BTN', 'BTC'])
    expect(earned.total.all.values).toBe(earned.items[0]?.all)
    expect(earned.priceAt).toBeNull()
    expect(have.total.without).toContain('BTN')
  })
})

describe('what a member earned', { timeout: 60_000 }, () => {
  const options = { decimals: DECIMALS, priceMaxAgeSeconds: 86_400 }
  const income = (member: number, period: (typeof incomePeriods)[number]) =>
    readIncome(fixture.api, BigInt(member), period, options)
  const toUnits = (asset: Asset, amount: string) => parseUnits(amount, DECIMALS[asset])
  const sumOf = (asset: Asset, amounts: readonly string[]) =>
    amounts.reduce((sum, amount) => sum + toUnits(asset, amount), 0n)

  it('is the sum of the log lines in every period: by symbol, by source and by bar', async () => {
    const sources = new Set<string>()
    for (let member = 1; member <= MEMBERS; member += 1)
      for (const period of incomePeriods) {
        const shown = await income(member, period)
        const lines = await sumLines(member, { from: shown.from, to: shown.to })
        for (const { symbol, amount } of shown.symbols) {
          const expected = lines(symbol)
          expect(toUnits(symbol, amount), `${symbol} of ${member}, ${period}`).toBe(expected)
          const ofSymbol = shown.sources.filter((source) => source.symbol === symbol).map((source) => source.amount)
          expect(sumOf(symbol, ofSymbol)).toBe(expected)
          const ofBars = shown.bars.map(({ symbols }) => symbols.find((one) => one.symbol === symbol)?.amount ?? '0')
          expect(sumOf(symbol, ofBars)).toBe(expected)
        }
        for (const { type } of shown.sources) sources.add(type)
      }
    expect([...sources]).toEqual(expect.arrayContaining(['pointReward', 'upLevelReward', 'airdropForActive']))
  })

  it('agrees with the home page and with the statement', async () => {
    for (let member = 1; member <= MEMBERS; member += 1) {
      const { earned } = await home(member)
      for (const period of ['today', 'month', 'all'] as const) {
        const { symbols, total } = await income(member, period)
        expect(symbols.map(({ amount }) => amount)).toEqual(earned.items.map((item) => item[period]))
        expect(total).toEqual(earned.total[period])
      }
      const session = fixture.sessionOf(member)
      const { accounts } = await readStatement(fixture.api, session, options)
      const { symbols, sources } = await income(member, 'all')
      for (const { symbol, received } of accounts) {
        expect(symbols.find((one) => one.symbol === symbol)?.amount).toBe(received.amount)
        const parts = received.parts.map(({ type, amount }) => ({ type, amount }))
        const shown = sources.filter((source) => source.symbol === symbol)
        expect(shown.map(({ type, amount }) => ({ type, amount }))).toEqual(parts)
      }
    }
  })

  async function countMissedBefore(member: number, day: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from lode.reward
      where member_id = ${member} and failed is not null and lode.day_of(at) < ${day}`.execute(fixture.owner)
    return rows[0]?.count ?? 0
  }

  it('has the rewards that were missed in the period, by reason', async () => {
    let missedByAll = 0
    for (let member = 1; member <= MEMBERS; member += 1)
      for (const period of incomePeriods) {
        const { missed, from, to } = await income(member, period)
        const isAll = period === 'all'
        const { rows } = await sql<{ reason: string; count: number; amount: string }>`
          select failed as reason, count(*)::int as count, sum(amount) as amount from lode.reward
          where member_id = ${member} and failed is not null and lode.day_of(at) between ${isAll ? 0 : from} and ${to}
          group by failed`.execute(fixture.owner)
        const expected = rewardFailures.flatMap((reason) => rows.filter((row) => row.reason === reason))
        expect(missed.reasons).toEqual(expected.map((row) => ({ ...row, amount: format('USDT', BigInt(row.amount)) })))
        expect(missed.count).toBe(expected.reduce((sum, { count }) => sum + count, 0))
        expect(sumOf('USDT', [missed.amount])).toBe(expected.reduce((sum, { amount }) => sum + BigInt(amount), 0n))
        missedByAll += missed.count
        if (isAll) expect(await countMissedBefore(member, from), 'missed before the printed first day').toBe(0)
      }
    expect(missedByAll).toBeGreaterThan(0)
  })

  it('names a symbol without a price, and gives no value for it', async () => {
    const shown = await readIncome(fixture.api, BigInt(EXPERT), 'all', {
      decimals: DECIMALS,
      priceMaxAgeSeconds: -86_400 * 365,
    })
    expect(shown.total.without).toEqual(['BTN', 'BTC'])
    expect(shown.prices).toEqual([])
    expect(shown.symbols.map(({ values }) => values === null)).toEqual([false, true, true])
  })
})

describe('a statement of some days', { timeout: 60_000 }, () => {
  const readDays = async (member: number, from: number, to: number) =>
    (await readPeriod(fixture.api, fixture.sessionOf(member), { from: dayNumber(from), to: dayNumber(to) }, DECIMALS))
      .accounts
  const toUnits = (asset: Asset, amount: string) => parseUnits(amount, DECIMALS[asset])

  it('adds up, begins where the one before ends, and is the whole statement if it has all days', async () => {
    for (let member = 1; member <= MEMBERS; member += 1) {
      const before = new Map<Asset, string>()
      for (const [from, to] of [
        [0, day - 6],
        [day - 5, day - 3],
        [day - 2, day - 2],
        [day - 1, day + 100],
      ] as const)
        for (const one of await readDays(member, from, to)) {
          const units = (amount: string) => toUnits(one.symbol, amount)
          expect(one.opening).toBe(before.get(one.symbol) ?? '0')
          expect(
            units(one.opening) +
              units(one.paidIn.amount) +
              units(one.received.amount) -
              units(one.spent.amount) -
              units(one.takenOut),
          ).toBe(units(one.closing))
          before.set(one.symbol, one.closing)
        }
      const { accounts } = await readStatement(fixture.api, fixture.sessionOf(member), {
        decimals: DECIMALS,
        priceMaxAgeSeconds: 86_400,
      })
      const whole = await readDays(member, 0, day + 100)
      for (const [index, { symbol, held, paidIn, received, spent, takenOut }] of accounts.entries()) {
        expect(before.get(symbol)).toBe(held.amount)
        expect(whole[index]).toEqual({ symbol, opening: '0', paidIn, received, spent, takenOut, closing: held.amount })
      }
    }
  })
})

describe('the first steps', () => {
  it('are ticked off one after another, and end with the first pledge', async () => {
    const steps = async () => (await home(NEWCOMER)).steps
    const none = { fundPassword: false, money: false, level: false, price: '100', pledgeAbove: '10000' }
    expect(await steps()).toEqual(none)
    // A reset whose wait is over counts as a chosen password.
    await sql`
      insert into lode.protection (member_id, reset_asked_at, reset_ends_at, reset_hash)
      values (${NEWCOMER}, lode.now() - interval '2 days', lode.now() - interval '1 day', '$argon2id$')`.execute(
      fixture.owner,
    )
    expect(await steps()).toEqual({ ...none, fundPassword: true })
    await fixture.credit(NEWCOMER, 'BTN', 20_000n * BTN)
    expect(await steps()).toMatchObject({ money: true, level: false })
    await promote(NEWCOMER)
    expect(await steps()).toMatchObject({ money: true, level: true })
    await fixture.pledge(NEWCOMER, 15_000n, 7)
    expect(await steps()).toBeNull()
  })
})

describe('a first pledge', () => {
  it('is shown with its first day until that day is closed, and never again', async () => {
    const countsFrom = async (member = NEWCOMER) => (await home(member)).countsFrom
    expect(await countsFrom()).toBe(day + 1)
    await fixture.credit(NEWCOMER, 'BTN', 40_000n * BTN)
    await fixture.pledge(NEWCOMER, 15_000n, 7)
    expect(await countsFrom(), 'with two pledges of the same day').toBe(day + 1)
    expect(await countsFrom(EXPERT), 'of a member who had pledges before').toBeNull()
    day = addDays(day, 1)
    await fixture.setTime(day, 13)
    await fixture.close()
    expect(await countsFrom(), 'on its first day').toBe(day)
    day = addDays(day, 1)
    await fixture.setTime(day, 13)
    await fixture.close()
    expect(await countsFrom(), 'after the first day was closed without funding').toBeNull()
    await fixture.pledge(NEWCOMER, 15_000n, 7)
    expect(await countsFrom(), 'with a later pledge').toBeNull()
  })
})

describe('collecting everything', { timeout: 120_000 }, () => {
  /** Waits for the next production and a promotion, so that members have all parts to collect. */
  async function letPartsWait(): Promise<void> {
    await fixture.setTime(day, 14)
    await fixture.credit(EXPERT, 'BTN', 40_000n * BTN)
    await fixture.credit(PARTNER, 'BTN', 40_000n * BTN)
    await Promise.all([EXPERT, PARTNER].map((member) => fixture.pledge(member, 11_000n, 7)))
    await promote(3)
    await promote(4)
    await fixture.fund(addDays(day, 1), 7_000_000n)
    day = addDays(day, 2)
    await fixture.setTime(day, 13)
    await fixture.close()
  }
  const waiting = async (member: number) =>
    (await home(member)).collect.filter(({ amount }) => amount !== '0').map(({ part }) => part)
  const available = async (member: number) => {
    const { USDT: usdt, BTC: btc } = await readBalances(fixture.owner, BigInt(member))
    return [usdt.available, btc.available]
  }
  const amountsOf = (shown: Home) => (symbol: string) =>
    shown.collect
      .filter((one) => one.symbol === symbol)
      .reduce((sum, { amount }) => sum + BigInt(Math.round(Number(amount) * (symbol === 'BTC' ? 1e8 : 1e6))), 0n)

  it('pays exactly what was shown, once, however often the button is pressed', async () => {
    await letPartsWait()
    await insertExpert(fixture.owner, PARTNER)
    await promote(5)
    expect(await waiting(EXPERT)).toEqual(['dividends', 'thanksgiving'])
    for (const member of [EXPERT, PARTNER]) {
      const amount = amountsOf(await home(member))
      const [usdt = 0n, btc = 0n] = await available(member)
      const key = randomUUID()
      const pressed = await Promise.all([key, key, randomUUID(), key].map((one) => collectAllOf(member, one)))
      expect(await waiting(member)).toEqual([])
      expect(await available(member)).toEqual([usdt + amount('USDT'), btc + amount('BTC')])
      // Presses with one key get one answer.
      expect(pressed[1]).toEqual(pressed[0])
      expect(pressed[3]).toEqual(pressed[0])
      expect(await collectAllOf(member, key)).toEqual(pressed[0])
      expect(await collectAllOf(member)).toEqual({ ok: false, error: 'collect-nothing' })
    }
  })

  /** Runs the api as a process of its own, which the test can kill at a fault point. Returns the press of the button. */
  async function startApi(faults: string) {
    const [token, session] = [randomBytes(32).toString('base64url'), fixture.sessionOf(PARTNER)]
    await sql`
      insert into lode.session (id, token_hash, member_id, mode)
      values (${randomUUID()}, sha256(${token}::bytea), ${PARTNER}, 'full')`.execute(fixture.owner)
    const environment = { ...testEnvironment(fixture.database), VAULT_ADDRESS: fixture.pool.pool }
    const api = startServerProcess('api', { ...environment, FAULTS: faults, LOG_LEVEL: 'info' })
    await api.waitForOutput('Server listening')
    const url = /Server listening at (http:[^"]+)/.exec(api.output())?.[1] ?? ''
    const press = (key: string) => callRoute(url, 'account/collect', { account: session.account, key }, { token })
    return { api, press }
  }

  it('is finished once by the same press after the api was killed before its first commit, and after it', async () => {
    await letPartsWait()
    const parts = await waiting(PARTNER)
    expect(parts).toEqual(expect.arrayContaining(['dividends', 'partner']))
    const amount = amountsOf(await home(PARTNER))
    const [usdt = 0n, btc = 0n] = await available(PARTNER)
    const [key, faults] = [randomUUID(), await mkdtemp(join(tmpdir(), 'lode-faults-'))]
    for (const [point, left] of [
      ['api-before-commit', parts],
      ['api-after-commit', parts.filter((part) => part !== 'dividends')],
    ] as const) {
      const { api, press } = await startApi(faults)
      await writeFile(join(faults, point), '')
      await expect(press(key), point).rejects.toThrow('fetch failed')
      expect(await api.ended, point).toBe('SIGKILL')
      expect(await waiting(PARTNER), point).toEqual(left)
    }

    const { api, press } = await startApi(faults)
    try {
      const [first, second] = [await press(key), await press(key)]
      expect(first.body.data.parts).toContainEqual(
        expect.objectContaining({ part: 'dividends', amount: format('BTC', amount('BTC')) }),
      )
      expect(second.body.data).toEqual(first.body.data)
      expect(await available(PARTNER)).toEqual([usdt + amount('USDT'), btc + amount('BTC')])
      expect(await waiting(PARTNER)).toEqual([])
    } finally {
      api.kill('SIGKILL')
      await rm(faults, { recursive: true, force: true })
    }
  })

  it('collects the other parts if one part fails, and says so', async () => {
    await letPartsWait()
    const failures: string[] = []
    const collect = () =>
      collectAll(
        { db: fixture.api, session: fixture.sessionOf(PARTNER), onFailure: (part) => failures.push(part) },
        { key: randomUUID() },
      )
    const setRight = (verb: string) =>
      sql.raw(`${verb} execute on function lode.pay_pledges ${verb === 'grant' ? 'to' : 'from'} lode_api`)
    await setRight('revoke').execute(fixture.owner)
    try {
      const collected = await collect()
      expect(collected.ok && collected.value.find(({ part }) => part === 'dividends')?.amount).toBeNull()
      expect([failures, await waiting(PARTNER)]).toEqual([['dividends'], ['dividends']])
      // Nothing is left that could be collected: that is no success.
      expect(await collect()).toMatchObject({ ok: true, value: [{ part: 'dividends', amount: null }, {}, {}] })
    } finally {
      await setRight('grant').execute(fixture.owner)
    }
    expect(await collect()).toMatchObject({ ok: true })
    expect(await waiting(PARTNER)).toEqual([])
  })

  it('leaves tallies that are right; a wrong one is found', async () => {
    expect(await pledgeFindings(fixture.owner)).toEqual([])
    await sql`update lode.dividend_tally set paid = paid + 1 where member_id = ${PARTNER}`.execute(fixture.owner)
    expect(await pledgeFindings(fixture.owner)).toEqual([expect.stringContaining('tally')])
    await sql`update lode.dividend_tally set paid = paid - 1 where member_id = ${PARTNER}`.execute(fixture.owner)
  })
})

describe('reading the home page', { timeout: 60_000 }, () => {
  it('takes at most three statements', async () => {
    let statements = 0
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => {
        statements += 1
        return node
      },
      transformResult: async ({ result }) => result,
    }
    await home(NEWCOMER)
    for (const member of [EXPERT, NEWCOMER]) {
      statements = 0
      await home(member, fixture.api.withPlugin(counting))
      expect(statements).toBeLessThanOrEqual(3)
    }
  })

  it('does not take more with a longer history', async () => {
    const buffersOf = async (member: number): Promise<number> => {
      const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>`
        explain (analyze, buffers, format json) ${buildHomeQuery(BigInt(member))}`.execute(fixture.owner)
      const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {}
      return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
    }
    const analyze = () => sql`analyze lode.ledger_day_sum, lode.pledge, lode.pay_order`.execute(fixture.owner)
    /** Adds 10,000 sums of days and 600 pledges that are over, each time earlier ones. */
    const lengthen = async (member: number, time: number) => {
      await sql`
        insert into lode.ledger_day_sum (member, asset, type, day, amount, fee)
        select ${member}, asset::smallint, type::smallint, ${day}::int - 40 - 5000 * ${time}::int - count, 1, 0
        from generate_series(1, 5000) as count,
             (values (${codeOf('asset.BTC')}, ${codeOf('log.pointReward')}), (${codeOf('asset.USDT')}, ${codeOf('log.agentReward')}))
               as given (asset, type)
        on conflict do nothing`.execute(fixture.owner)
      await sql`
        with old as (
          select pay_order.* from lode.pay_order join lode.pledge using (id) where pledge.settled_at is not null limit 1
        ), made as (
          insert into lode.pay_order overriding system value
          select (jsonb_populate_record(null::lode.pay_order, to_jsonb(old) || jsonb_build_object(
            'id', gen_random_uuid(), 'member_id', ${member}::int, 'number', 1000000 * ${member}::int + 600 * ${time}::int + count,
            'settlement', 1000000 * ${member}::int + 600 * ${time}::int + count))).*
          from old, generate_series(1, 600) as count
          returning id
        )
        insert into lode.pledge (id, member_id, amount, weight, start_day, end_day, returned_at, settled_at)
        select id, ${member}, 1, 1, ${day}::int - 20, ${day}::int - 10, lode.now(), lode.now() from made`.execute(
        fixture.owner,
      )
    }
    const lengthenAll = (time: number) =>
      withoutCauseChecks(fixture.owner, async () => {
        // Another member has as much, so that the planner has a reason to use the indexes.
        for (const member of [EXPERT, 3]) await lengthen(member, time)
        await analyze()
      })
    await lengthenAll(0)
    const before = await buffersOf(EXPERT)
    for (const time of [1, 2, 3]) await lengthenAll(time)
    // A sum over all days or all pledges would add hundreds.
    expect(await buffersOf(EXPERT)).toBeLessThan(before + 15)
  })
})
