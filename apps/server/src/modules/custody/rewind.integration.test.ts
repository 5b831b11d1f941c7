import { setTimeout as sleep } from 'node:timers/promises'
import { poolVaultAbi } from '@lode/contracts'
import { sql } from 'kysely'
import { type Address, encodeFunctionData, isAddressEqual } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { setPostedBack } from '../../testing/chain-stop.ts'
import { startTestPool, type TestPool, waitUntil } from '../../testing/pool.ts'
import { startUnreliableNode } from '../../testing/unreliable-node.ts'
import { readBalances, readLogLines, readSystemBalances } from '../ledger/index.ts'
import { loadIncoming, readPostedBlock } from './index.ts'

const toClose: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close()
})

type Filter = { address: Address | Address[]; fromBlock: string; toBlock: string }

/** A pool whose worker follows the chain through a node that can leave out logs. */
async function startPoolWithLyingNode() {
  const pool = await startTestPool({ slotsInAnEpoch: 1, wallets: 1 })
  toClose.push(pool.close)
  const node = await startUnreliableNode(pool.anvil.rpcUrl)
  toClose.push(node.close)
  const [wallet] = pool.wallets as [PrivateKeyAccount]
  const member = await pool.addMember(wallet)
  const blockOf = async (hash: Promise<`0x${string}`>) =>
    (await pool.client.getTransactionReceipt({ hash: await hash })).blockNumber
  const held = async () => (await readBalances(pool.db, member)).USDT.available

  /** Makes the node leave out a block's logs: all, or only the vault's. `forgets`: it has only the newest state. */
  const leaveOutLogs = (block: bigint, which: 'all' | 'vault', { forgets }: { forgets: boolean }) => {
    node.changeAnswer = ({ method, params }, answer) => {
      if (forgets && method === 'eth_call' && String(params[1]).startsWith('0x'))
        return { error: { code: -32_000, message: 'missing trie node' } }
      if (method !== 'eth_getLogs') return answer
      const [{ address }] = params as [Filter]
      const isVault = [address].flat().some((one) => isAddressEqual(one, pool.contracts.vault))
      const logs = answer.result as { blockNumber: string }[]
      return {
        result: logs.filter(({ blockNumber }) => BigInt(blockNumber) !== block || (which === 'vault' && !isVault)),
      }
    }
  }
  const returnAllLogs = () => {
    node.changeAnswer = (_request, answer) => answer
  }
  const metric = async (url: string, name: string) => {
    const line = (await (await fetch(`${url}/metrics`)).text()).split('\n').find((text) => text.startsWith(`${name}{`))
    return line?.split(' ').at(-1)
  }
  const started = () => pool.startWorker({ CHAIN_RPC_URL: node.rpcUrl })
  return { pool, node, wallet, member, held, blockOf, keepBack: leaveOutLogs, beHonest: returnAllLogs, metric, started }
}

async function expectCustodyToMatch(pool: TestPool): Promise<void> {
  const { books, chain } = await pool.readCustody()
  expect(books).toEqual(chain)
}

