import { setTimeout as sleep } from 'node:timers/promises'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTestPool, type TestPool, waitUntil } from '../../testing/pool.ts'
import { readBalances, readLogLines } from '../ledger/index.ts'
import { loadIncoming } from './index.ts'

let pool: TestPool
let wallet: PrivateKeyAccount
let member: bigint

beforeAll(async () => {
  // Sixteen blocks until finality: more than the depth of any reorganization in this file.
  pool = await startTestPool({ slotsInAnEpoch: 8 })
  ;[wallet] = pool.wallets as [PrivateKeyAccount]
  member = await pool.addMember(wallet)
  await pool.startWorker()
  await pool.finalize()
})
afterAll(() => pool.close())
afterEach(async () => {
  const { books, chain } = await pool.readCustody()
  expect(books).toEqual(chain)
})

const held = async () => (await readBalances(pool.db, member)).USDT.available
const seen = () => loadIncoming(pool.db, wallet.address, 'USDT')

describe('a reorganization', { timeout: 60_000 }, () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'of %i blocks removes incoming deposits, and nothing was credited',
    async (depth) => {
      const before = await held()
      const tx = await pool.transfer(wallet, 'USDT', 100n)
      if (depth > 1) await pool.mine(depth - 1)
      await waitUntil(async () => expect(await seen()).toMatchObject([{ tx, amount: 100n }]))
      await pool.reorganize(depth)
      await waitUntil(async () => expect(await seen()).toEqual([]))
      await pool.finalize()
      expect(await held()).toBe(before)
    },
  )

  it('is recognized only once other blocks replace the old ones, because a node may just lag', async () => {
    const tx = await pool.transfer(wallet, 'USDT', 100n)
    await waitUntil(async () => expect(await seen()).toMatchObject([{ tx }]))
    await pool.rollBack(1)
    await sleep(2_000)
    expect(await seen()).toMatchObject([{ tx }])
    await pool.mine(1)
    await waitUntil(async () => expect(await seen()).toEqual([]))
    await pool.finalize()
  })

  it('that moves a transaction into another block credits it once', async () => {
    const before = await held()
    const tx = await pool.transfer(wallet, 'USDT', 40n)
    const { serialized, blockNumber } = await rawTransaction(tx)
    await waitUntil(async () => expect(await seen()).toMatchObject([{ tx, blockNumber }]))
    await pool.mine(2)
    await pool.reorganize(3)
    await waitUntil(async () => expect(await seen()).toEqual([]))
    await pool.client.sendRawTransaction({ serializedTransaction: serialized })
    await waitUntil(async () => expect(await seen()).toMatchObject([{ tx }]))
    expect((await seen())[0]?.blockNumber).not.toBe(blockNumber)
    await pool.finalize()
    expect(await held()).toBe(before + 40n)
    const lines = await readLogLines(pool.db, { member, asset: 'USDT', limit: 10 })
    expect(lines.filter(({ operation }) => operation.startsWith(tx))).toHaveLength(1)
  })
})

async function rawTransaction(hash: `0x${string}`) {
  const { blockNumber } = await pool.client.getTransactionReceipt({ hash })
  const serialized = await pool.client.request({
    method: 'eth_getRawTransactionByHash' as never,
    params: [hash] as never,
  })
  return { serialized: serialized as `0x${string}`, blockNumber }
}
