import { parseUnits } from 'viem'
import type { Acknowledged } from '../acknowledged.ts'
import { DECIMALS, type PlanFile } from '../stack/plan.ts'
import { ASSET_CODES, type Books, KIND, kindOf, type LedgerTransaction, ownerOf, sumOn, TYPE } from './books.ts'
import { accountLabel, describeMoves, hasExactMoves } from './moves.ts'
import type { OrderRow } from './order-rows.ts'
import type { PledgeRow } from './production-rows.ts'

const DAY_MS = 86_400_000
const WHOLE = 10n ** BigInt(DECIMALS.BTN)

type PledgeCheckInput = {
  readonly books: Books
  readonly chainId: number
  readonly plans: readonly PlanFile[]
  readonly acknowledged: Acknowledged
  /** By pledge: what it can have been paid, after each closed day. */
  readonly wholeUnits: ReadonlyMap<string, readonly bigint[]>
  /** The latest time that the clock has ever shown, in milliseconds. */
  readonly now: number
}

/**
 * Every pledge matches its order. Its BTN is locked and returned once at its end. It is paid what it earned and no
 * more.
 */
export function* pledgeFindings(pledging: PledgeCheckInput): Generator<string> {
  const { books } = pledging
  const ledger = new Map(books.transactions.map((each) => [`${each.member} ${each.key}`, each]))
  const pledges = new Map(books.pledges.map((pledge) => [pledge.id, pledge]))
  const explained = new Set<bigint>()
  const find = (member: bigint, key: string): LedgerTransaction | undefined => {
    const found = ledger.get(`${member} ${key}`)
    if (found) explained.add(found.id)
    return found
  }
  for (const order of books.orders.filter(({ type }) => type === 3)) {
    yield* termFindings(order, pledging.plans)
    const pledge = pledges.get(order.id)
    if ((order.ended === 'success') !== (pledge !== undefined))
      yield `order ${order.id} is ${order.ended}, and its pledge is ${pledge ? 'there' : 'not there'}`
    if (pledge) yield* lockFindings(order, pledge, pledging, find)
  }
  for (const pledge of books.pledges) {
    yield* returnFindings(pledge, pledging.now, find)
    yield* paidFindings(pledge, pledging)
  }
  yield* memberFindings(pledging, explained)
  for (const { id, type } of books.transactions)
    if (PLEDGING.includes(type) && !explained.has(id)) yield `transaction ${id} of type ${type} is no pledge's`
}

const REWARDING: readonly number[] = [TYPE.pointReward, TYPE.pledgeRest]
const PLEDGING: readonly number[] = [TYPE.pledgeByBalance, TYPE.pledgePaid, TYPE.pledgeReturn, ...REWARDING]

/** Whole BTN above the plan's minimum, for one of the plan's terms, with the weight of that term. */
function* termFindings(
  { id, plan, asset, amount, part, term }: OrderRow,
  plans: readonly PlanFile[],
): Generator<string> {
  const { pledgeTerms = [], pledgeAbove = '0' } = plans[plan - 1] ?? {}
  const isOffered = pledgeTerms.some(({ days, weight }) => days === term?.days && weight === term.points)
  const isRight = asset === 'BTN' && amount % WHOLE === 0n && amount > parseUnits(pledgeAbove, DECIMALS.BTN)
  if (!term || !isOffered || !isRight || part < 0n || part > amount)
    yield `order ${id} pledges ${amount} ${asset} for ${term?.days} days of ${term?.points}, ${part} from the balance`
  if (term && term.weight !== (amount / WHOLE) * BigInt(term.points))
    yield `order ${id} of ${amount} for ${term.points} weighs ${term.weight}`
}

type FindTransaction = (member: bigint, key: string) => LedgerTransaction | undefined

