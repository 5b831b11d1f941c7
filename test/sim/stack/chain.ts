import type { DevelopmentContracts } from '@lode/contracts/dev/deploy'
import { type Address, createPublicClient, type Hex, http, type PublicClient } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Random } from '../random.ts'

/** `finalized` is two epochs behind `latest`: ten blocks, so that a reorganized block was never final. */
export const SLOTS_IN_AN_EPOCH = 5
export const BLOCKS_TO_FINALITY = 2 * SLOTS_IN_AN_EPOCH
export const DEEPEST_REORGANIZATION = 8

const GAS = 600_000n
/** More than any block fee here, so that members' transactions are always in the next block. */
const FEE_PER_GAS = 1_000_000_000_000n

/** `tip` is what the block's maker gets for each unit of gas: a higher one comes earlier in the block. */
type Call = { readonly to?: Address; readonly data: Hex; readonly gas?: bigint; readonly tip?: bigint }

/** What happens to transactions in replaced blocks. */
const FATES = ['included again', 'included again', 'sent again', 'lost'] as const

/** The chain node, called directly. Blocks come only when they are mined here. */
export class Chain {
  readonly rpcUrl: string
  readonly client: PublicClient
  /** Every raw transaction that was sent from here, so that a reorganization can include it again. */
  readonly #sent = new Map<Hex, Hex>()
  readonly #insisting = new Set<string>()
  #contracts: DevelopmentContracts
  #formerVaults: readonly Address[] = []

  constructor(rpcUrl: string, contracts: DevelopmentContracts) {
    this.rpcUrl = rpcUrl
    this.#contracts = contracts
    this.client = createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }), cacheTime: 0 })
  }

  /** The pool's contracts, with its present vault. */
  get contracts(): DevelopmentContracts {
    return this.#contracts
  }

  /** The vaults before the present one, oldest first. */
  get formerVaults(): readonly Address[] {
    return this.#formerVaults
  }

  /** Every vault of the pool, oldest first. */
  get vaults(): readonly Address[] {
    return [...this.#formerVaults, this.#contracts.vault]
  }

  /** From now on this is the pool's vault: members pay there, and processes that start get it as a setting. */
  follow(vault: Address): void {
    this.#formerVaults = this.vaults
    this.#contracts = { ...this.#contracts, vault }
  }

  /** From now on a reorganization never loses calls of this account: its owner looks, and sends them again. */
  insistFor(account: Address): void {
    this.#insisting.add(account.toLowerCase())
  }

  /** Stays pending until the next block. The gas is fixed, so that transactions that revert are mined too. */
  async send(account: PrivateKeyAccount, { to, data, gas = GAS, tip = 1n }: Call): Promise<Hex> {
    const nonce = await this.client.getTransactionCount({ address: account.address, blockTag: 'pending' })
    const raw = await account.signTransaction({
      chainId: this.#contracts.chainId,
      nonce,
      data,
      gas,
      type: 'eip1559',
      maxFeePerGas: FEE_PER_GAS,
      maxPriorityFeePerGas: tip,
      ...(to === undefined ? {} : { to }),
    })
    const hash = await this.client.sendRawTransaction({ serializedTransaction: raw })
    this.#sent.set(hash, raw)
    return hash
  }

  async mine(blocks: number): Promise<void> {
    if (blocks > 0) await this.request('anvil_mine', [`0x${blocks.toString(16)}`])
  }

  latest(): Promise<bigint> {
    return this.client.getBlockNumber()
  }

  async finalized(): Promise<bigint> {
    return (await this.client.getBlock({ blockTag: 'finalized' })).number
  }

  /**
   * Replaces the newest blocks by as many others. Each sender's transactions are cut at a random position: those before
   * the cut are included in the new blocks, in order. Those after it, which cannot be mined without them, get a random
   * fate.
   */
  async reorganize(depth: number, random: Random): Promise<string> {
    const latest = await this.latest()
    const thrownOut: { hash: Hex; raw: Hex; from: Address }[] = []
    for (let number = latest - BigInt(depth) + 1n; number <= latest; number += 1n) {
      const block = await this.client.getBlock({ blockNumber: number, includeTransactions: true })
      for (const { hash, from } of block.transactions) thrownOut.push({ hash, raw: await this.#rawOf(hash), from })
    }
    // Always drawn, because whether the server has transactions there depends on its speed.
    const fateOfOthers = random.pick(FATES)
    const senders = new Set(thrownOut.map(({ from }) => from))
    const again: typeof thrownOut = []
    const sentAgain: Hex[] = []
    const told: string[] = []
    for (const sender of senders) {
      const own = thrownOut.filter(({ from }) => from === sender)
      const isOurs = own.some(({ hash }) => this.#sent.has(hash))
      const drawn = isOurs ? random.pick(FATES) : fateOfOthers
      const fate = drawn === 'lost' && this.#insisting.has(sender.toLowerCase()) ? 'sent again' : drawn
      const kept = fate === 'included again' ? own.length : isOurs ? random.between(0, own.length - 1) : 0
      again.push(...own.slice(0, kept))
      const cut = own.slice(kept)
      if (fate === 'sent again') sentAgain.push(...cut.map(({ raw }) => raw))
      told.push(
        `${kept} of ${own.length} of ${sender.slice(0, 8)} put back${cut.length > 0 ? `, the rest ${fate}` : ''}`,
      )
    }
    // In their old order, each in the same block as the one before it or in a later one.
    const inOrder = thrownOut.filter((each) => again.includes(each))
    let place = 0
    const pairs = inOrder.map(({ hash, raw }) => {
      if (this.#sent.has(hash))
        place = Math.min(depth - 1, place + (random.chance(0.4) ? random.between(0, depth - 1) : 0))
      return [raw, place] as const
    })
    await this.request('anvil_reorg', [depth, pairs])
    for (const raw of sentAgain) {
      // The node refuses it if it depends on a lost transaction or was mined before, as a real node would.
      await this.client.sendRawTransaction({ serializedTransaction: raw }).catch(() => {})
    }
    return told.join('; ')
  }

  async #rawOf(hash: Hex): Promise<Hex> {
    const raw = this.#sent.get(hash) ?? (await this.request('eth_getRawTransactionByHash', [hash]))
    return raw as Hex
  }

  async request(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const response = await fetch(this.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const answer = (await response.json()) as { result?: unknown; error?: { message: string } }
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }
}
