import type { Address } from 'viem'
import { coldStorage, payer } from '../pool.ts'
import { Violation, type World } from '../world.ts'
import { type Books, KIND, kindOf, ownerOf, readBooks } from './books.ts'
import { ChainEntries } from './chain-entries.ts'
import { creditFindings } from './credits.ts'
import { custodyFindings } from './custody.ts'
import { doubleEntryFindings } from './double-entry.ts'
import { PayerWatch } from './payer.ts'
import { PayoutHistory, payoutFindings, unendedFindings } from './payouts.ts'
import { placeFindings } from './places.ts'
import { signInFindings } from './sign-ins.ts'

const MOST_TOLD = 12

type Looked = Pick<World, 'chain' | 'stack' | 'acknowledged' | 'clockShift'>

/** Looks at database and chain with its own eyes, after every step, and knows nothing of how the server works. */
export class Checker {
  readonly #world: Looked
  readonly #cold: Address = coldStorage.address
  readonly #entries: ChainEntries
  readonly #payer: PayerWatch
  readonly #payouts = new PayoutHistory()
  #postedBefore = 0n
  /** The clock can go back; what ended before it did has ended. */
  #latestNow = 0

  constructor(world: Looked) {
    this.#world = world
    const { client, contracts } = world.chain
    this.#payer = new PayerWatch(client, payer.address, contracts.vault, contracts.firstBlock)
    this.#entries = new ChainEntries(world.chain.client, world.chain.contracts, this.#cold)
  }

  /** No block is mined meanwhile, so what was final before the books were read is what they may hold. */
  async check(): Promise<Books> {
    const { chain, stack, acknowledged, clockShift } = this.#world
    const finalized = await chain.finalized()
    this.#latestNow = Math.max(this.#latestNow, clockShift + Date.now() / 1_000)
    // What is on its way by now was stored by now.
    await this.#payer.look(finalized)
    const books = await readBooks(stack.ownerUrl)
    const entries = await this.#entries.final(finalized)
    const everything = [...entries, ...(await this.#entries.between(finalized + 1n, await chain.latest()))]
    const findings = [
      ...(await placeFindings(stack.ownerUrl)),
      ...doubleEntryFindings(books),
      ...creditFindings(books, entries, chain.contracts.chainId),
      ...signInFindings(books, acknowledged, this.#latestNow),
      ...this.#progressFindings(books, finalized),
      ...(await this.#payer.findings(books)),
      ...this.#payouts.findings(books),
      ...payoutFindings({ books, entries: everything, acknowledged }),
    ]
    for await (const finding of custodyFindings(books, chain.client, chain.contracts, this.#cold))
      findings.push(finding)
    report(findings)
    return books
  }

  /**
   * Besides, when everything was repaired and all blocks are read: nothing waits for anybody who is registered. Answers with what
   * became of the transfers.
   */
  async checkEnd(): Promise<string> {
    const books = await this.check()
    const findings: string[] = []
    for (const [account, { balance }] of books.accounts) {
      const address = kindOf(account) === KIND.suspense ? books.suspenseHolders.get(ownerOf(account)) : undefined
      if (address && balance > 0n && books.members.has(address))
        findings.push(`${balance} on account ${account} waits for ${address}, who is registered`)
    }
    report(findings)
    const ends = Map.groupBy(books.payouts, ({ ended }) => ended ?? 'open')
    const told = Array.from(ends, ([end, payouts]) => `${payouts.length} ${end}`).join(', ')
    return `${books.payouts.length} transfers (${told}) by ${books.releases.length} releases`
  }

  /** Which payouts are still open, at a time when none should be. */
  async unended(): Promise<string[]> {
    const { stack, acknowledged } = this.#world
    return Array.from(unendedFindings({ books: await readBooks(stack.ownerUrl), acknowledged }))
  }

  async openIds(): Promise<Set<string>> {
    const { payouts } = await readBooks(this.#world.stack.ownerUrl)
    return new Set(payouts.flatMap(({ id, ended, release }) => (ended === null && release === null ? [id] : [])))
  }

  /** Of these, what has not ended, and what is known about it. */
  async openOf(ids: readonly string[]): Promise<string[]> {
    const { payouts } = await readBooks(this.#world.stack.ownerUrl)
    return ids.filter((id) => payouts.find((payout) => payout.id === id)?.ended === null)
  }

  /** What has left of this member's, with fees, by symbol. */
  async paidOf(account: Address): Promise<Map<string, bigint>> {
    const { payouts, members } = await readBooks(this.#world.stack.ownerUrl)
    const id = members.get(account.toLowerCase())?.id
    const sums = new Map<string, bigint>()
    for (const { member, asset, amount, fee, ended } of payouts)
      if (member === id && ended === 'final') sums.set(asset, (sums.get(asset) ?? 0n) + amount + fee)
    return sums
  }

  /** Whether what is shown as seen and not final is what the chain has there now; or else what is not. */
  async seenFindings(): Promise<string[]> {
    const { chain, stack } = this.#world
    const { posted, seen } = await readBooks(stack.ownerUrl)
    if (!posted) return ['the books have not begun']
    const there = (await this.#entries.between(posted.number + 1n, await chain.latest())).flatMap(
      ({ log, asset, amount, what }) =>
        what.kind === 'deposit' && what.into === 'vault' ? [`${log} of ${what.from}: ${amount} ${asset}`] : [],
    )
    return [
      ...seen.filter((each) => !there.includes(each)).map((each) => `${each} is shown as seen, and not there`),
      ...there.filter((each) => !seen.includes(each)).map((each) => `${each} is there, and not shown as seen`),
    ]
  }

  /** What came from this address and is final, whether it was credited yet or not. */
  async finalDepositsOf(account: Address): Promise<Map<string, bigint>> {
    const sums = new Map<string, bigint>()
    for (const { what, asset, amount } of await this.#entries.final(await this.#world.chain.finalized()))
      if (what.kind === 'deposit' && what.from === account.toLowerCase())
        sums.set(asset, (sums.get(asset) ?? 0n) + amount)
    return sums
  }

  *#progressFindings({ posted, stoppedReason }: Books, finalized: bigint): Generator<string> {
    if (stoppedReason !== null) yield `nothing is credited any more: ${stoppedReason}`
    if (!posted) return
    if (posted.number > finalized) yield `the posted block ${posted.number} is beyond the final one, ${finalized}`
    if (posted.number < this.#postedBefore)
      yield `the posted block went back from ${this.#postedBefore} to ${posted.number}`
    this.#postedBefore = posted.number
  }
}

function report(findings: readonly string[]): void {
  if (findings.length === 0) return
  const told = findings.slice(0, MOST_TOLD).join('\n  ')
  const more = findings.length > MOST_TOLD ? `\n  and ${findings.length - MOST_TOLD} more` : ''
  throw new Violation(`the checker found:\n  ${told}${more}`)
}
