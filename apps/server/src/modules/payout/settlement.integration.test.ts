import { randomUUID } from 'node:crypto'
import { poolVaultAbi } from '@lode/contracts'
import { sql } from 'kysely'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { encodeEventTopics, type Hex, numberToHex, pad, toHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import { idOnChain } from '../../platform/chain/id-on-chain.ts'
import { createNode } from '../../platform/chain/node.ts'
import { nodeAt } from '../../platform/config/node-address.ts'
import { connectDatabase } from '../../platform/db/database.ts'
import { withoutCauseChecks } from '../../testing/cause-checks.ts'
import { testContracts } from '../../testing/contracts.ts'
import { startTestPool, type TestPool, waitUntil } from '../../testing/pool.ts'
import { startUnreliableNode, type UnreliableNode } from '../../testing/unreliable-node.ts'
import { type BlockRef, readChainState, readPostedBlock } from '../custody/index.ts'
import { readBalances } from '../ledger/index.ts'
import { createSettlementMetrics } from './metrics.ts'
import { readPayouts } from './payout-row.ts'
import { createSettlement } from './settlement.ts'
import { type PayingMember, type PayingPool, startPayingPool } from './testing/paying-pool.ts'

const honest: UnreliableNode['changeAnswer'] = (_request, answer) => answer

describe.each([2, 3])('a release that seems to have failed, with %i nodes', { timeout: 60_000 }, (count) => {
  let pool: TestPool
  let wallet: PrivateKeyAccount
  let member: bigint
  let posted: BlockRef
  beforeAll(async () => {
    pool = await startTestPool({ slotsInAnEpoch: 1, wallets: 1 })
    ;[wallet] = pool.wallets as [PrivateKeyAccount]
    member = await pool.addMember(wallet)
    // Nonces 0 to 4 of the payer are spent, and the vault has no log for them.
    const worker = await pool.startWorker()
    for (let nonce = 0; nonce <= 4; nonce += 1) await pool.transfer(wallet, 'USDT', 1n)
    await pool.finalize()
    await worker.close()
    const state = await readChainState(pool.db)
    if (!state?.posted) throw new Error('nothing is posted')
    posted = state.posted
  }, 60_000)
  afterAll(() => pool.close())

  async function addRelease(nonce: number): Promise<string> {
    const id = randomUUID()
    const insertSigned = sql`
      with made as (
        insert into lode.release (kind, payer, nonce, call, gas)
        values ('payouts', ${bytesOf(wallet.address)}, ${nonce}, '', 1) returning number)
      insert into lode.payout (id, kind, asset, amount, address, member_id, plan_version, level, release_number)
      select ${id}, 'transfer', 'USDT', 1, ${bytesOf(wallet.address)}, ${member}, 1, 0, number from made`
    await withoutCauseChecks(pool.db, () => insertSigned.execute(pool.db))
    return id
  }

  /** A burn has no payouts. */
  async function addBurn(nonce: number): Promise<() => Promise<boolean>> {
    const { rows } = await sql<{ number: bigint }>`
      insert into lode.release (kind, payer, nonce, call, gas, burned)
      values ('burn', ${bytesOf(wallet.address)}, ${nonce}, '', 1, 1) returning number`.execute(pool.db)
    const number = rows[0]?.number
    return async () => {
      const { rows: open } = await sql`
        select from lode.release where number = ${number} and ended_at is null`.execute(pool.db)
      return open.length === 1
    }
  }

  const isStillIn = async (id: string) =>
    (await readPayouts(pool.db, sql`where id = ${id}`)).every(({ releaseNumber }) => releaseNumber !== null)

  /** Concludes with an honest node and others. A test can make the last one lie, or the first if `liarFirst` is set. */
  async function concluding({ liarFirst = false } = {}) {
    const others: UnreliableNode[] = []
    while (others.length < count - 1) others.push(await startUnreliableNode(pool.anvil.rpcUrl))
    const inOrder = [pool.anvil, ...others].map(({ rpcUrl }) => createNode(nodeAt(rpcUrl)))
    const nodes = liarFirst ? inOrder.toReversed() : inOrder
    const role = connectDatabase(pool.database.urlOf('lode_worker'), { name: 'settlement' })
    const metrics = createSettlementMetrics(new Registry())
    const settlement = createSettlement({
      contracts: { ...testContracts, vault: pool.contracts.vault },
      metrics,
      log: pino({ level: 'silent' }),
      buildUnfreeze: () => {
        throw new Error('nothing is undone here')
      },
      buildSetAside: () => {
        throw new Error('nothing is restored here')
      },
      collectRewards: () => {
        throw new Error('nothing is restored here')
      },
    })
    return {
      others,
      liar: others.at(-1) as UnreliableNode,
      conclude: () => settlement.conclude(role.db, nodes, posted),
      alarm: async () => (await metrics.contradictions.get()).values[0]?.value,
      async close() {
        await role.close()
        for (const other of others) await other.close()
      },
    }
  }

  /** Makes a node claim that the vault has paid this payout. */
  const saysPaid = (node: UnreliableNode, id: string): void => {
    node.changeAnswer = ({ method, params }, answer) =>
      method === 'eth_call' && JSON.stringify(params).includes(idOnChain(id).slice(2)) ? { result: pad('0x1') } : answer
  }

  it('ends, so that its payouts can be canceled, only when a second node agrees', async () => {
    const { others, liar, conclude, close } = await concluding()
    const id = await addRelease(0)
    liar.changeAnswer = ({ method }, answer) => (method === 'eth_getTransactionCount' ? { result: '0x0' } : answer)
    await conclude()
    expect(await isStillIn(id)).toBe(true)
    for (const other of others) other.mode = 'fail'
    await conclude()
    expect(await isStillIn(id)).toBe(true)
    for (const other of others) other.mode = 'work'
    liar.changeAnswer = honest
    await conclude()
    expect(await isStillIn(id)).toBe(false)
    await close()
  })

  it('does not end if the second node says that the vault paid, or does not answer', async () => {
    const { others, liar, conclude, alarm, close } = await concluding()
    const id = await addRelease(1)
    saysPaid(liar, id)
    await conclude()
    expect(await isStillIn(id)).toBe(true)
    expect(await alarm()).toBe(1)
    for (const other of others)
      other.changeAnswer = ({ method }, answer) =>
        method === 'eth_call' ? { error: { code: -32_005, message: 'limit exceeded' } } : answer
    await conclude()
    expect(await isStillIn(id)).toBe(true)
    expect(await alarm()).toBe(1)
    for (const other of others) other.changeAnswer = honest
    await conclude()
    expect(await isStillIn(id)).toBe(false)
    expect(await alarm()).toBe(0)
    await close()
  })

  it('does not end if it is a burn and one node, which is asked first, says that its nonce is spent', async () => {
    const { liar, others, conclude, close } = await concluding({ liarFirst: true })
    const isOpen = await addBurn(50)
    liar.changeAnswer = ({ method }, answer) => (method === 'eth_getTransactionCount' ? { result: '0xff' } : answer)
    await conclude()
    expect(await isOpen()).toBe(true)
    for (const other of others) if (other !== liar) other.mode = 'fail'
    await conclude()
    expect(await isOpen()).toBe(true)
    await close()
  })

  it('ends if it is a burn and another node agrees that its nonce is spent', async () => {
    const { others, conclude, close } = await concluding()
    const isOpen = await addBurn(4)
    for (const other of others) other.mode = 'fail'
    await conclude()
    expect(await isOpen()).toBe(true)
    for (const other of others) other.mode = 'work'
    await conclude()
    expect(await isOpen()).toBe(false)
    await close()
  })

  it('raises an alarm if the vault has paid it, even after a later release has ended', async () => {
    const { liar, conclude, alarm, close } = await concluding()
    const paid = await addRelease(2)
    const later = await addRelease(3)
    saysPaid(liar, paid)
    await conclude()
    expect(await isStillIn(paid)).toBe(true)
    expect(await isStillIn(later)).toBe(false)
    expect(await alarm()).toBe(1)
    await close()
  })
})

describe.each([2, 3])('a claim about a payout by one of %i nodes', { timeout: 120_000 }, (count) => {
  const AMOUNT = 10_000_000n
  let pool: PayingPool
  let member: PayingMember
  let liar: UnreliableNode
  let others: UnreliableNode[]
  let workerUrl: string
  beforeAll(async () => {
    pool = await startPayingPool({ wallets: 1 })
    liar = await startUnreliableNode(pool.anvil.rpcUrl)
    others = []
    while (others.length < count - 1) others.push(await startUnreliableNode(pool.anvil.rpcUrl))
    const worker = await pool.startWorker({ CHAIN_RPC_URL: [liar, ...others].map(({ rpcUrl }) => rpcUrl).join() })
    workerUrl = worker.url
    const [wallet] = pool.wallets as [PrivateKeyAccount]
    member = await pool.addPayingMember(wallet, { USDT: 1_000_000_000n })
  }, 60_000)
  afterAll(async () => {
    await pool.close()
    for (const node of [liar, ...others]) await node.close()
  })

  afterEach(() => {
    liar.changeAnswer = honest
    for (const other of others) other.mode = 'work'
  })

  const waits = () =>
    waitUntil(async () => {
      const metrics = await (await fetch(`${workerUrl}/metrics`)).text()
      expect(metrics).toMatch(/lode_chain_waiting_for_second_node\{.*\} 1/)
      // A node that hangs is waited for several times, ten seconds each.
    }, 50_000)

  it.each(['PayoutSkipped', 'PayoutReleased'] as const)(
    '(%s, though the vault did not) is not accepted: the payout cannot be canceled and is paid once',
    async (eventName) => {
      const before = (await readBalances(pool.db, member.id)).USDT.available
      const held = await pool.balanceOf('USDT', member.wallet.address)
      const signer = await pool.startSigner()
      await pool.node.setAutomine(false)
      const id = await pool.request(member, 'USDT', AMOUNT)
      const tx = await waitUntil(async () => {
        const [waiting] = await pool.pendingTransactionsOf(pool.accountOf('payer').address)
        if (!waiting) throw new Error('it is not with the node')
        return waiting
      })
      await signer.close()
      const { rows } = await sql<{ raw: Buffer }>`
      select raw from lode.release_form order by release_number desc limit 1`.execute(pool.db)
      await pool.node.dropTransaction({ hash: tx })
      const number = (await pool.client.getBlockNumber()) + 1n
      inventEvent(liar, { eventName, id, tx, number })
      await pool.mine(6)
      await waits()
      await waitUntil(async () => expect((await readPostedBlock(pool.db))?.number).toBe(number - 1n))
      expect(await pool.payout(id)).toMatchObject({ ended: null, releaseNumber: expect.anything() })
      expect(await pool.cancel(member, id)).not.toBe('ok')

      liar.changeAnswer = honest
      await pool.node.setAutomine(true)
      const [form] = rows
      if (!form) throw new Error('nothing was signed')
      await pool.client.request({ method: 'eth_sendRawTransaction', params: [toHex(form.raw)] })
      expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final', paidTx: tx })
      expect((await pool.balanceOf('USDT', member.wallet.address)) - held).toBe(AMOUNT)
      expect(before - (await readBalances(pool.db, member.id)).USDT.available).toBe(AMOUNT + pool.terms.USDT.fee)
    },
  )

  /** Has the signer pay a transfer, and returns its id and chain transaction once a block has it. */
  async function payInBlock(): Promise<{ id: string; tx: Hex }> {
    const signer = await pool.startSigner()
    const held = await pool.balanceOf('USDT', member.wallet.address)
    const id = await pool.request(member, 'USDT', AMOUNT)
    await pool.waitUntilSigned(id)
    // The payout is in a block. If it were sent after the others are mined, no later block would make it final.
    await waitUntil(async () => expect(await pool.balanceOf('USDT', member.wallet.address)).toBeGreaterThan(held))
    await signer.close()
    const { transactions } = await pool.client.getBlock()
    return { id, tx: transactions[0] as Hex }
  }

  // Each node that hangs costs the worker ten seconds or more, so only one does.
  it.each(count === 2 ? (['fail', 'hang'] as const) : (['fail'] as const))(
    '(the vault paid) is accepted only when another node agrees (others: %s)',
    async (mode) => {
      for (const other of others) other.mode = mode
      const { id } = await payInBlock()
      await pool.mine(6)
      await waits()
      expect(await pool.payout(id)).toMatchObject({ ended: null, releaseNumber: expect.anything() })
      for (const other of others) other.mode = 'work'
      expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final' })
    },
  )

  it('(the vault did not pay, though it did) is not accepted: the payout cannot be canceled', async () => {
    // Blocks become final only when later ones are mined, so the worker has not read the payment yet.
    const { id, tx } = await payInBlock()
    liar.changeAnswer = ({ method }, answer) =>
      method === 'eth_getLogs'
        ? { result: (answer.result as { transactionHash: string }[]).filter((log) => log.transactionHash !== tx) }
        : answer
    const { blockNumber } = await pool.client.getTransactionReceipt({ hash: tx })
    await pool.mine(6)
    await waits()
    await waitUntil(async () => expect((await readPostedBlock(pool.db))?.number).toBe(blockNumber - 1n))
    expect(await pool.payout(id)).toMatchObject({ ended: null, releaseNumber: expect.anything() })
    expect(await pool.cancel(member, id)).not.toBe('ok')
    liar.changeAnswer = honest
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final', paidTx: tx })
  })

  /** Puts the invented log into a block that is not mined yet: the worker may read a block as soon as it is mined. */
  function inventEvent(
    node: UnreliableNode,
    claim: { eventName: 'PayoutSkipped' | 'PayoutReleased'; id: string; tx: Hex; number: bigint },
  ): void {
    const isPaid = claim.eventName === 'PayoutReleased'
    const [topic] = encodeEventTopics({ abi: poolVaultAbi, eventName: claim.eventName })
    const topics = [
      topic,
      idOnChain(claim.id),
      ...(isPaid ? [member.wallet.address, pool.tokens.USDT].map((to) => pad(to)) : []),
    ]
    node.changeAnswer = async ({ method, params }, answer) => {
      const [filter] = params as [{ fromBlock: Hex; toBlock: Hex; topics: unknown[] }]
      const isAsked =
        method === 'eth_getLogs' &&
        filter.topics.length === 0 &&
        BigInt(filter.fromBlock) <= claim.number &&
        BigInt(filter.toBlock) >= claim.number
      if (!isAsked) return answer
      const { hash } = await pool.client.getBlock({ blockNumber: claim.number })
      const log = {
        address: pool.contracts.vault,
        topics,
        data: isPaid ? pad(numberToHex(AMOUNT)) : pad('0x1'),
        removed: false,
        blockNumber: numberToHex(claim.number),
        blockHash: hash,
        transactionHash: claim.tx,
        transactionIndex: '0x0',
        logIndex: '0x0',
      }
      return { result: [...(answer.result as object[]), log] }
    }
  }
})