function* lockFindings(
  order: OrderRow,
  pledge: PledgeRow,
  { chainId }: PledgeCheckInput,
  find: FindTransaction,
): Generator<string> {
  const { id, member, amount, part, paidBy, term } = order
  if (pledge.member !== member || pledge.amount !== amount || pledge.weight !== term?.weight)
    yield `pledge ${id} is ${pledge.amount} of ${pledge.member} at ${pledge.weight}, ordered was ${amount} of ${member} at ${term?.weight}`
  if (pledge.end - pledge.start !== term?.days)
    yield `pledge ${id} runs from ${pledge.start} to ${pledge.end}, for ${term?.days} days`
  const posted = paidBy === null ? find(member, `order:${id}:settle`) : find(0n, `chain:${chainId}:${paidBy}`)
  const moves = new Map([
    ...(part > 0n ? [[accountLabel(KIND.frozenOrder, member), -part] as const] : []),
    ...(part < amount ? [[accountLabel(KIND.vault, 0n), part - amount] as const] : []),
    [accountLabel(KIND.pledged, member), amount] as const,
  ])
  const type = paidBy === null ? TYPE.pledgeByBalance : TYPE.pledgePaid
  if (!posted || posted.type !== type || !hasExactMoves(posted, moves, ASSET_CODES.BTN))
    yield `pledge ${id} of ${amount}, ${part} from the balance, is in the books ${posted && describeMoves(posted)}`
}

/** A pledge is not returned before the first second of the day on which it no longer runs. */
function* returnFindings(
  { id, member, amount, end, returnedAt }: PledgeRow,
  now: number,
  find: FindTransaction,
): Generator<string> {
  const posted = find(0n, `pledge:${id}:return`)
  const moves = new Map([
    [accountLabel(KIND.pledged, member), -amount],
    [accountLabel(KIND.available, member), amount],
  ])
  if (returnedAt === null && posted) yield `pledge ${id} is not returned, and the books have ${describeMoves(posted)}`
  if (returnedAt === null) return
  if (!posted || posted.type !== TYPE.pledgeReturn || !hasExactMoves(posted, moves, ASSET_CODES.BTN))
    yield `pledge ${id} of ${amount} is returned, and the books have ${posted && describeMoves(posted)}`
  if (now < end * DAY_MS || returnedAt < end * DAY_MS)
    yield `pledge ${id} came back at ${new Date(returnedAt).toISOString()}, before day ${end}`
}

/**
 * A pledge was paid what it had earned after some closed day. A settled one has everything, and none stays unsettled
 * after its end.
 */
function* paidFindings(
  { id, paid, end, settledAt }: PledgeRow,
  { books, wholeUnits }: PledgeCheckInput,
): Generator<string> {
  const whole = wholeUnits.get(id) ?? []
  if (paid !== 0n && !whole.includes(paid)) yield `pledge ${id} was paid ${paid}, and had ${whole.join(', ')}`
  const last = books.days.at(-1)?.day ?? -1
  if (settledAt !== null && (last < end - 1 || paid !== (whole.at(-1) ?? 0n)))
    yield `pledge ${id} to day ${end} was settled with ${paid} of ${whole.at(-1)} when day ${last} was the last`
  if (settledAt === null && last >= end) yield `pledge ${id} to day ${end} is not settled, and day ${last} is closed`
}

/** By member: the locked BTN, the total paid, and each single payment. */
function* memberFindings({ books, acknowledged }: PledgeCheckInput, explained: Set<bigint>): Generator<string> {
  const settled = new Set(books.pledges.filter(({ settledAt }) => settledAt !== null).map(({ id }) => id))
  const rewards = Map.groupBy(
    books.transactions.filter(({ type }) => REWARDING.includes(type)),
    receiverOf,
  )
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
  for (const { id, account } of books.people.values()) {
    const own = books.pledges.filter(({ member }) => member === id)
    const locked = sum(own.filter(({ returnedAt }) => returnedAt === null).map(({ amount }) => amount))
    const held = sumOn(books, KIND.pledged, id)
    if (locked !== held) yield `member ${id} has ${held} locked for pledges of ${locked}`
    let [collected, byItself] = [0n, 0n]
    for (const reward of rewards.get(id) ?? []) {
      explained.add(reward.id)
      const amount = paidBy(reward)
      const moves = new Map([
        [accountLabel(KIND.dividendPayable, 0n), -amount],
        [accountLabel(KIND.available, id), amount],
      ])
      const isRest = reward.type === TYPE.pledgeRest
      if (isRest) byItself += amount
      else collected += amount
      const isKnown = isRest
        ? settled.has(/^pledge:(.+):rest$/.exec(reward.key)?.[1] ?? '')
        : reward.member === id && reward.key.startsWith('collect:')
      if (!isKnown || !hasExactMoves(reward, moves, ASSET_CODES.BTC))
        yield `${reward.key} of ${id} went ${describeMoves(reward)}`
    }
    const paid = sum(own.map((pledge) => pledge.paid))
    if (paid !== collected + byItself) yield `member ${id} was paid ${collected} and ${byItself} for pledges of ${paid}`
    const told =
      Array.from(acknowledged.collected.BTC).find(([address]) => address.toLowerCase() === account)?.[1] ?? 0n
    if (collected !== told) yield `member ${id} was told of ${told} collected, and it is ${collected}`
  }
}

