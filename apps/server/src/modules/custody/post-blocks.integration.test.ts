import { batchWalletAbi, batchWalletBytecode } from '@lode/contracts/dev'
import { sql } from 'kysely'
import {
  type Address,
  createTestClient,
  encodeDeployData,
  encodeFunctionData,
  http,
  numberToHex,
  pad,
  walletActions,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { connectDatabase } from '../../platform/db/database.ts'
import { address, testContracts as contracts } from '../../testing/contracts.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { startTestPool } from '../../testing/pool.ts'
import { startUnreliableNode } from '../../testing/unreliable-node.ts'
import { waitForReceipt } from '../../testing/wait-for-receipt.ts'
import { readBalances, readSystemBalances } from '../ledger/index.ts'
import { AssetMustStop } from './asset-stop.ts'
import { insertChainState } from './chain-state.ts'
import { interpretLogs, type Movement, type PayoutMovement } from './interpret-logs.ts'
import { postBlocks } from './post-blocks.ts'
import type { Settlements } from './settlements.ts'
import { placeInTransaction, transferLog } from './testing/logs.ts'

const toClose: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close()
})

const emptySettlements: Settlements = {
  payouts: {
    settle: () => Promise.reject(new Error('there are no payouts')),
    releaseOf: async () => null,
    conclude: async () => {},
  },
  payments: {
    settle: async () => ({
      transactionsFor: () => undefined,
      furtherTransactions: [],
      mayBeInsufficient: () => false,
      finish: async () => {},
    }),
    conclude: async () => {},
  },
}

const block = (number: bigint) => ({
  number,
  hash: pad(numberToHex(number), { size: 32 }),
  parentHash: pad(numberToHex(number - 1n), { size: 32 }),
  time: new Date(),
})

const none = { USDT: 0n, BTN: 0n, BTC: 0n }

const emptyRun = {
  after: block(9n),
  notPaid: [],
  problems: [],
  poolAddresses: [],
  isFirst: false,
  administrativeEvents: [],
  timeOf: () => new Date(),
  node: 'a node',
  custody: null,
}

/** A ledger that is posted up to block 9, and a connection with the worker's role and timeouts. */
async function beginLedger() {
  const database = await createTestDatabase()
  toClose.push(database.drop)
  const worker = connectDatabase(database.urlOf('lode_worker'), { name: 'posting' })
  toClose.push(worker.close)
  await insertChainState(worker.db, { chainId: 1, pool: contracts, genesisHash: block(1n).hash, before: block(9n) })
  return { database, worker }
}

describe('a run with so many payments that it is posted in parts', { timeout: 60_000 }, () => {
  it('is not posted at all if something else in it cannot be posted, so that the blocks before can be posted first', async () => {
    const { worker } = await beginLedger()
    const [log] = placeInTransaction([transferLog('USDT', address(1), contracts.vault, 1n)])
    if (!log) throw new Error('a log was placed')
    const amount = { asset: 'USDT', amount: 1n } as const
    const movements: Movement[] = Array.from({ length: 60 }, (_, logIndex) => ({
      ...amount,
      kind: 'payment',
      log: { ...log, blockNumber: 12n, logIndex },
      from: address(0x10_000 + logIndex),
      orderId: pad('0x', { size: 32 }),
    }))
    const payout: PayoutMovement = {
      ...amount,
      kind: 'payout',
      log: { ...log, blockNumber: 11n, logIndex: 0 },
      to: address(1),
      payoutId: pad('0x01', { size: 32 }),
    }
    const settlements: Settlements = {
      ...emptySettlements,
      payouts: {
        ...emptySettlements.payouts,
        settle: async () => ({ impossible: 'there is no such payout', movement: payout }),
      },
    }
    const run = { ...emptyRun, last: block(12n), movements: [payout, ...movements] }
    await expect(postBlocks(worker.db, { id: 1, contracts }, run, settlements)).rejects.toThrow(AssetMustStop)
    const { rows } = await sql`
      select posted_number as posted, booked_number as booked, (select count(*) from lode.ledger_transaction) as ledger
      from lode.chain_state`.execute(worker.db)
    expect(rows).toEqual([{ posted: 9n, booked: 0n, ledger: 0n }])
  })
})

describe('a block full of logs from strangers', { timeout: 240_000 }, () => {
  it('with plain transfers of 20,000 addresses is posted with the worker’s role and timeouts', async () => {
    const { database, worker } = await beginLedger()
    const sent = Array.from({ length: 20_000 }, (_, place) =>
      transferLog('USDT', address(0x10_000 + place), contracts.vault, 1n),
    )
    const { movements } = interpretLogs(placeInTransaction(sent), contracts, new Set())
    const blocks = {
      ...emptyRun,
      last: block(10n),
      movements,
      custody: { vault: { USDT: 20_000n, BTN: 0n, BTC: 0n }, former: none, cold: none },
    }
    const posting = await postBlocks(worker.db, { id: 1, contracts }, blocks, emptySettlements)
    expect(posting).toEqual({ outcome: 'checked', differences: [] })
    expect((await readSystemBalances(database.db))('custody:vault', 'USDT')).toBe(-20_000n)
  })

  it('is read token by token if the node does not return all logs at once', async () => {
    const pool = await startTestPool({ slotsInAnEpoch: 1, wallets: 1 })
    toClose.push(pool.close)
    const [wallet] = pool.wallets as [PrivateKeyAccount]
    const member = await pool.addMember(wallet)
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    toClose.push(node.close)
    const data = encodeDeployData({ abi: batchWalletAbi, bytecode: batchWalletBytecode, args: [wallet.address] })
    await pool.node.setBlockGasLimit({ gasLimit: 300_000_000n })
    const { contractAddress } = await waitForReceipt(
      pool.client,
      await pool.node.sendTransaction({ account: wallet, data, chain: null }),
    )
    const batcher = contractAddress as Address
    const batchMember = await pool.addMember({ address: batcher })
    await pool.transfer(wallet, 'USDT', 10_000n, batcher)
    const call = { target: pool.tokens.USDT, data: pool.transferData(pool.contracts.vault, 1n) }
    const batch = encodeFunctionData({
      abi: batchWalletAbi,
      functionName: 'executeBatch',
      args: [Array.from({ length: 1_500 }, () => call)],
    })
    const chain = createTestClient({ mode: 'anvil', transport: http(pool.anvil.rpcUrl) }).extend(walletActions)
    const hash = await chain.sendTransaction({
      account: wallet,
      to: batcher,
      data: batch,
      chain: null,
      gas: 100_000_000n,
    })
    const { blockNumber, logs } = await waitForReceipt(pool.client, hash)
    expect(logs).toHaveLength(1_500)
    await pool.transfer(wallet, 'BTC', 2n)

    node.changeAnswer = ({ method, params }, answer) => {
      if (method !== 'eth_getLogs') return answer
      const [{ address: asked, fromBlock, toBlock, blockHash }] = params as [Record<string, string | string[]>]
      if (blockHash) return answer
      const has = BigInt(fromBlock as string) <= blockNumber && blockNumber <= BigInt(toBlock as string)
      return has && (fromBlock !== toBlock || (Array.isArray(asked) && asked.length > 1))
        ? { error: { code: -32_005, message: 'query returned more than 1000 results' } }
        : answer
    }
    await pool.startWorker({ CHAIN_RPC_URL: node.rpcUrl })
    await pool.finalize()
    expect((await readBalances(pool.db, batchMember)).USDT.available).toBe(1_500n)
    expect((await readBalances(pool.db, member)).BTC.available).toBe(2n)
  })
})
