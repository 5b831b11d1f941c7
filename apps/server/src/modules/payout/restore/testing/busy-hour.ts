import { randomBytes, randomUUID } from 'node:crypto'
import { poolVaultAbi } from '@lode/contracts'
import { type Asset, ok } from '@lode/kernel'
import { orderTypes } from '@lode/wire'
import { sql } from 'kysely'
import { encodeFunctionData, toHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { vi } from 'vitest'
import { readOperatorConfig } from '../../../../platform/config/config.ts'
import { connectDatabase, type Database } from '../../../../platform/db/database.ts'
import { PASSWORD } from '../../../../testing/member.ts'
import { signInTurn } from '../../../../testing/operators.ts'
import { type Buyer, startOrderFixture } from '../../../../testing/order-fixture.ts'
import { startUnreliableNode } from '../../../../testing/unreliable-node.ts'
import { createTestWallet } from '../../../../testing/wallet.ts'
import { readBalances } from '../../../ledger/index.ts'
import { createOperators, type Proposal } from '../../../operators/index.ts'
import { createPlans } from '../../../plan/index.ts'
import { closeDays } from '../../../pledge/index.ts'
import {
  proposeListing,
  proposePayment,
  proposeReturn,
  storeListing,
  wakeForDecisions,
} from '../../../treasury/index.ts'
import { readPayouts } from '../../payout-row.ts'
import { cancelTransfer, requestTransfer } from '../../testing/paying-pool.ts'

/** Draws whole numbers below a bound, always the same for the same seed. */
export function createDraw(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/**
 * Repeats the condition until it throws no error. On a busy machine a turn of the signer takes seconds, and many turns
 * are needed. So only something that never happens reaches this limit.
 */
export const waitPatiently = <T>(condition: () => Promise<T>): Promise<T> =>
  vi.waitFor(condition, { timeout: 180_000, interval: 100 })

export type BusyPool = Awaited<ReturnType<typeof startBusyPool>>

const MEMBERS = 4
const STRANGERS = 2
/** What a member of the lowest level may take out of each asset in 24 hours, in transfers of this test. */
const TRANSFERS_PER_MEMBER = 9
/** In smallest units of BTC. A quarter of it is just below what a member may take out in 24 hours. */
const DIVIDENDS = 3_600_000n

type Variables = Readonly<Record<string, string>>

/**
 * A pool in which everything happens that moves money: deposits, transfers, canceled transfers, burns, payments by the
 * operators, returns of suspense, orders that are paid online, and dividends that are collected and transferred out.
 * `step` lets one thing happen. All processes ask two nodes of different origins.
 */
export async function startBusyPool(newMembers: number) {
  const market = await startOrderFixture({ wallets: MEMBERS + STRANGERS + newMembers })
  const api = connectDatabase(market.database.urlOf('lode_api'), { name: 'busy', max: 4 })
  const config = readOperatorConfig({ ...market.environment, DATABASE_URL: market.database.ownerUrl })
  if (!config.ok) throw new Error(config.error.join('\n'))
  const { contracts } = config.value
  const { alice, bob, ceremony } = market.operators
  const plan = await createPlans({ decimals: { USDT: 6, BTN: 18, BTC: 8 }, operators: null }).inForce(market.db)
  if (!plan) throw new Error('no plan is in force')
  const secondNode = await startUnreliableNode(market.anvil.rpcUrl)
  const nodes = `one=${market.anvil.rpcUrl},other=${secondNode.rpcUrl}`
  const startWorker = (variables: Variables = {}) => market.startWorker({ CHAIN_RPC_URL: nodes, ...variables })
  const startSigner = (variables: Variables = {}) =>
    market.startSigner({ CHAIN_RPC_URL: nodes, OPERATORS_CEREMONY: ceremony, ...variables })
  const worker = await startWorker()
  const signer = await startSigner()
  const register = async (): Promise<Buyer> => {
    const member = await market.buyer()
    const device = randomBytes(32)
    await sql`insert into lode.device values (${member.id}, ${device}, lode.now(), true)`.execute(market.db)
    await sql`update lode.session set device_hash = ${device} where member_id = ${member.id}`.execute(market.db)
    return member
  }
  const members: Buyer[] = []
  const transfersLeft = new Map<string, number>()
  for (let count = 0; count < MEMBERS; count += 1) {
    const member = await register()
    await market.deposit(member.wallet, 'USDT', 2_000_000_000n)
    await market.deposit(member.wallet, 'BTN', 40_000n * 10n ** 18n)
    members.push(member)
  }
  let newMembersLeft = newMembers
  const strangers = market.wallets.slice(0, STRANGERS)
  await market.finalize()
  for (const member of members) await pledge(market, member)
  await market.passTime(24 * 3_600)
  await fundDividend(market, DIVIDENDS)

  const decide = async (db: Database, proposal: Proposal, onSigned: Parameters<typeof signInTurn>[4]): Promise<void> =>
    signInTurn(db, market.poolId, proposal, [alice, bob], onSigned)
  const wakeWorker = async (trx: Database) => {
    await wakeForDecisions(trx)
    return ok(null)
  }

  const supplier = createTestWallet().account
  const listing = await proposeListing(market.db, contracts, { address: supplier, note: 'a supplier' })
  if (!listing.ok) throw new Error(listing.error)
  await decide(market.db, listing.value, async (trx, { id, complete }) =>
    complete ? storeListing(trx, id, supplier) : ok(null),
  )
  await market.passTime(49 * 3_600)
  await market.finalize()
  await closeAllDays(market)

  const amounts = { USDT: 10_000_000n, BTN: 1_000n * 10n ** 18n } as const
  const request = async (member: Buyer, asset: Asset, amount: bigint): Promise<string> =>
    requestTransfer(api.db, await readRequester(market.db, member), {
      asset,
      amount,
      fee: plan.transfer[asset].fee,
    })
  const requestWithinQuota = async (member: Buyer, asset: 'USDT' | 'BTN'): Promise<void> => {
    const key = `${member.id} ${asset}`
    const left = transfersLeft.get(key) ?? TRANSFERS_PER_MEMBER
    if (left === 0) return
    transfersLeft.set(key, left - 1)
    await request(member, asset, amounts[asset])
  }
  const withDividends = members.slice()
  const registerNew = async (): Promise<Buyer | null> => {
    if (newMembersLeft === 0) return null
    newMembersLeft -= 1
    return register()
  }

  const actions = {
    deposit: async (member: Buyer) => {
      await market.deposit(member.wallet, 'USDT', 15_000_000n)
    },
    plainTransfer: async (member: Buyer) => {
      await market.transfer(member.wallet, 'BTN', 500n * 10n ** 18n)
    },
    transferUsdt: (member: Buyer) => requestWithinQuota(member, 'USDT'),
    /** The fee of BTN is burned in part. */
    transferBtn: (member: Buyer) => requestWithinQuota(member, 'BTN'),
    /** Cancels a transfer of the whole balance, and asks for the same money again. */
    cancelAndAskAgain: async () => {
      const member = await registerNew()
      if (!member) return
      await market.deposit(member.wallet, 'USDT', 61_000_000n)
      await market.finalize()
      const requester = await readRequester(market.db, member)
      const id = await request(member, 'USDT', 60_000_000n)
      // The signer may have been faster.
      if ((await cancelTransfer(api.db, requester, id)) === 'ok') await request(member, 'USDT', 60_000_000n)
    },
    payTreasury: async () => {
      const operators = createOperators({ ...market.poolId, ceremony })
      const payment = { from: 'reserve:mining', symbol: 'BTN', amount: 700n, address: supplier, evidence: 'machines' }
      const proposal = await proposePayment(market.db, { operators, contracts }, payment as never)
      if (!proposal.ok) throw new Error(proposal.error)
      await decide(market.db, proposal.value, wakeWorker)
    },
    returnSuspense: async (_member: Buyer, stranger: PrivateKeyAccount) => {
      await market.transfer(stranger, 'USDT', 900n)
      await market.finalize()
      const proposal = await proposeReturn(market.db, contracts, {
        symbol: 'USDT',
        amount: 900n,
        address: stranger.address,
        note: 'sent by mistake',
      })
      if (proposal.ok) await decide(market.db, proposal.value, wakeWorker)
    },
    order: async () => {
      const member = await registerNew()
      if (!member) return
      const { quote } = await market.placeOrder(member)
      await market.pay(member.wallet, quote)
    },
    /** Transfers all of a member's dividends out. Each member has some once. */
    collectAndTransfer: async () => {
      const member = withDividends.pop()
      if (!member) return
      const account = member.wallet.address
      const { status, body } = await market.api.call('pledge/collect', { account, key: randomUUID() }, member)
      if (status !== 200) throw new Error(JSON.stringify(body))
      const { available } = (await readBalances(market.db, member.id)).BTC
      await request(member, 'BTC', available - plan.transfer.BTC.fee)
    },
  } as const
  const names = Object.keys(actions) as (keyof typeof actions)[]

  return {
    ...market,
    ceremony,
    plan,
    amounts,
    nodes,
    chain: config.value,
    startWorker,
    startSigner,

    /** Lets something happen. The first steps are one of each kind. */
    async step(index: number, draw: (below: number) => number): Promise<void> {
      const name = names[index < names.length ? index : draw(names.length)] ?? 'deposit'
      const member = members[draw(members.length)] as Buyer
      await actions[name](member, strangers[draw(STRANGERS)] as PrivateKeyAccount)
      await market.passTime(30 + draw(90))
      if (draw(3) === 0) await market.finalize()
    },

    /** Mines until nothing is on its way any more. */
    settle: (db: Database): Promise<void> =>
      waitPatiently(async () => {
        await market.mine(4)
        const open = await readPayouts(db, sql`where ended is null`)
        const { rows } = await sql`select from lode.release where ended_at is null`.execute(db)
        const waiting = open.map(({ id, heldCheck, waitsFor }) => `${id} ${heldCheck ?? waitsFor}`)
        if (open.length + rows.length > 0) throw new Error(`${rows.length} releases and ${waiting} are not settled`)
      }),

    /** Leaves one transfer signed, listed in the journal and sent, but in no block. */
    async endWithUnminedRelease(): Promise<void> {
      await market.finalize()
      await market.node.setAutomine(false)
      const id = await request(members[0] as Buyer, 'USDT', amounts.USDT)
      await waitPatiently(async () => {
        const [row] = await readPayouts(market.db, sql`where id = ${id}`)
        const { rows } = await sql`
          select from lode.release where number = ${row?.releaseNumber ?? 0n} and broadcast_at is not null`.execute(
          market.db,
        )
        if (rows.length === 0) throw new Error(`transfer ${id} is not sent: ${row?.heldCheck ?? row?.waitsFor}`)
      })
    },

    /** How often each thing happened that moves money. */
    async countEvents(): Promise<Record<string, number>> {
      const { rows } = await sql<{ event: string; count: number }>`
        select 'payout ' || kind || ' ' || ended as event, count(*)::int as count from lode.payout group by kind, ended
        union all select 'burn', count(*)::int from lode.chain_burn
        union all select 'order ' || ended, count(*)::int from lode.pay_order
          where type = ${orderTypes.promotion} group by ended
        union all select 'collected', count(distinct transaction)::int from lode.share_payment
        union all select type.name, count(*)::int from lode.ledger_transaction posted
          join lode.ledger_type type on type.code = posted.type where type.name in ('deposit', 'suspenseDeposit')
          group by type.name`.execute(market.db)
      return Object.fromEntries(rows.map(({ event, count }) => [event, count]))
    },

    async stopProcesses(): Promise<void> {
      await Promise.all([worker.close(), signer.close()])
    },

    async close(): Promise<void> {
      await api.close()
      await secondNode.close()
      await market.close()
    },
  }
}

type Market = Awaited<ReturnType<typeof startOrderFixture>>

async function pledge(market: Market, { wallet, token }: Buyer): Promise<void> {
  const terms = { planVersion: 1, quantity: '20000', termDays: 30, balancePart: '20000' }
  const request = { account: wallet.address, key: randomUUID(), password: PASSWORD, ...terms }
  const { status, body } = await market.api.call('pledge/order', request, { token })
  if (status !== 200) throw new Error(JSON.stringify(body))
}

async function fundDividend(market: Market, amount: bigint): Promise<void> {
  const funder = market.accountOf('funder')
  await market.approve(funder, 'BTC', amount)
  const { timestamp } = await market.client.getBlock()
  const args = [Number(timestamp / 86_400n), amount, { txid: toHex(randomBytes(32)), index: 0 }] as const
  const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'fundDividend', args })
  await market.mined(market.send(funder, market.contracts.vault, data))
  await market.finalize()
}

/** Closes all days that are due, as the worker does once a minute. */
async function closeAllDays({ database, poolId }: Market): Promise<void> {
  const worker = connectDatabase(database.urlOf('lode_worker'), { name: 'busy days', max: 2 })
  try {
    await closeDays(worker.db, {
      plans: createPlans({ decimals: { USDT: 6, BTN: 18, BTC: 8 }, operators: null }),
      operators: createOperators({ ...poolId, ceremony: null }),
    })
  } finally {
    await worker.close()
  }
}

/** The member with one of its sessions. */
export async function readRequester(db: Database, { id }: { readonly id: bigint }) {
  const { rows } = await sql<{ session: string }>`
    select id as session from lode.session where member_id = ${id} limit 1`.execute(db)
  const session = rows[0]?.session ?? randomUUID()
  if (!rows[0])
    await sql`
      insert into lode.session (id, token_hash, member_id, mode, device_hash)
      select ${session}, ${randomBytes(32)}, ${id}, 'full', id_hash from lode.device where member_id = ${id} limit 1`.execute(
      db,
    )
  return { id, session }
}