/** The member whose balance received the money. */
export const receiverOf = ({ postings }: LedgerTransaction): bigint | undefined => {
  const got = postings.find(({ account }) => kindOf(account) === KIND.available)
  return got && ownerOf(got.account)
}

export const paidBy = ({ postings }: LedgerTransaction): bigint =>
  postings.filter(({ account }) => kindOf(account) === KIND.available).reduce((sum, { amount }) => sum + amount, 0n)

/**
 * Remembers every pledge that was read, to check that no fact of it changes, that its paid amount never falls, and that
 * it ends once.
 */
export class PledgeHistory {
  readonly #known = new Map<string, PledgeRow>()
  #lastDay = -1

  /** `paidAt` returns the chain's time if the order was paid on the chain. */
  async findings(books: Books, paidAt: (order: OrderRow) => Promise<number>): Promise<string[]> {
    const findings: string[] = []
    const orders = new Map(books.orders.map((order) => [order.id, order]))
    const present = new Set(books.pledges.map(({ id }) => id))
    for (const id of this.#known.keys()) if (!present.has(id)) findings.push(`pledge ${id} is not there any more`)
    const lastDay = books.days.at(-1)?.day ?? -1
    for (const pledge of books.pledges) {
      const before = this.#known.get(pledge.id)
      this.#known.set(pledge.id, pledge)
      if (before) {
        findings.push(...changesOf(before, pledge))
        continue
      }
      const order = orders.get(pledge.id)
      const day = order ? Math.floor((await paidAt(order)) / DAY_MS) : -1
      // A pledge starts on the day after the payment, or after the last closed day. That day may have been closed
      // between two checks.
      const [earliest, latest] = [Math.max(day, this.#lastDay) + 1, Math.max(day, lastDay) + 1]
      if (pledge.start < earliest || pledge.start > latest)
        findings.push(`pledge ${pledge.id} was paid on day ${day} and begins on ${pledge.start}, not ${earliest}`)
    }
    this.#lastDay = lastDay
    return findings
  }
}

function* changesOf(was: PledgeRow, is: PledgeRow): Generator<string> {
  const facts = ({ member, amount, weight, start, end }: PledgeRow) => [member, amount, weight, start, end].join(' ')
  if (facts(was) !== facts(is)) yield `pledge ${is.id} was ${facts(was)} and is ${facts(is)}`
  if (is.paid < was.paid) yield `pledge ${is.id} was paid ${was.paid}, and now ${is.paid}`
  for (const end of ['returnedAt', 'settledAt'] as const)
    if (was[end] !== null && was[end] !== is[end]) yield `pledge ${is.id} had ${end} ${was[end]} and has ${is[end]}`
}

/** At the end of a run, every pledge past its end is returned, and settled if its last day is closed. */
export function* openPledgeFindings({ pledges, days }: Books, now: number): Generator<string> {
  const last = days.at(-1)?.day ?? -1
  for (const { id, end, returnedAt, settledAt } of pledges) {
    if (returnedAt === null && end * DAY_MS < now) yield `pledge ${id} to day ${end} is not returned`
    if (settledAt === null && end - 1 <= last) yield `pledge ${id} to day ${end} is not settled`
  }
}
