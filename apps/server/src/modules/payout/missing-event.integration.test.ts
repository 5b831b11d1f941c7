import { sql } from 'kysely'
import { isAddressEqual } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitUntil } from '../../testing/pool.ts'
import { startUnreliableNode, type UnreliableNode } from '../../testing/unreliable-node.ts'
import { listStoppedAssets, proposeWriteOff } from '../correction/index.ts'
import { endAllStops } from '../custody/index.ts'
import { readSystemBalances } from '../ledger/index.ts'
import { type PayingMember, type PayingPool, startPayingPool } from './testing/paying-pool.ts'

const AMOUNT = 10_000_000n

let pool: PayingPool
let node: UnreliableNode
let member: PayingMember
beforeAll(async () => {
  pool = await startPayingPool({ wallets: 1 })
  node = await startUnreliableNode(pool.anvil.rpcUrl)
  await pool.startWorker({ CHAIN_RPC_URL: node.rpcUrl, CHAIN_BELIEVED_AFTER_MS: '100' })
  member = await pool.addPayingMember((pool.wallets as [PrivateKeyAccount])[0], { USDT: 1_000_000_000n })
}, 60_000)
afterAll(async () => {
  await pool.close()
  await node.close()
})

describe('a release of which the nodes return the Transfer and not the event of the vault', { timeout: 60_000 }, () => {
  it('stops its asset, cannot be written off, and is settled once the nodes have the event', async () => {
    node.changeAnswer = ({ method }, answer) => {
      if (method !== 'eth_getLogs' || !Array.isArray(answer.result)) return answer
      const logs = answer.result as { address: `0x${string}` }[]
      return { result: logs.filter(({ address }) => !isAddressEqual(address, pool.contracts.vault)) }
    }
    const held = await pool.balanceOf('USDT', member.wallet.address)
    const signer = await pool.startSigner()
    const id = await pool.request(member, 'USDT', AMOUNT)
    await waitUntil(async () => expect(await pool.balanceOf('USDT', member.wallet.address)).toBeGreaterThan(held))
    await pool.mine(6)
    const stop = await waitUntil(async () => {
      const [found] = await listStoppedAssets(pool.db)
      if (!found) throw new Error('nothing is stopped')
      return found
    })
    expect(stop.reason).toContain('without a vault event')
    expect(stop.reason).toContain('It is a transaction of release 1')
    expect(stop.loss).toBeNull()
    const { rows } = await sql<{ cause: string }>`
      select '0x' || encode(tx, 'hex') || ':' || log_index as cause from lode.asset_stop`.execute(pool.db)
    const terms = { symbol: 'USDT', amount: AMOUNT, cause: rows[0]?.cause ?? '', note: 'stolen' } as const
    expect(await proposeWriteOff(pool.db, terms)).toMatchObject({
      ok: false,
      error: expect.stringContaining(stop.reason),
    })

    node.changeAnswer = (_request, answer) => answer
    expect(await endAllStops(pool.db)).toHaveLength(1)
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final' })
    expect((await readSystemBalances(pool.db))('pool:loss', 'USDT')).toBe(0n)
    await signer.close()
  })
})
