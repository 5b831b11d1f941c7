import { assets } from '@lode/kernel'
import type { Address } from 'viem'
import { coldStorage, payer } from '../stack/pool.ts'
import { Violation, type World } from '../world.ts'
import { ASSET_CODES, type AssetName, assetOf, type Books, KIND, kindOf, ownerOf, readBooks, TYPE } from './books.ts'
import { ChainEntries, type Entry } from './chain-entries.ts'
import { creditFindings } from './credits.ts'
import { custodyFindings } from './custody.ts'
import { doubleEntryFindings } from './double-entry.ts'
import { gainsOf } from './gains.ts'
import type { OrderRow } from './order-rows.ts'
import { OrderHistory, openOrderFindings, orderFindings } from './orders.ts'
import { partnerShareFindings, sharesOfPartners } from './partner-share.ts'
import { PayerWatch } from './payer.ts'
import { PayoutHistory, payoutFindings, unendedFindings } from './payouts.ts'
import { placeFindings } from './places.ts'
import { openPledgeFindings, PledgeHistory, paidBy, pledgeFindings, receiverOf } from './pledges.ts'
import { DayHistory, openDayFindings, productionFindings, recomputeDays } from './production.ts'
import { promotionFindings } from './promotions.ts'
import { signInFindings } from './sign-ins.ts'

const MAX_FINDINGS = 12

type CheckedWorld = Pick<World, 'chain' | 'stack' | 'acknowledged' | 'clockShift' | 'plans'>

/** In smallest units. */
type Entitlement = { readonly entitled: bigint; readonly paid: bigint; readonly withoutCollecting: bigint }

/** A member's balance in one asset, and the totals of everything that came in and went out. */
export type Holding = { readonly total: bigint; readonly gained: bigint; readonly lost: bigint }

/** The terms of a member's statement in one asset. */
export type StatementTerms = Readonly<Record<'paidIn' | 'received' | 'spent' | 'takenOut' | 'held', bigint>>

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/** Checks database and chain after every step, without code of the server. */
export class Checker {
  readonly #world: CheckedWorld
  readonly #cold: Address = coldStorage.address
  readonly #entries: ChainEntries
  readonly #payer: PayerWatch
  readonly #payouts = new PayoutHistory()
  readonly #orders = new OrderHistory()
  readonly #days = new DayHistory()
  readonly #pledges = new PledgeHistory()
  readonly #blockTimes = new Map<bigint, number>()
  #postedBefore = 0n
  /** How many vaults the pool had then. */
  #vaultsBefore = 1
  /** The latest time that the clock has shown. The clock can go back, but what has ended by then stays ended. */
  #latestNow = 0

  constructor(world: CheckedWorld) {
    this.#world = world
    this.#payer = new PayerWatch(world.chain, payer.address)
    this.#entries = new ChainEntries(world.chain, this.#cold, world.acknowledged.thefts)
  }