describe('a log that a node left out', { timeout: 90_000 }, () => {
  it('stops a catch-up before its block if the node has the block’s state', async () => {
    const { pool, node, wallet, held, blockOf, keepBack, beHonest, metric, started } = await startPoolWithLyingNode()
    const missed = await blockOf(pool.transfer(wallet, 'USDT', 5n))
    await pool.mine(40)
    await pool.transfer(wallet, 'USDT', 6n)
    await pool.mine(40)
    keepBack(missed, 'all', { forgets: false })
    const { changeAnswer } = node
    node.changeAnswer = (request, answer) => {
      const [filter] = request.params as [Filter]
      const isWide = request.method === 'eth_getLogs' && Number(filter.toBlock) - Number(filter.fromBlock) >= 20
      return isWide ? { error: { code: -32_005, message: 'at most 20 blocks' } } : changeAnswer(request, answer)
    }
    const worker = await started()
    await waitUntil(async () => expect(await metric(worker.url, 'lode_custody_difference')).toBe('5'))
    expect((await readPostedBlock(pool.db))?.number).toBeLessThan(missed)
    beHonest()
    await pool.finalize()
    expect(await held()).toBe(11n)
  })

  it('is posted after a rewind if no state could be compared, and every other log stays posted once', async () => {
    const { pool, wallet, member, held, blockOf, keepBack, beHonest, metric, started } = await startPoolWithLyingNode()
    await pool.deposit(wallet, 'USDT', 3n)
    const funder = pool.accountOf('funder')
    await pool.approve(funder, 'BTC', 500n)
    const evidence = { txid: `0x${'ab'.repeat(32)}`, index: 3 } as const
    const day = Number((await pool.client.getBlock()).timestamp / 86_400n)
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'fundDividend', args: [day, 500n, evidence] })
    await pool.mined(pool.send(funder, pool.contracts.vault, data))
    const missed = await blockOf(pool.transfer(wallet, 'USDT', 5n))
    await pool.transfer(wallet, 'USDT', 6n)
    await pool.mine(3)
    keepBack(missed, 'all', { forgets: true })
    const worker = await started()
    const posted = await pool.settled()
    expect(posted).toBeGreaterThan(missed)
    expect(await held()).toBe(9n)
    // Nothing was compared, so no metric claims that the balances agree.
    expect(await metric(worker.url, 'lode_custody_difference')).toBeUndefined()
    expect(await metric(worker.url, 'lode_custody_checked_block')).toBe('0')

    beHonest()
    await pool.transfer(wallet, 'USDT', 7n)
    await pool.mine(3)
    await waitUntil(async () => expect(await metric(worker.url, 'lode_custody_difference')).toBe('5'))
    expect((await readPostedBlock(pool.db))?.number).toBe(posted)

    await setPostedBack(pool.db, pool.contracts.firstBlock - 1n)
    await pool.settled()
    expect(await held()).toBe(21n)
    const lines = await readLogLines(pool.db, { member, asset: 'USDT', limit: 10 })
    expect(lines.map(({ amount }) => amount).sort()).toEqual([3n, 5n, 6n, 7n])
    expect((await readSystemBalances(pool.db))('dividend:funded', 'BTC')).toBe(500n)
    const { rows } = await sql`select from lode.dividend_funding`.execute(pool.db)
    expect(rows).toHaveLength(1)
    await expectCustodyToMatch(pool)
    expect(await metric(worker.url, 'lode_custody_difference')).toBe('0')
    expect(Number(await metric(worker.url, 'lode_custody_checked_block'))).toBeGreaterThan(Number(missed))
    expect(await loadIncoming(pool.db, wallet.address, 'USDT')).toEqual([])
  })

  it('does not post its money twice if it is the vault event of a posted Transfer', async () => {
    const { pool, wallet, held, blockOf, keepBack, beHonest, started } = await startPoolWithLyingNode()
    const retold = await blockOf(pool.deposit(wallet, 'USDT', 3n))
    keepBack(retold, 'vault', { forgets: false })
    await started()
    await pool.finalize()
    expect(await held()).toBe(3n)
    beHonest()
    await setPostedBack(pool.db, retold - 1n)
    await pool.transfer(wallet, 'USDT', 4n)
    await pool.finalize()
    expect(await held()).toBe(7n)
    await expectCustodyToMatch(pool)
  })

  it('does not post its money again as a plain transfer if it is in the ledger already', async () => {
    const { pool, wallet, held, blockOf, keepBack, beHonest, started } = await startPoolWithLyingNode()
    const told = await blockOf(pool.deposit(wallet, 'USDT', 3n))
    await started()
    await pool.finalize()
    keepBack(told, 'vault', { forgets: false })
    await setPostedBack(pool.db, told - 1n)
    await pool.transfer(wallet, 'USDT', 4n)
    await pool.mine(3)
    await sleep(1_500)
    expect(await held()).toBe(3n)
    beHonest()
    await pool.settled()
    expect(await held()).toBe(7n)
    await expectCustodyToMatch(pool)
  })
})
