import { startAnvil } from '@lode/scripts/anvil'
import { sql } from 'kysely'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestPool, type TestPool } from '../testing/pool.ts'
import { startServerProcess, type TestProcess } from '../testing/process.ts'
import { startUnreliableNode, type UnreliableNode } from '../testing/unreliable-node.ts'

/** `lode audit --chain`, run as an auditor runs it. audit-chain.integration.test.ts has the faults that it finds. */

let pool: TestPool
let node: UnreliableNode
const running: TestProcess[] = []

beforeAll(async () => {
  pool = await startTestPool({ slotsInAnEpoch: 1, wallets: 1 })
  node = await startUnreliableNode(pool.anvil.rpcUrl)
  const worker = await pool.startWorker()
  const [wallet] = pool.wallets as [PrivateKeyAccount]
  await pool.deposit(wallet, 'USDT', 5_000_000n)
  await pool.finalize()
  await worker.close()
}, 120_000)
afterAll(async () => {
  for (const process of running) process.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  await node.close()
  await pool.close()
})

async function auditWith(rpcUrl: string) {
  const environment = { ...pool.environment, DATABASE_URL: pool.database.ownerUrl }
  const process = startServerProcess('lode', environment, 'audit', '--chain', rpcUrl)
  running.push(process)
  return { code: await process.ended, words: process.output().trim() }
}

describe('lode audit --chain', { timeout: 180_000 }, () => {
  it('exits with 0 if the chain agrees, and prints neither the path nor the password of the node', async () => {
    const url = new URL(node.rpcUrl)
    Object.assign(url, { username: 'auditor', password: 'hunter2hunter2', pathname: '/v3/paid-key' })
    const { code, words } = await auditWith(url.href)
    expect(words).toMatch(/^chain {9}5 movements in blocks \d+ to \d+ of http:\/\/127\.0\.0\.1:\d+; posted up to \d+$/m)
    expect(words).toContain('Nothing is wrong: replaying the ledger gives the stored balances, and the chain agrees')
    expect(words).not.toMatch(/hunter2|paid-key|auditor/)
    expect(code).toBe(0)

    node.mode = 'fail'
    const failed = await auditWith(url.href)
    expect(failed).toMatchObject({ code: 1, words: expect.stringMatching(/^The audit is not complete, because http/) })
    expect(failed.words).not.toMatch(/hunter2|paid-key|auditor|Nothing is wrong/)
    node.mode = 'work'
  })

  it('exits with 2 if the node is behind, and does not say that nothing is wrong', async () => {
    node.changeAnswer = ({ method, params }, answer) =>
      method === 'eth_getBlockByNumber' && params[0] === 'finalized'
        ? { result: { ...(answer.result as object), number: '0x1' } }
        : answer
    const { code, words } = await auditWith(node.rpcUrl)
    expect(words).toMatch(
      /^The audit is not complete[\s\S]*^NOT COMPARED {2}the last final block of .* is 1, and the ledger/m,
    )
    expect(words).not.toMatch(/Nothing is wrong|WRONG/)
    expect(code).toBe(2)
    node.changeAnswer = (_request, answer) => answer
  })

  it('refuses what is no node, and nodes of other chains, even with the same chain id', async () => {
    expect(await auditWith('file:///etc/secret-path')).toEqual({
      code: 1,
      words: '--chain needs the address of a node: a URL that begins with http:// or https://',
    })
    for (const chainId of [pool.anvil.chainId, pool.anvil.chainId + 1]) {
      const other = await startAnvil({ slotsInAnEpoch: 1, chainId })
      const { code, words } = await auditWith(other.rpcUrl)
      expect(words).toMatch(
        chainId === pool.anvil.chainId
          ? /^Nothing was compared: the chain of http.* begins with 0x/
          : /^Nothing was compared: the node http.* is of chain \d+, not of \d+\.$/,
      )
      expect(code).toBe(1)
      await other.stop('SIGKILL')
    }
  })

  it('exits with 1 if the chain lacks what the database has', async () => {
    await sql`insert into lode.pool_address values ('\\x0101010101010101010101010101010101010101', 'cold', 1)`.execute(
      pool.db,
    )
    const { code, words } = await auditWith(node.rpcUrl)
    expect(words).toMatch(/^WRONG {2}the database has a record that the chain does not have: 1 \(cold address 0x0101/m)
    expect(code).toBe(1)
  })
})
