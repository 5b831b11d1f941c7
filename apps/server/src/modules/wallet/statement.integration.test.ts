import { type Asset, assets, formatAmount, units } from '@lode/kernel'
import { type DataOf, receivedTypes, routes } from '@lode/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type DatabaseConnection } from '../../platform/db/database.ts'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { openMarket } from '../../testing/market.ts'
import { logIn, registerMember, type TestMember } from '../../testing/member.ts'
import { disableAccount } from '../identity/index.ts'
import { post, type Transaction } from '../ledger/index.ts'

type Statement = DataOf<'wallet/statement'>
type Received = (typeof receivedTypes)[number]

const decimals = { USDT: 6, BTN: 18, BTC: 8 }
const shown = (asset: Asset, value: bigint): string => formatAmount(units(asset, value), decimals[asset])

/** What happened, written down by hand beside the books. */
type Notes = {
  paidIn: bigint
  online: bigint
  received: Map<Received, bigint>
  promotions: bigint
  out: bigint
  fees: bigint
  pledged: bigint
  returned: bigint
}
const blank = (): Notes => ({
  ...{ paidIn: 0n, online: 0n, received: new Map(), promotions: 0n, out: 0n, fees: 0n, pledged: 0n, returned: 0n },
})

/** Numbers that look random and are the same every time. */
function numbers(seed: number): (below: number) => number {
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
  // Whether somebody decided on an airdrop, or is due a dividend, is not what this is about.
  await sql`
    alter table lode.ledger_transaction disable trigger airdrop_is_decided, disable trigger share_is_due`.execute(
    api.db,
  )
})
afterAll(async () => {
  await Promise.all([asApi.close(), asWorker.close()])
  await api.close()
})

