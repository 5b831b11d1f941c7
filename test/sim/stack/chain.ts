import type { DevelopmentContracts } from '@lode/contracts/dev/deploy'
import { type Address, createPublicClient, type Hex, http, type PublicClient } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Random } from '../random.ts'

/** `finalized` lies two of them behind `latest`: ten blocks, so that what is reorganised was never final. */
export const SLOTS_IN_AN_EPOCH = 5
export const BLOCKS_TO_FINALITY = 2 * SLOTS_IN_AN_EPOCH
export const DEEPEST_REORGANISATION = 8

const GAS = 600_000n
/** More than a block ever costs here, so that members' transactions are in the next one, however dear. */
const FEE_PER_GAS = 1_000_000_000_000n

type Call = { readonly to?: Address; readonly data: Hex; readonly gas?: bigint }

/** What becomes of what stood in blocks that are reorganised away. */
const FATES = ['included again', 'included again', 'sent again', 'lost'] as const

/** The node, spoken to directly; blocks come when they are mined here and never by themselves. */
export class Chain {
  readonly rpcUrl: string
  readonly contracts: DevelopmentContracts
  readonly client: PublicClient
  /** Whatever was ever sent from here, as it was signed: what a reorganisation throws out can be put back in. */
  readonly #sent = new Map<Hex, Hex>()

  constructor(rpcUrl: string, contracts: DevelopmentContracts) {
    this.rpcUrl = rpcUrl
    this.contracts = contracts
    this.client = createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }), cacheTime: 0 })
  }

  /** Waits in the pool until the next block. Its gas is fixed, so that what reverts is mined too. */
  async send(account: PrivateKeyAccount, { to, data, gas = GAS }: Call): Promise<Hex> {
    const nonce = await this.client.getTransactionCount({ address: account.address, blockTag: 'pending' })
    const raw = await account.signTransaction({
      chainId: this.contracts.chainId,
      nonce,
      data,
      gas,
      type: 'eip1559',
      maxFeePerGas: FEE_PER_GAS,
      maxPriorityFeePerGas: 1n,
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
   * Replaces the newest blocks by as many others. A sender's transactions are cut somewhere: those before the cut are put into
   * the new blocks, in their order, and those behind it (which cannot go without them) meet their fate.
   */
  async reorganise(depth: number, random: Random): Promise<string> {
    const latest = await this.latest()
    const thrownOut: { hash: Hex; raw: Hex; from: Address }[] = []
    for (let number = latest - BigInt(depth) + 1n; number <= latest; number += 1n) {
      const block = await this.client.getBlock({ blockNumber: number, includeTransactions: true })
      for (const { hash, from } of block.transactions) thrownOut.push({ hash, raw: await this.#rawOf(hash), from })
    }
    // Whether the server has something there depends on how far it is, so that is drawn for always.
    const fateOfOthers = random.pick(FATES)
    const senders = new Set(thrownOut.map(({ from }) => from))
    const again: typeof thrownOut = []
    const sentAgain: Hex[] = []
    const told: string[] = []
    for (const sender of senders) {
      const own = thrownOut.filter(({ from }) => from === sender)
      const isOurs = own.some(({ hash }) => this.#sent.has(hash))
      const fate = isOurs ? random.pick(FATES) : fateOfOthers
      const kept = fate === 'included again' ? own.length : isOurs ? random.between(0, own.length - 1) : 0
      again.push(...own.slice(0, kept))
      const cut = own.slice(kept)
      if (fate === 'sent again') sentAgain.push(...cut.map(({ raw }) => raw))
      told.push(
        `${kept} of ${own.length} of ${sender.slice(0, 8)} put back${cut.length > 0 ? `, the rest ${fate}` : ''}`,
      )
    }
    // In the order in which they stood, each in a block not before that of the one before it.
    const inOrder = thrownOut.filter((each) => again.includes(each))
    let place = 0
    const pairs = inOrder.map(({ hash, raw }) => {
      if (this.#sent.has(hash))
        place = Math.min(depth - 1, place + (random.chance(0.4) ? random.between(0, depth - 1) : 0))
      return [raw, place] as const
    })
    await this.request('anvil_reorg', [depth, pairs])
    for (const raw of sentAgain) {
      // What it builds on may be lost, or it was mined before: then the node refuses it, as a real one would.
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
