import { type Asset, assets, formatAmount, units } from '@lode/kernel'
import { type DataOf, receivedTypes, routes } from '@lode/wire'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type DatabaseConnection } from '../../platform/db/database.ts'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { disableMember } from '../../testing/disabled-member.ts'
import { logIn, registerMember, type TestMember } from '../../testing/member.ts'
import { startOrderFixture } from '../../testing/order-fixture.ts'
import { post, type Transaction } from '../ledger/index.ts'
import { readStatement } from './queries.ts'

type Statement = DataOf<'wallet/statement'>
type ReceivedType = (typeof receivedTypes)[number]

const decimals = { USDT: 6, BTN: 18, BTC: 8 }
const formatUnits = (asset: Asset, value: bigint): string => formatAmount(units(asset, value), decimals[asset])

/** What happened, recorded by the test beside the ledger. */
type ExpectedTotals = {
  paidIn: bigint
  beforeRegistering: bigint
  online: bigint
  received: Map<ReceivedType, bigint>
  promotions: bigint
  out: bigint
  fees: bigint
  pledged: bigint
  returned: bigint
  undone: bigint
}
const emptyTotals = (): ExpectedTotals => ({
  paidIn: 0n,
  beforeRegistering: 0n,
  online: 0n,
  received: new Map(),
  promotions: 0n,
  out: 0n,
  fees: 0n,
  pledged: 0n,
  returned: 0n,
  undone: 0n,
})

/** Pseudorandom numbers, the same for the same seed. */
function seededRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

let api: TestApi
let asApi: DatabaseConnection
let asWorker: DatabaseConnection
beforeAll(async () => {
  api = await startTestApi()
  asApi = connectDatabase(api.database.urlOf('lode_api'), { name: 'statement test' })
  asWorker = connectDatabase(api.database.urlOf('lode_worker'), { name: 'statement test' })
  // This test does not check whether an airdrop was decided or a dividend is due.
  await sql`
    alter table lode.ledger_transaction disable trigger check_cause`.execute(api.db)
})
afterAll(async () => {
  await Promise.all([asApi.close(), asWorker.close()])
  await api.close()
})

const readStatementOf = async ({ wallet, token }: TestMember): Promise<Statement> => {
  const { status, body } = await api.call('wallet/statement', { account: wallet.account }, { token })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.data
}