  /** No block is mined meanwhile, so the ledger may contain exactly what was final before it was read. */
  async check(): Promise<Books> {
    const { chain, stack, acknowledged, clockShift, plans } = this.#world
    const finalized = await chain.finalized()
    this.#latestNow = Math.max(this.#latestNow, clockShift + Date.now() / 1_000)
    // Everything that is in the node's pool now was stored in the database before.
    await this.#payer.recordTransactions(finalized)
    const books = await readBooks(stack.ownerUrl)
    const entries = await this.#entries.final(finalized)
    const everything = [...entries, ...(await this.#entries.between(finalized + 1n, await chain.latest()))]
    const timeOf = (block: bigint) => this.#timeOf(block)
    const { chainId } = chain.contracts
    const producing = { books, entries, plans, acknowledged, timeOf }
    const spent = recomputeDays(producing)
    const now = this.#latestNow * 1_000
    const findings = [
      ...(await placeFindings(stack.ownerUrl)),
      ...doubleEntryFindings(books),
      ...creditFindings(books, entries, chainId, acknowledged),
      ...signInFindings(books, acknowledged, this.#latestNow),
      ...this.#progressFindings(books, finalized),
      ...(await this.#payer.findings(books)),
      ...this.#payouts.findings(books),
      ...payoutFindings({ books, entries: everything, acknowledged }),
      ...this.#orders.findings(books),
      ...(await orderFindings({ books, entries, acknowledged, timeOf })),
      ...promotionFindings({ books, chainId, plans, acknowledged }),
      ...this.#days.findings(books),
      ...(await productionFindings(producing, spent)),
      ...(await this.#pledges.findings(books, (order) => this.#paidAt(order, entries))),
      ...pledgeFindings({ books, chainId, plans, acknowledged, wholeUnits: spent.wholeUnits, now }),
      ...partnerShareFindings(books, acknowledged),
    ]
    for await (const finding of custodyFindings(books, chain, this.#cold)) findings.push(finding)
    report(findings)
    return books
  }

  /**
   * The additional checks at the end, when everything was repaired and all blocks are read: no money waits for a
   * registered member. Returns a summary of the transfers.
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
    const orderEnds = Map.groupBy(
      books.orders,
      ({ failure, paidBy }) => failure ?? (paidBy ? 'paid online' : 'from balance'),
    )
    const toldOrders = Array.from(orderEnds, ([end, orders]) => `${orders.length} ${end}`).join(', ')
    const settled = books.pledges.filter(({ settledAt }) => settledAt !== null).length
    const paid = books.pledges.reduce((sum, pledge) => sum + pledge.paid, 0n)
    const shared = books.days.reduce((sum, { letters: { S, F, T } }) => sum + (S > 0n ? F + T : 0n), 0n)
    const missed = books.rewards.filter(({ failed }) => failed !== null).length
    return (
      `${books.payouts.length} transfers (${told}) by ${books.releases.length} releases, ` +
      `${books.orders.length} orders (${toldOrders}), ${books.rewards.length} rewards of which ${missed} missed, ` +
      `${books.pledges.length} pledges of which ${settled} ended, paid ${paid} of ${shared} that ${books.days.length} days shared out`
    )
  }

  /** The payouts, orders, days and pledges that are still open at a time when none should be. */
  async unended(): Promise<string[]> {
    const { stack, chain, acknowledged, clockShift, plans } = this.#world
    const books = await readBooks(stack.ownerUrl)
    const entries = await this.#entries.final(await chain.finalized())
    const now = clockShift * 1_000 + Date.now()
    const producing = { books, entries, plans, timeOf: (block: bigint) => this.#timeOf(block) }
    return [
      ...unendedFindings({ books, acknowledged }),
      ...openOrderFindings(books),
      ...(await openDayFindings(producing, now)),
      ...openPledgeFindings(books, now),
    ]
  }

  /**
   * A member's dividends or partner rewards: what it is entitled to by now, what it was paid, and how much of that
   * without collecting.
   */
  async entitlementOf(account: Address, symbol: 'BTC' | 'USDT'): Promise<Entitlement> {
    const { stack, chain, plans } = this.#world
    const books = await readBooks(stack.ownerUrl)
    const entries = await this.#entries.final(await chain.finalized())
    const id = books.members.get(account.toLowerCase())?.id ?? -1n
    if (symbol === 'USDT') {
      const entitled = sharesOfPartners(books).get(id)?.at(-1) ?? 0n
      return { entitled, paid: books.partnersPaid.get(id) ?? 0n, withoutCollecting: 0n }
    }
    const { wholeUnits } = recomputeDays({ books, entries, plans })
    const own = books.pledges.filter(({ member }) => member === id)
    const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
    const rests = books.transactions.filter((each) => each.type === TYPE.pledgeRest && receiverOf(each) === id)
    return {
      entitled: sum(own.map((pledge) => wholeUnits.get(pledge.id)?.at(-1) ?? 0n)),
      paid: sum(own.map(({ paid }) => paid)),
      withoutCollecting: sum(rests.map(paidBy)),
    }
  }

  async openIds(): Promise<Set<string>> {
    const { payouts } = await readBooks(this.#world.stack.ownerUrl)
    return new Set(payouts.flatMap(({ id, ended, release }) => (ended === null && release === null ? [id] : [])))
  }

  /** Those of these payouts that have not ended, with their state. */
  async openOf(ids: readonly string[]): Promise<string[]> {
    const { payouts } = await readBooks(this.#world.stack.ownerUrl)
    return ids.filter((id) => payouts.find((payout) => payout.id === id)?.ended === null)
  }

  /** What a member holds, available or frozen, by asset. */
  async holdingsOf(account: Address): Promise<Map<AssetName, Holding>> {
    const { transactions, members } = await readBooks(this.#world.stack.ownerUrl)
    const id = members.get(account.toLowerCase())?.id
    return new Map(
      Object.entries(ASSET_CODES).map(([symbol, code]) => {
        const changes = transactions.map(({ postings }) =>
          postings
            .filter((each) => ownerOf(each.account) === id && assetOf(each.account) === code && isHeld(each.account))
            .reduce((sum, { amount }) => sum + amount, 0n),
        )
        const [gained, lost] = [sum(changes.filter((each) => each > 0n)), -sum(changes.filter((each) => each < 0n))]
        return [symbol as AssetName, { total: gained - lost, gained, lost }]
      }),
    )
  }

  /**
   * A member's statement, computed from the chain and from the rows of orders, transfers, rewards and pledges. When
   * nothing is under way, paid in + received − spent − taken out is what the member holds.
   */
  async statementOf(account: Address): Promise<Map<AssetName, StatementTerms>> {
    const books = await readBooks(this.#world.stack.ownerUrl)
    const id = books.members.get(account.toLowerCase())?.id ?? -1n
    const deposits = await this.finalDepositsOf(account)
    const gains = gainsOf(books).get(id)
    return new Map(
      assets.map((asset) => {
        const promotions = books.orders.filter(
          (order) => order.member === id && order.type === 1 && order.ended === 'success' && order.asset === asset,
        )
        const transfers = books.payouts.filter(
          (payout) => payout.member === id && payout.ended === 'final' && payout.asset === asset,
        )
        const [prices, fees] = [sum(promotions.map(({ amount }) => amount)), sum(transfers.map(({ fee }) => fee))]
        const [paidIn, received] = [deposits.get(asset) ?? 0n, gains?.[asset] ?? 0n]
        const [spent, takenOut] = [prices + fees, sum(transfers.map(({ amount }) => amount))]
        return [asset, { paidIn, received, spent, takenOut, held: paidIn + received - spent - takenOut }]
      }),
    )
  }

  /** Compares the payments that are shown as seen with the chain. Returns the differences. */
  async seenFindings(): Promise<string[]> {
    const { chain, stack } = this.#world
    const { posted, seen } = await readBooks(stack.ownerUrl)
    if (!posted) return ['the books have not begun']
    const there = (await this.#entries.between(posted.number + 1n, await chain.latest())).flatMap(
      ({ log, asset, amount, what }) =>
        what.kind === 'payment' || (what.kind === 'deposit' && what.into === 'vault')
          ? [`${log} of ${what.from}: ${amount} ${asset}`]
          : [],
    )
    return [
      ...seen.filter((each) => !there.includes(each)).map((each) => `${each} is shown as seen, and not there`),
      ...there.filter((each) => !seen.includes(each)).map((each) => `${each} is there, and not shown as seen`),
    ]
  }

  /** The final deposits from this address, credited or not. */
  async finalDepositsOf(account: Address): Promise<Map<AssetName, bigint>> {
    const sums = new Map<AssetName, bigint>()
    for (const { what, asset, amount } of await this.#entries.final(await this.#world.chain.finalized()))
      if ((what.kind === 'deposit' || what.kind === 'payment') && what.from === account.toLowerCase())
        sums.set(asset, (sums.get(asset) ?? 0n) + amount)
    return sums
  }

  async #timeOf(blockNumber: bigint): Promise<number> {
    const known = this.#blockTimes.get(blockNumber)
    if (known !== undefined) return known
    const { timestamp } = await this.#world.chain.client.getBlock({ blockNumber })
    this.#blockTimes.set(blockNumber, Number(timestamp) * 1_000)
    return Number(timestamp) * 1_000
  }

  /** The block's time if the order was paid on the chain, otherwise the time in the database. */
  async #paidAt({ paidBy: log, endedAt }: OrderRow, entries: readonly Entry[]): Promise<number> {
    const entry = entries.find((each) => each.log === log)
    return entry ? this.#timeOf(entry.block) : (endedAt ?? 0)
  }

  *#progressFindings({ posted, stoppedReason, assetStops }: Books, finalized: bigint): Generator<string> {
    for (const stop of assetStops) yield `one asset is stopped, ${stop}`
    if (stoppedReason !== null && !this.#world.acknowledged.stops.has(stoppedReason))
      yield `nothing is credited any more: ${stoppedReason}`
    if (!posted) return
    if (posted.number > finalized) yield `the posted block ${posted.number} is beyond the final one, ${finalized}`
    // The logs of another vault are read from its first block on.
    const isFollowing = this.#world.chain.vaults.length > this.#vaultsBefore
    if (posted.number < this.#postedBefore && !isFollowing)
      yield `the posted block went back from ${this.#postedBefore} to ${posted.number}`
    this.#postedBefore = posted.number
    this.#vaultsBefore = this.#world.chain.vaults.length
  }
}

const HELD: readonly number[] = [KIND.available, KIND.frozenOut, KIND.frozenOrder, KIND.pledged]
const isHeld = (account: bigint): boolean => HELD.includes(kindOf(account))

function report(findings: readonly string[]): void {
  if (findings.length === 0) return
  const told = findings.slice(0, MAX_FINDINGS).join('\n  ')
  const more = findings.length > MAX_FINDINGS ? `\n  and ${findings.length - MAX_FINDINGS} more` : ''
  throw new Violation(`the checker found:\n  ${told}${more}`)
}
