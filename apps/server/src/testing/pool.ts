import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { btnTokenAbi, poolVaultAbi } from '@lode/contracts'
import { type DevelopmentContracts, deployDevelopment, type PoolKeys, randomKeys } from '@lode/contracts/dev/deploy'
import { type Asset, assets } from '@lode/kernel'
import { type Anvil, startAnvil } from '@lode/scripts/anvil'
import { contractVariablesOf } from '@lode/scripts/server'
import { sql } from 'kysely'
import { pino } from 'pino'
import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  keccak256,
  publicActions,
  stringToHex,
  walletActions,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { vi } from 'vitest'
import { readPostedBlock } from '../modules/custody/index.ts'
import { readSystemBalances } from '../modules/ledger/index.ts'
import { bytesOf } from '../platform/chain/hex-column.ts'
import { readSignerConfig, readWorkerConfig } from '../platform/config/config.ts'
import { type RunningSigner, startSigner } from '../processes/signer.ts'
import { type RunningWorker, startWorker } from '../processes/worker.ts'
import { TEST_ORIGIN } from './api.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { waitForReceipt } from './wait-for-receipt.ts'

/** Repeats the condition until it throws no error, for up to 20 seconds, and returns its value. */
export const waitUntil = <T>(condition: () => Promise<T>, timeout = 20_000): Promise<T> =>
  vi.waitFor(condition, { timeout, interval: 25 })

export type TestPool = Awaited<ReturnType<typeof startTestPool>>

type Options = {
  /** `finalized` is two epochs behind `latest`. */
  readonly slotsInAnEpoch?: number
  /** How many wallets have ether and some of each token. */
  readonly wallets?: number
  /** Pass one if several pools share a database. */
  readonly database?: TestDatabase
  readonly chainId?: number
}

/**
 * A pool for one test file: a chain node, the contracts on it, and a database. `startWorker` starts a worker inside the
 * test's process, as often as needed.
 */