const statementOf = async ({ wallet, token }: TestMember): Promise<Statement> => {
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
const log = (): string => `chain:31337:0x${(++logs).toString(16).padStart(64, '0')}:0`

async function posted(by: DatabaseConnection, transaction: object): Promise<void> {
  const [outcome] = await post(by.db, [transaction as Transaction])
  if (outcome?.outcome !== 'posted') throw new Error(`${JSON.stringify(outcome)} to ${logs}`)
}

/** A long life of one member: everything that can happen to what it holds, in an order that nobody chose. */
async function live(member: bigint, other: bigint, seed: number): Promise<Record<Asset, Notes>> {
  const random = numbers(seed)
  const notes = { USDT: blank(), BTN: blank(), BTC: blank() }
  const available: Record<Asset, bigint> = { USDT: 0n, BTN: 0n, BTC: 0n }
  let [pledged, operations] = [0n, 0]

  const move = (asset: Asset, amount: bigint, from: unknown, to: unknown) => ({
    ...{ asset, amount: units(asset, amount), from, to },
  })
  const own = (kind: string, type: string, operation: string, fee = 0n) => ({
    ...{ kind, member, line: { type, operation, ...(fee > 0n && { fee }) } },
  })
  const part = (of: bigint): bigint => 1n + (of * BigInt(random(60))) / 100n

  const happenings = {
    async deposits() {
      const asset = assets[random(3)] ?? 'USDT'
      const amount = BigInt(1_000 + random(100_000))
      const [key, operation] = [log(), `in-${++operations}`]
      await posted(asWorker, {
        ...{ type: 'deposit', key },
        moves: [move(asset, amount, 'custody:vault', own('available', 'transferIn', operation))],
      })
      notes[asset].paidIn += amount
      available[asset] += amount
    },
    async transfers() {
      const asset = assets[random(3)] ?? 'USDT'
      if (available[asset] < 100n) return
      const [amount, fee, operation] = [part(available[asset] / 2n), BigInt(1 + random(20)), `out-${++operations}`]
      const [from, frozen] = [
        own('available', 'transferOut', operation, fee),
        own('frozenOut', 'transferOut', operation),
      ]
      await posted(asApi, {
        ...{ type: 'transferRequest', member, key: `${operation}-asked` },
        moves: [move(asset, amount + fee, from, { ...own('frozenOut', 'transferOut', operation, fee) })],
      })
      available[asset] -= amount + fee
      const end = random(3)
      if (end === 0) return
      if (end === 1) {
        const back = own('available', 'transferOut', operation)
        await posted(asApi, {
          ...{ type: 'transferRelease', member, key: `${operation}-back` },
          moves: [move(asset, amount + fee, frozen, back)],
        })
        available[asset] += amount + fee
        return
      }
      await posted(asWorker, {
        ...{ type: 'transferPaid', key: log() },
        moves: [move(asset, amount, frozen, 'custody:vault'), move(asset, fee, frozen, 'pool:operations')],
      })
      notes[asset].out += amount
      notes[asset].fees += fee
    },
    async pledges() {
      if (available.BTN < 100n) return
      const [balance, operation] = [part(available.BTN / 2n), `pledge-${++operations}`]
      const frozen = own('frozenOrder', 'createPledge', operation)
      await posted(asApi, {
        ...{ type: 'orderReserve', member, key: `${operation}-asked` },
        moves: [move('BTN', balance, own('available', 'createPledge', operation), frozen)],
      })
      available.BTN -= balance
      const end = random(4)
      if (end === 0) return
      if (end === 1) {
        await posted(asApi, {
          ...{ type: 'orderRelease', member, key: `${operation}-back` },
          moves: [move('BTN', balance, frozen, own('available', 'createPledge', operation))],
        })
        available.BTN += balance
        return
      }
      const online = end === 2 ? 0n : BigInt(1 + random(5_000))
      const moves = [move('BTN', balance, frozen, { kind: 'pledged', member })]
      if (online > 0n) moves.push(move('BTN', online, 'custody:vault', { kind: 'pledged', member }))
      if (online > 0n) await posted(asWorker, { type: 'pledgePaid', key: log(), moves })
      else await posted(asApi, { type: 'pledgeByBalance', member, key: `${operation}-done`, moves })
      notes.BTN.online += online
      notes.BTN.pledged += balance + online
      pledged += balance + online
    },
    async pledgesReturn() {
      if (pledged === 0n) return
      const [amount, operation] = [part(pledged / 2n), `returned-${++operations}`]
      await posted(asWorker, {
        ...{ type: 'pledgeReturn', key: `pledge:${seed}-${operation}:return` },
        moves: [move('BTN', amount, { kind: 'pledged', member }, own('available', 'pledgeReturn', operation))],
      })
      pledged -= amount
      notes.BTN.returned += amount
      available.BTN += amount
    },
    async promotes() {
      if (available.USDT < 100n) return
      const [price, operation] = [part(available.USDT / 3n), `level-${++operations}`]
      const frozen = own('frozenOrder', 'upLevelByBalance', operation)
      await posted(asApi, {
        ...{ type: 'orderReserve', member, key: `${operation}-asked` },
        moves: [move('USDT', price, own('available', 'upLevelByBalance', operation), frozen)],
      })
      available.USDT -= price
      const line = { type: 'promotionReward', operation }
      await posted(asApi, {
        ...{ type: 'promotionByBalance', member, key: `${operation}-done` },
        moves: [
          move('USDT', price - price / 10n, frozen, 'pool:mining'),
          ...(price >= 10n ? [move('USDT', price / 10n, frozen, { kind: 'available', member: other, line })] : []),
        ],
      })
      notes.USDT.promotions += price
    },
    async isRewarded() {
      const [amount, operation] = [BigInt(50 + random(500)), `reward-${++operations}`]
      const type = random(2) === 0 ? 'promotionReward' : 'upLevelReward'
      await posted(asWorker, {
        ...{ type: 'promotionPaid', key: log() },
        moves: [
          move('USDT', amount, 'custody:vault', own('available', type, operation)),
          // What waits to be claimed is not received before it is.
          move('USDT', amount, 'custody:vault', { kind: 'agentUnclaimed', member }),
        ],
      })
      notes.USDT.received.set(type, (notes.USDT.received.get(type) ?? 0n) + amount)
      available.USDT += amount
      if (random(2) === 0) return
      await posted(asApi, {
        ...{ type: 'agentReward', member, key: `${operation}-claimed` },
        moves: [move('USDT', amount, { kind: 'agentUnclaimed', member }, own('available', 'agentReward', operation))],
      })
      notes.USDT.received.set('agentReward', (notes.USDT.received.get('agentReward') ?? 0n) + amount)
      available.USDT += amount
    },
    async collects() {
      const [amount, operation] = [BigInt(1 + random(5_000)), `dividend-${++operations}`]
      await posted(asWorker, {
        ...{ type: 'dividendFunding', key: log(), moves: [move('BTC', amount, 'custody:vault', 'dividend:funded')] },
      })
      await posted(asWorker, {
        ...{ type: 'dividendClose', key: `day:${seed}-${operations}` },
        moves: [move('BTC', amount, 'dividend:funded', 'dividend:payable')],
      })
      await posted(asApi, {
        ...{ type: 'pointReward', member, key: operation },
        moves: [move('BTC', amount, 'dividend:payable', own('available', 'pointReward', operation))],
      })
      notes.BTC.received.set('pointReward', (notes.BTC.received.get('pointReward') ?? 0n) + amount)
      available.BTC += amount
    },
    async getsAnAirdrop() {
      const [amount, operation] = [BigInt(1 + random(90_000)), `airdrop-${++operations}`]
      await posted(asWorker, {
        ...{ type: 'reserveFunding', key: log(), moves: [move('BTN', amount, 'custody:vault', 'reserve:airdrop')] },
      })
      await posted(asWorker, {
        ...{ type: 'airdropForActive', member, key: operation },
        moves: [move('BTN', amount, 'reserve:airdrop', own('available', 'airdropForActive', operation))],
      })
      notes.BTN.received.set('airdropForActive', (notes.BTN.received.get('airdropForActive') ?? 0n) + amount)
      available.BTN += amount
    },
  }
  const kinds = Object.values(happenings)
  for (let step = 0; step < 160; step += 1) await kinds[random(kinds.length)]?.()
  return notes
}

const sum = (amounts: Iterable<bigint>): bigint => Array.from(amounts).reduce((all, one) => all + one, 0n)

describe('a statement', { timeout: 120_000 }, () => {
  it.each([1, 2, 3])('agrees with all that happened and with the balances, whatever it was (%i)', async (seed) => {
    const [member, other] = [await registerMember(api), await registerMember(api)]
    const notes = await live(await idOf(member), await idOf(other), seed)
    const { accounts } = await statementOf(member)
    const { items } = (await api.call('wallet/assets', { account: member.wallet.account }, { token: member.token }))
      .body.data
    for (const symbol of assets) {
      const [account, item, was] = [
        accounts.find((one) => one.symbol === symbol),
        items.find((one) => one.symbol === symbol),
        notes[symbol],
      ]
      const received = sum(was.received.values())
      const held = was.paidIn + was.online + received - was.promotions - was.out - was.fees
      expect(account).toMatchObject({
        paidIn: { amount: shown(symbol, was.paidIn + was.online), deposits: shown(symbol, was.paidIn) },
        received: {
          amount: shown(symbol, received),
          parts: receivedTypes.flatMap((type) => {
            const amount = was.received.get(type)
            return amount === undefined ? [] : [{ type, amount: shown(symbol, amount) }]
          }),
        },
        ...{ promotions: shown(symbol, was.promotions), transferredOut: shown(symbol, was.out) },
        fees: shown(symbol, was.fees),
        principal: { pledged: shown(symbol, was.pledged), returned: shown(symbol, was.returned) },
        held: { amount: shown(symbol, held), available: item?.balance, ...item?.freezeParts },
      })
    }
    // The other one has only received, and that agrees too.
    const [usdt] = (await statementOf(other)).accounts
    expect(usdt?.received.amount).toBe(usdt?.held.amount)
  })

  it('of somebody new is nothing', async () => {
    const { accounts, total } = await statementOf(await registerMember(api))
    expect(accounts.map(({ paidIn, held }) => [paidIn.amount, held.amount])).toEqual([
      ['0', '0'],
      ['0', '0'],
      ['0', '0'],
    ])
    expect(total).toMatchObject({ held: '0', without: [] })
  })

  it('is nobody else’s to see, and can be had on the way out', async () => {
    const [one, other] = [await registerMember(api), await registerMember(api)]
    const foreign = await api.call('wallet/statement', { account: one.wallet.account }, { token: other.token })
    expect(foreign.body).toMatchObject({ code: 403, reason: 'account-mismatch' })
    await disableAccount(api.db, one.wallet.account)
    const { token } = (await logIn(api, one.wallet, { exit: true })).body.data
    expect((await api.call('wallet/statement', { account: one.wallet.account }, { token })).status).toBe(200)
    expect(routes['wallet/statement'].access).toBe('exit')
  })

  it('has what was paid online for a promotion as paid in and as spent, as the chain has it', async () => {
    const market = await openMarket()
    try {
      await market.startWorker()
      const buyer = await market.buyer()
      await market.deposit(buyer.wallet, 'USDT', 150_000_000n)
      await market.finalize()
      const order = await market.made(buyer, { level: 1, balancePart: '40' })
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
        ...{ promotions: '100', held: { amount: '110', available: '110' }, net: { direction: 'in', amount: '210' } },
      })
      expect(await market.balanceOf('USDT', market.contracts.vault)).toBe(210_000_000n)
    } finally {
      await market.close()
    }
  })
})