async function idOf({ wallet }: TestMember): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    select id from lode.member where account = ${Buffer.from(wallet.account.slice(2), 'hex')}`.execute(api.db)
  return rows[0]?.id ?? 0n
}

let logs = 0
const newChainLogKey = (): string => `chain:31337:0x${(++logs).toString(16).padStart(64, '0')}:0`

async function postOrThrow(by: DatabaseConnection, transaction: object): Promise<void> {
  const [outcome] = await post(by.db, [transaction as Transaction])
  if (outcome?.outcome !== 'posted') throw new Error(`${JSON.stringify(outcome)} to ${logs}`)
}

/** A long random history of one member, with everything that can change its balances. */
async function postRandomHistory(
  { member, account }: { member: bigint; account: Address },
  other: bigint,
  seed: number,
): Promise<Record<Asset, ExpectedTotals>> {
  const random = seededRandom(seed)
  const expected = { USDT: emptyTotals(), BTN: emptyTotals(), BTC: emptyTotals() }
  const available: Record<Asset, bigint> = { USDT: 0n, BTN: 0n, BTC: 0n }
  let [pledged, operations] = [0n, 0]

  const move = (asset: Asset, amount: bigint, from: unknown, to: unknown) => ({
    asset,
    amount: units(asset, amount),
    from,
    to,
  })
  const own = (kind: string, type: string, operation: string, fee = 0n) => ({
    kind,
    member,
    line: { type, operation, ...(fee > 0n && { fee }) },
  })
  const part = (total: bigint): bigint => 1n + (total * BigInt(random(60))) / 100n
  const expectReceived = (asset: Asset, type: ReceivedType, amount: bigint) => {
    expected[asset].received.set(type, (expected[asset].received.get(type) ?? 0n) + amount)
    available[asset] += amount
  }

  /** Freezes a part of the balance for an order. Returns the account that holds it. */
  const freezeForOrder = async (asset: Asset, amount: bigint, type: string, operation: string) => {
    const frozen = own('frozenOrder', type, operation)
    await postOrThrow(asApi, {
      type: 'orderReserve',
      member,
      key: `${operation}-asked`,
      moves: [move(asset, amount, own('available', type, operation), frozen)],
    })
    available[asset] -= amount
    return frozen
  }

  const events = {
    async deposits() {
      const asset = assets[random(3)] ?? 'USDT'
      const amount = BigInt(1_000 + random(100_000))
      const [key, operation] = [newChainLogKey(), `in-${++operations}`]
      await postOrThrow(asWorker, {
        type: 'deposit',
        key,
        moves: [move(asset, amount, 'custody:vault', own('available', 'transferIn', operation))],
      })
      expected[asset].paidIn += amount
      available[asset] += amount
    },
    /** A deposit that never came is credited, and taken back. */
    async undoesDeposit() {
      const asset = assets[random(3)] ?? 'USDT'
      const [amount, operation] = [BigInt(1 + random(9_000)), `false-${++operations}`]
      await postOrThrow(asWorker, {
        type: 'deposit',
        key: newChainLogKey(),
        moves: [move(asset, amount, 'custody:vault', own('available', 'transferIn', operation))],
      })
      await postOrThrow(asWorker, {
        type: 'reverse',
        key: `correction:${seed}-${operation}`,
        moves: [move(asset, amount, own('available', 'reversal', `${operation}-undone`), 'custody:vault')],
      })
      expected[asset].undone += amount
    },
    async transfers() {
      const asset = assets[random(3)] ?? 'USDT'
      if (available[asset] < 100n) return
      const [amount, fee, operation] = [part(available[asset] / 2n), BigInt(1 + random(20)), `out-${++operations}`]
      const [from, frozen] = [
        own('available', 'transferOut', operation, fee),
        own('frozenOut', 'transferOut', operation),
      ]
      await postOrThrow(asApi, {
        type: 'transferRequest',
        member,
        key: `${operation}-asked`,
        moves: [move(asset, amount + fee, from, { ...own('frozenOut', 'transferOut', operation, fee) })],
      })
      available[asset] -= amount + fee
      const end = random(3)
      if (end === 0) return
      if (end === 1) {
        const back = own('available', 'transferOut', operation)
        await postOrThrow(asApi, {
          type: 'transferRelease',
          member,
          key: `${operation}-back`,
          moves: [move(asset, amount + fee, frozen, back)],
        })
        available[asset] += amount + fee
        return
      }
      await postOrThrow(asWorker, {
        type: 'transferPaid',
        key: newChainLogKey(),
        moves: [move(asset, amount, frozen, 'custody:vault'), move(asset, fee, frozen, 'pool:operations')],
      })
      expected[asset].out += amount
      expected[asset].fees += fee
    },
    async pledges() {
      if (available.BTN < 100n) return
      const [balance, operation] = [part(available.BTN / 2n), `pledge-${++operations}`]
      const frozen = await freezeForOrder('BTN', balance, 'createPledge', operation)
      const end = random(4)
      if (end === 0) return
      if (end === 1) {
        await postOrThrow(asApi, {
          type: 'orderRelease',
          member,
          key: `${operation}-back`,
          moves: [move('BTN', balance, frozen, own('available', 'createPledge', operation))],
        })
        available.BTN += balance
        return
      }
      const online = end === 2 ? 0n : BigInt(1 + random(5_000))
      const moves = [move('BTN', balance, frozen, { kind: 'pledged', member })]
      if (online > 0n) moves.push(move('BTN', online, 'custody:vault', { kind: 'pledged', member }))
      if (online > 0n) await postOrThrow(asWorker, { type: 'pledgePaid', key: newChainLogKey(), moves })
      else await postOrThrow(asApi, { type: 'pledgeByBalance', member, key: `${operation}-done`, moves })
      expected.BTN.online += online
      expected.BTN.pledged += balance + online
      pledged += balance + online
    },
    async pledgesReturn() {
      if (pledged === 0n) return
      const [amount, operation] = [part(pledged / 2n), `returned-${++operations}`]
      await postOrThrow(asWorker, {
        type: 'pledgeReturn',
        key: `pledge:${seed}-${operation}:return`,
        moves: [move('BTN', amount, { kind: 'pledged', member }, own('available', 'pledgeReturn', operation))],
      })
      pledged -= amount
      expected.BTN.returned += amount
      available.BTN += amount
    },
    async promotes() {
      if (available.USDT < 100n) return
      const [price, operation] = [part(available.USDT / 3n), `level-${++operations}`]
      const frozen = await freezeForOrder('USDT', price, 'upLevelByBalance', operation)
      const line = { type: 'promotionReward', operation }
      await postOrThrow(asApi, {
        type: 'promotionByBalance',
        member,
        key: `${operation}-done`,
        moves: [
          move('USDT', price - price / 10n, frozen, 'pool:mining'),
          ...(price >= 10n ? [move('USDT', price / 10n, frozen, { kind: 'available', member: other, line })] : []),
        ],
      })
      expected.USDT.promotions += price
    },
    async receivesReward() {
      const [amount, operation] = [BigInt(50 + random(500)), `reward-${++operations}`]
      const type = random(2) === 0 ? 'promotionReward' : 'upLevelReward'
      await postOrThrow(asWorker, {
        type: 'promotionPaid',
        key: newChainLogKey(),
        moves: [
          move('USDT', amount, 'custody:vault', own('available', type, operation)),
          // A Thanksgiving reward counts as received only when it is claimed.
          move('USDT', amount, 'custody:vault', { kind: 'agentUnclaimed', member }),
        ],
      })
      expectReceived('USDT', type, amount)
      if (random(2) === 0) return
      await postOrThrow(asApi, {
        type: 'agentReward',
        member,
        key: `${operation}-claimed`,
        moves: [move('USDT', amount, { kind: 'agentUnclaimed', member }, own('available', 'agentReward', operation))],
      })
      expectReceived('USDT', 'agentReward', amount)
    },
    async promotesPartlyOnline() {
      if (available.USDT < 100n) return
      const [price, operation] = [part(available.USDT / 3n), `level-${++operations}`]
      const frozen = await freezeForOrder('USDT', price, 'upLevelByBalance', operation)
      // There is no order here, so the online part belongs to no member. Another test uses a chain and an order.
      await postOrThrow(asWorker, {
        type: 'promotionPaid',
        key: newChainLogKey(),
        moves: [
          move('USDT', price, frozen, 'pool:mining'),
          move('USDT', BigInt(1 + random(500)), 'custody:vault', 'pool:mining'),
        ],
      })
      expected.USDT.promotions += price
    },
    async registersWithSuspense() {
      const asset = assets[random(3)] ?? 'USDT'
      const [amount, operation] = [BigInt(1 + random(9_000)), `before-${++operations}`]
      const suspense = { kind: 'suspense:address', address: account }
      await postOrThrow(asWorker, {
        type: 'suspenseDeposit',
        key: newChainLogKey(),
        moves: [move(asset, amount, 'custody:vault', suspense)],
      })
      await postOrThrow(asApi, {
        type: 'suspenseCredit',
        member,
        key: operation,
        moves: [move(asset, amount, suspense, own('available', 'suspenseCredit', operation))],
      })
      expected[asset].paidIn += amount
      expected[asset].beforeRegistering += amount
      available[asset] += amount
    },
    async collects() {
      const [amount, operation] = [BigInt(1 + random(5_000)), `dividend-${++operations}`]
      await postOrThrow(asWorker, {
        type: 'dividendFunding',
        key: newChainLogKey(),
        moves: [move('BTC', amount, 'custody:vault', 'dividend:funded')],
      })
      await postOrThrow(asWorker, {
        type: 'dividendClose',
        key: `day:${seed}-${operations}`,
        moves: [move('BTC', amount, 'dividend:funded', 'dividend:payable')],
      })
      const moves = [move('BTC', amount, 'dividend:payable', own('available', 'pointReward', operation))]
      if (random(2) === 0) await postOrThrow(asApi, { type: 'pointReward', member, key: operation, moves })
      else await postOrThrow(asWorker, { type: 'pledgeRest', key: `pledge:${seed}-${operation}:rest`, moves })
      expectReceived('BTC', 'pointReward', amount)
    },
    async receivesPartnerReward() {
      const [amount, operation] = [BigInt(1 + random(5_000)), `partner-${++operations}`]
      await postOrThrow(asWorker, {
        type: 'promotionPaid',
        key: newChainLogKey(),
        moves: [move('USDT', amount, 'custody:vault', 'partner:funded')],
      })
      await postOrThrow(asWorker, {
        type: 'partnerClose',
        key: `day:${seed}-${operation}`,
        moves: [move('USDT', amount, 'partner:funded', 'partner:payable')],
      })
      await postOrThrow(asApi, {
        type: 'partnerReward',
        member,
        key: operation,
        moves: [move('USDT', amount, 'partner:payable', own('available', 'partnerReward', operation))],
      })
      expectReceived('USDT', 'partnerReward', amount)
    },
    async receivesAirdrop() {
      const [amount, operation] = [BigInt(1 + random(90_000)), `airdrop-${++operations}`]
      const type = airdropTypes[random(airdropTypes.length)] ?? 'airdropForActive'
      const reserve = type === 'airdropForPromotion' ? 'reserve:promotion' : 'reserve:airdrop'
      await postOrThrow(asWorker, {
        type: 'reserveFunding',
        key: newChainLogKey(),
        moves: [move('BTN', amount, 'custody:vault', reserve)],
      })
      await postOrThrow(asWorker, {
        type,
        member,
        key: operation,
        moves: [move('BTN', amount, reserve, own('available', type, operation))],
      })
      expectReceived('BTN', type, amount)
    },
  }
  const eventList = Object.values(events)
  for (let step = 0; step < 160; step += 1) await eventList[random(eventList.length)]?.()
  return expected
}

const airdropTypes = ['airdropForActive', 'airdropForPromotion', 'airdropForAgent', 'airdropForPartner'] as const

/** Converts decimal text into units with this many decimal places. */
function parseUnits(text: string, places: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}

/** Checks the sum with the displayed texts, as a reader would. */
function expectToAddUp(
  { paidIn, received, spent, takenOut, held }: Record<'paidIn' | 'received' | 'spent' | 'takenOut' | 'held', string>,
  places: number,
): void {
  const toUnits = (text: string) => parseUnits(text, places)
  expect(toUnits(paidIn) + toUnits(received) - toUnits(spent) - toUnits(takenOut)).toBe(toUnits(held))
}

const sum = (amounts: Iterable<bigint>): bigint => Array.from(amounts).reduce((all, one) => all + one, 0n)

describe('a statement', { timeout: 120_000 }, () => {
  it.each([1, 2, 3])('agrees with a random history and with the balances (seed %i)', async (seed) => {
    const [member, other] = [await registerMember(api), await registerMember(api)]
    const life = { member: await idOf(member), account: member.wallet.account as Address }
    const notes = await postRandomHistory(life, await idOf(other), seed)
    const { accounts, total } = await readStatementOf(member)
    const { items } = (await api.call('wallet/assets', { account: member.wallet.account }, { token: member.token }))
      .body.data
    for (const symbol of assets) {
      const [account, item, was] = [
        accounts.find((one) => one.symbol === symbol),
        items.find((one) => one.symbol === symbol),
        notes[symbol],
      ]
      const received = sum(was.received.values())
      const paidIn = was.paidIn + was.online
      const held = paidIn + received - was.promotions - was.fees - was.out
      expect(account).toMatchObject({
        paidIn: {
          amount: formatUnits(symbol, paidIn),
          deposits: formatUnits(symbol, was.paidIn),
          beforeRegistering: formatUnits(symbol, was.beforeRegistering),
          undone: formatUnits(symbol, was.undone),
          pledgesOnline: formatUnits(symbol, was.online),
        },
        received: {
          amount: formatUnits(symbol, received),
          parts: receivedTypes.flatMap((type) => {
            const amount = was.received.get(type)
            return amount === undefined ? [] : [{ type, amount: formatUnits(symbol, amount) }]
          }),
        },
        spent: {
          amount: formatUnits(symbol, was.promotions + was.fees),
          promotionsFromBalance: formatUnits(symbol, was.promotions),
          promotionsOnline: '0',
          transferFees: formatUnits(symbol, was.fees),
          undone: '0',
        },
        takenOut: formatUnits(symbol, was.out),
        principal: { pledged: formatUnits(symbol, was.pledged), returned: formatUnits(symbol, was.returned) },
        held: { amount: formatUnits(symbol, held), available: item?.balance, ...item?.freezeParts },
        result: {
          takenOutAndHeld: formatUnits(symbol, was.out + held),
          than: was.out + held > paidIn ? 'more' : was.out + held < paidIn ? 'less' : 'same',
        },
      })
    }
    expectToAddUp(total, 2)
    // The other member has only received, and its statement adds up too.
    const [usdt] = (await readStatementOf(other)).accounts
    expect(usdt?.received.amount).toBe(usdt?.held.amount)
  })

  it('adds up for every member and asset, after every transaction type that changes a member’s balances', async () => {
    // The histories above have posted them. Types such as `orderRelease` may be drawn by any of the three.
    const { rows: never } = await sql<{ name: string }>`
      select type.name
      from lode.ledger_type type
      where exists (
          select from lode.ledger_kind kind
          where kind.holder = 'member' and kind.code = any(type.debits || type.credits))
        and not exists (select from lode.ledger_transaction posted where posted.type = type.code)`.execute(api.db)
    expect(never).toEqual([])
    const { rows: members } = await sql<{ id: bigint }>`select id from lode.member`.execute(api.db)
    expect(members.length).toBeGreaterThan(6)
    for (const { id } of members) {
      const { accounts } = await readStatement(
        asApi.db,
        { memberId: id, account: '0x0000000000000000000000000000000000000000' },
        { decimals, priceMaxAgeSeconds: 60 },
      )
      for (const { symbol, paidIn, received, spent, takenOut, held } of accounts) {
        expectToAddUp(
          {
            paidIn: paidIn.amount,
            received: received.amount,
            spent: spent.amount,
            takenOut,
            held: held.amount,
          },
          decimals[symbol],
        )
        const unitsIn = (text: string) => parseUnits(text, decimals[symbol])
        const entries = [
          [paidIn.amount, paidIn.deposits, paidIn.promotionsOnline, paidIn.pledgesOnline],
          [received.amount, ...received.parts.map(({ amount }) => amount)],
          [spent.amount, spent.promotionsFromBalance, spent.promotionsOnline, spent.transferFees, spent.undone],
          [held.amount, held.available, held.out, held.order, held.pledged],
        ]
        for (const [all = '', ...parts] of entries) expect(sum(parts.map(unitsIn))).toBe(unitsIn(all))
      }
    }
  })

  it('is zero for a new member', async () => {
    const { accounts, total } = await readStatementOf(await registerMember(api))
    expect(accounts.map(({ paidIn, held }) => [paidIn.amount, held.amount])).toEqual([
      ['0', '0'],
      ['0', '0'],
      ['0', '0'],
    ])
    expect(total).toMatchObject({ held: '0', without: [] })
  })

  it('is refused to other members, and can be read in an exit session', async () => {
    const [one, other] = [await registerMember(api), await registerMember(api)]
    const foreign = await api.call('wallet/statement', { account: one.wallet.account }, { token: other.token })
    expect(foreign.body).toMatchObject({ code: 403, reason: 'account-mismatch' })
    await disableMember(api.db, one.wallet.account)
    const { token } = (await logIn(api, one.wallet, { exit: true })).body.data
    expect((await api.call('wallet/statement', { account: one.wallet.account }, { token })).status).toBe(200)
    expect(routes['wallet/statement'].access).toBe('exit')
  })

  it('counts what was paid online for a promotion as paid in and as spent', async () => {
    const market = await startOrderFixture()
    try {
      await market.startWorker()
      const buyer = await market.buyer()
      await market.deposit(buyer.wallet, 'USDT', 150_000_000n)
      await market.finalize()
      const order = await market.placeOrder(buyer, { level: 1, balancePart: '40' })
      await market.pay(buyer.wallet, order.quote)
      await market.finalize()
      const { body } = await market.api.call(
        'wallet/statement',
        { account: buyer.wallet.address },
        { token: buyer.token },
      )
      const [usdt] = body.data.accounts
      expect(usdt).toMatchObject({
        paidIn: { amount: '210', deposits: '150', promotionsOnline: '60' },
        spent: { amount: '100', promotionsFromBalance: '40', promotionsOnline: '60', transferFees: '0', undone: '0' },
        takenOut: '0',
        held: { amount: '110', available: '110' },
        result: { takenOutAndHeld: '110', than: 'less', difference: '100' },
      })
      // Includes the airdrop of 12,000 BTN, at 0.002 USDT each.
      expect(body.data.total).toEqual({
        paidIn: '210',
        received: '24',
        spent: '100',
        takenOut: '0',
        held: '134',
        without: [],
        result: { takenOutAndHeld: '134', than: 'less', difference: '76' },
      })
      expect(await market.balanceOf('USDT', market.contracts.vault)).toBe(210_000_000n)

      const today = body.data.at.slice(0, 10)
      const period = async (from: string, to: string) => {
        const asked = { account: buyer.wallet.address, from, to }
        return (await market.api.call('wallet/period', asked, { token: buyer.token })).body.data.accounts[0]
      }
      expect(await period(today, today)).toMatchObject({
        opening: '0',
        paidIn: { amount: '210', promotionsOnline: '60' },
        spent: { amount: '100', promotionsFromBalance: '40', promotionsOnline: '60' },
        closing: '110',
      })
      expect(await period('2020-01-01', '2020-12-31')).toMatchObject({ opening: '0', closing: '0' })
      expect(await period('2090-01-01', '2090-12-31')).toMatchObject({
        opening: '110',
        paidIn: { amount: '0' },
        closing: '110',
      })
    } finally {
      await market.close()
    }
  })
})