export async function startTestPool({ slotsInAnEpoch = 2, wallets: count = 3, database, chainId }: Options = {}) {
  const [anvil, db] = await Promise.all([
    startAnvil({ slotsInAnEpoch, ...(chainId === undefined ? {} : { chainId }) }),
    database ?? createTestDatabase(),
  ])
  const folder = await mkdtemp(join(tmpdir(), 'lode-pool-'))
  const keys = randomKeys()
  const wallets = Array.from({ length: count }, () => privateKeyToAccount(generatePrivateKey()))
  const members = wallets.map(({ address }) => address)
  const contracts = await deployDevelopment({ rpcUrl: anvil.rpcUrl, keys, members })
  const chain = createChainActions(anvil, contracts, keys)
  const running = new Set<{ close(): Promise<void> }>()
  const closeWithPool = <Process extends { close(): Promise<void> }>(process: Process): Process => {
    running.add(process)
    return {
      ...process,
      close: async () => {
        if (running.delete(process)) await process.close()
      },
    }
  }

  const environment = {
    LODE_PROFILE: 'test',
    CHAIN_ID: String(anvil.chainId),
    CHAIN_NAME: 'Lode Test',
    CHAIN_RPC_URL: anvil.rpcUrl,
    PUBLIC_ORIGIN: TEST_ORIGIN,
    ...contractVariablesOf(contracts),
  }

  /** Waits until all final blocks are posted, and returns the posted block. */
  async function waitUntilPosted(): Promise<bigint> {
    const { number } = await chain.client.getBlock({ blockTag: 'finalized' })
    for (let tries = 0; ; tries += 1) {
      const posted = await readPostedBlock(db.db)
      if (posted && posted.number >= number) return posted.number
      if (tries > 2_400) throw new Error(`block ${number} is final and not posted: ${posted?.number}`)
      await sleep(25)
    }
  }

  return {
    ...chain,
    anvil,
    keys,
    /** A folder for files of this pool, such as the signer's journal. */
    folder,
    contracts,
    database: db,
    db: db.db,
    wallets,
    environment,
    settled: waitUntilPosted,

    async startWorker(extraEnvironment: Readonly<Record<string, string>> = {}): Promise<RunningWorker> {
      const config = readWorkerConfig({
        ...environment,
        DATABASE_URL: db.urlOf('lode_worker'),
        WORKER_PORT: '0',
        CHAIN_POLL_MS: '25',
        LOG_LEVEL: 'silent',
        ...extraEnvironment,
      })
      if (!config.ok) throw new Error(config.error.join('\n'))
      return closeWithPool(await startWorker(config.value, pino({ level: config.value.logLevel })))
    },

    async startSigner(extraEnvironment: Readonly<Record<string, string>> = {}): Promise<RunningSigner> {
      const config = readSignerConfig({
        ...environment,
        DATABASE_URL: db.urlOf('lode_signer'),
        SIGNER_PORT: '0',
        SIGNER_POLL_MS: '25',
        LOG_LEVEL: 'silent',
        PAYER_KEY: keys.payer,
        SIGNER_JOURNAL: join(folder, 'signer.journal'),
        ...extraEnvironment,
      })
      if (!config.ok) throw new Error(config.error.join('\n'))
      return closeWithPool(await startSigner(config.value, pino({ level: config.value.logLevel })))
    },

    /** Adds a member with this address, as if registered long ago, and returns its id. */
    async addMember({ address }: { readonly address: Address }): Promise<bigint> {
      const { rows } = await sql<{ id: bigint }>`
        insert into lode.member (account, invite_code, sponsor_id, lang)
        values (${bytesOf(address)}, upper(substring(md5(${address}) for 8)), (select min(id) from lode.member), 'en')
        returning id`.execute(db.db)
      const [member] = rows
      if (!member) throw new Error('nobody was registered')
      return member.id
    },

    /** Mines until all present blocks are final, and waits until they are posted. */
    async finalize(): Promise<void> {
      await chain.mine(2 * slotsInAnEpoch + 1)
      await waitUntilPosted()
    },

    /** What the vault and cold storage hold at the posted block, by the ledger and by the chain. */
    async readCustody(): Promise<{ books: Record<string, bigint>; chain: Record<string, bigint> }> {
      const posted = await waitUntilPosted()
      const balance = await readSystemBalances(db.db)
      const cold = await chain.client.readContract({
        address: contracts.vault,
        abi: poolVaultAbi,
        functionName: 'coldStorage',
        blockNumber: posted,
      })
      const result = { books: {} as Record<string, bigint>, chain: {} as Record<string, bigint> }
      for (const asset of assets)
        for (const [place, holder] of [
          ['vault', contracts.vault],
          ['cold', cold],
        ] as const) {
          result.books[`${place} ${asset}`] = -balance(`custody:${place}`, asset)
          result.chain[`${place} ${asset}`] = await chain.balanceOf(asset, holder, posted)
        }
      return result
    },

    async close(): Promise<void> {
      await Promise.all(Array.from(running, (process) => process.close()))
      await anvil.stop('SIGKILL')
      await rm(folder, { recursive: true, force: true })
      if (!database) await db.drop()
    },
  }
}

