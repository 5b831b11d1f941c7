import { type Address, type Hex, keccak256, parseTransaction, recoverTransactionAddress } from 'viem'
import type { Chain } from '../stack/chain.ts'
import type { Books } from './books.ts'

/**
 * Watches the payer's chain transactions, in a block or pending. Each was stored before it was sent, and transactions
 * with the same nonce contain the same call.
 */
export class PayerWatch {
  readonly #chain: Pick<Chain, 'client' | 'contracts' | 'vaults'>
  readonly #payer: Address
  #read: bigint
  /** Every transaction that was ever seen. One that a reorganization removed can come back. */
  readonly #sent = new Map<Hex, { readonly nonce: number; readonly call: Hex; readonly to: Address | null }>()
  readonly #parsed = new Set<string>()

  constructor(chain: Pick<Chain, 'client' | 'contracts' | 'vaults'>, payer: Address) {
    this.#chain = chain
    this.#payer = payer
    this.#read = chain.contracts.firstBlock - 1n
  }

  /** Reads the node's pool and the newest blocks. Call it before the tables are read. */
  async recordTransactions(finalized: bigint): Promise<void> {
    const { client } = this.#chain
    const latest = await client.getBlockNumber()
    for (let number = this.#read + 1n; number <= latest; number += 1n) {
      const { transactions } = await client.getBlock({ blockNumber: number, includeTransactions: true })
      for (const { hash, from, nonce, input, to } of transactions)
        if (isSameAddress(from, this.#payer)) this.#sent.set(hash, { nonce, call: input, to })
    }
    // Later blocks can still be replaced.
    if (finalized > this.#read) this.#read = finalized
    type Pool = Record<'pending' | 'queued', Record<string, Record<string, PoolTransaction>>>
    type PoolTransaction = { hash: Hex; nonce: Hex; input: Hex; to: Address | null }
    const pool = (await client.request({ method: 'txpool_content' as never })) as Pool
    for (const part of [pool.pending, pool.queued])
      for (const [from, own] of Object.entries(part))
        for (const { hash, nonce, input, to } of isSameAddress(from, this.#payer) ? Object.values(own) : [])
          this.#sent.set(hash, { nonce: Number(nonce), call: input, to })
  }

  async findings({ releases }: Books): Promise<string[]> {
    const findings: string[] = []
    const stored = new Map(releases.flatMap((release) => release.forms.map(({ hash }) => [hash, release] as const)))
    for (const [hash, { nonce, call, to }] of this.#sent) {
      const release = stored.get(hash)
      if (!release) findings.push(`the payer sent ${hash}, and nothing of it is stored`)
      else if (release.nonce !== BigInt(nonce) || release.call !== call)
        findings.push(`the payer sent ${hash} with nonce ${nonce}, and release ${release.number} is another call`)
      if (!this.#chain.vaults.some((vault) => isSameAddress(to, vault)))
        findings.push(`the payer sent ${hash} to ${to}, which is not a vault of the pool`)
    }
    for (const [nonce, own] of Map.groupBy(this.#sent.values(), (each) => each.nonce))
      if (new Set(own.map(({ call }) => call)).size > 1)
        findings.push(`the payer sent different calls by nonce ${nonce}`)
    for (const [nonce, own] of Map.groupBy(releases, (release) => release.nonce))
      if (own.length > 1) findings.push(`${own.length} releases were signed by nonce ${nonce}`)
    for (const { number, nonce, call, forms } of releases)
      for (const { hash, raw } of forms) {
        if (this.#parsed.has(hash)) continue
        const form = parseTransaction(raw as Hex)
        const by = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
        if (
          keccak256(raw as Hex) !== hash ||
          form.nonce !== Number(nonce) ||
          form.data !== call ||
          !isSameAddress(by, this.#payer)
        )
          findings.push(`what is stored as ${hash} of release ${number} is something else`)
        else this.#parsed.add(hash)
      }
    return findings
  }
}

const isSameAddress = (one: string | null, other: string | null): boolean => one?.toLowerCase() === other?.toLowerCase()