/** The actions on the chain. */
function createChainActions(anvil: Anvil, contracts: DevelopmentContracts, keys: PoolKeys) {
  const transport = http(anvil.rpcUrl)
  const client = createPublicClient({ transport, pollingInterval: 20 })
  const node = createTestClient({ mode: 'anvil', transport }).extend(publicActions).extend(walletActions)
  const tokens: Record<Asset, Address> = { USDT: contracts.usdt, BTN: contracts.btn, BTC: contracts.btc }

  /** A nonce is needed if several are sent before the first is mined. */
  const send = (account: PrivateKeyAccount, to: Address, data: Hex, nonce?: number): Promise<Hex> =>
    createWalletClient({ account, transport }).sendTransaction({
      to,
      data,
      chain: null,
      gas: 1_000_000n,
      ...(nonce === undefined ? {} : { nonce }),
    })

  async function waitUntilMined(hash: Promise<Hex>): Promise<Hex> {
    const receipt = await waitForReceipt(client, await hash)
    if (receipt.status !== 'success') throw new Error(`${receipt.transactionHash} reverted`)
    return receipt.transactionHash
  }

  const callVault = (from: PrivateKeyAccount, data: Hex) => waitUntilMined(send(from, contracts.vault, data))

  /** Makes a call that the administrator must announce two days before. */
  async function callAfterNotice(data: Hex): Promise<void> {
    const administrator = privateKeyToAccount(keys.administrator)
    await callVault(administrator, encodeFunctionData({ abi: poolVaultAbi, functionName: 'announce', args: [data] }))
    await node.increaseTime({ seconds: 2 * 86_400 + 1 })
    await node.mine({ blocks: 1 })
    await callVault(administrator, data)
  }

  const approveData = (amount: bigint) =>
    encodeFunctionData({ abi: btnTokenAbi, functionName: 'approve', args: [contracts.vault, amount] })
  const depositData = (asset: Asset, amount: bigint) =>
    encodeFunctionData({ abi: poolVaultAbi, functionName: 'deposit', args: [tokens[asset], amount] })
  const transferData = (to: Address, amount: bigint) =>
    encodeFunctionData({ abi: btnTokenAbi, functionName: 'transfer', args: [to, amount] })

  return {
    client,
    node,
    tokens,
    send,
    mined: waitUntilMined,
    callAfterNotice,

    /** The account accepts the payer's role and gets it, after the notice. */
    async grantPayer(account: PrivateKeyAccount): Promise<void> {
      const role = keccak256(stringToHex('PAYER'))
      await callVault(account, encodeFunctionData({ abi: poolVaultAbi, functionName: 'acceptRole', args: [role] }))
      const args = [role, account.address] as const
      await callAfterNotice(encodeFunctionData({ abi: poolVaultAbi, functionName: 'grantRole', args }))
    },

    approveData,
    depositData,
    transferData,
    accountOf: (name: keyof PoolKeys): PrivateKeyAccount => privateKeyToAccount(keys[name]),

    mine: (blocks: number): Promise<void> => node.mine({ blocks }),

    /** Replaces the last blocks by as many empty ones. */
    reorganize: async (depth: number): Promise<void> => {
      await node.request({ method: 'anvil_reorg' as never, params: [depth, []] as never })
    },

    /** Removes the last blocks without replacing them. */
    rollBack: async (depth: number): Promise<void> => {
      await node.request({ method: 'anvil_rollback' as never, params: [depth] as never })
    },

    approve: (from: PrivateKeyAccount, asset: Asset, amount: bigint): Promise<Hex> =>
      waitUntilMined(send(from, tokens[asset], approveData(amount))),

    /** Approves and deposits through the vault. */
    async deposit(from: PrivateKeyAccount, asset: Asset, amount: bigint): Promise<Hex> {
      await waitUntilMined(send(from, tokens[asset], approveData(amount)))
      return waitUntilMined(send(from, contracts.vault, depositData(asset, amount)))
    },

    /** A plain transfer to the vault, or to another address. */
    transfer: (from: PrivateKeyAccount, asset: Asset, amount: bigint, to = contracts.vault): Promise<Hex> =>
      waitUntilMined(send(from, tokens[asset], transferData(to, amount))),

    balanceOf: (asset: Asset, holder: Address, blockNumber?: bigint): Promise<bigint> =>
      client.readContract({
        address: tokens[asset],
        abi: btnTokenAbi,
        functionName: 'balanceOf',
        args: [holder],
        ...(blockNumber === undefined ? {} : { blockNumber }),
      }),
  }
}
