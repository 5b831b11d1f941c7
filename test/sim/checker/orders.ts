import type { Acknowledged } from '../acknowledged.ts'
import { ASSET_CODES, assetOf, type Books, KIND, kindOf, ownerOf } from './books.ts'
import type { Entry } from './chain-entries.ts'
import type { OrderRow } from './order-rows.ts'

/**
 * Remembers every order that was read, to check that no fact of it changes, in particular its plan, and that it ends
 * once.
 */
export class OrderHistory {
  readonly #known = new Map<string, OrderRow>()

  findings(books: Books): string[] {
    return Array.from(this.#compare(books))
  }

  *#compare({ orders }: Books): Generator<string> {
    const present = new Set(orders.map(({ id }) => id))
    for (const id of this.#known.keys()) if (!present.has(id)) yield `order ${id} is not there any more`
    for (const order of orders) {
      const before = this.#known.get(order.id)
      if (before && factsOf(before) !== factsOf(order))
        yield `order ${order.id} was ${factsOf(before)} and is ${factsOf(order)}`
      if (before?.ended && endOf(before) !== endOf(order))
        yield `order ${order.id} had ended as ${endOf(before)} and is ${endOf(order)}`
      this.#known.set(order.id, order)
    }
  }
}

const factsOf = (order: OrderRow): string =>
  [
    ...[order.member, order.type, order.plan, order.asset, order.amount, order.part, order.madeAt, order.deadline],
    ...[order.level, order.power, order.airdrop, order.term?.days, order.term?.points, order.term?.weight],
  ].join(' ')

const endOf = ({ ended, failure, paidBy, settlement, toMining, airdropPaid, endedAt }: OrderRow): string =>
  [ended, failure, paidBy, settlement, toMining, airdropPaid, endedAt].join(' ')

type OrderCheckInput = {
  readonly books: Books
  /** The final entries of the chain. */
  readonly entries: readonly Entry[]
  readonly acknowledged: Acknowledged
  /** The time of a block, in milliseconds. */
  readonly timeOf: (block: bigint) => Promise<number>
}

/** Checks the rules of orders, with the tables and the chain alone. */
export async function orderFindings(seen: OrderCheckInput): Promise<string[]> {
  return [
    ...openFindings(seen.books),
    ...frozenFindings(seen.books),
    ...(await paymentFindings(seen)),
    ...(await closedFindings(seen)),
    ...acknowledgedFindings(seen),
  ]
}

/** A member has at most one open order of each type and buys each level once. */
function* openFindings({ orders }: Books): Generator<string> {
  const groups = <T>(of: readonly T[], key: (one: T) => string) => Array.from(Map.groupBy(of, key).entries())
  const open = orders.filter(({ ended }) => ended === null)
  for (const [whose, own] of groups(open, ({ member, type }) => `type ${type} of member ${member}`))
    if (own.length > 1) yield `${own.length} orders of ${whose} are open`
  const bought = orders.filter(({ ended, level }) => ended === 'success' && level !== null)
  for (const [what, own] of groups(bought, ({ member, level }) => `level ${level} of member ${member}`))
    if (own.length > 1) yield `${what} was bought ${own.length} times`
  const settled = orders.filter(({ ended, settlement }) => ended === 'success' && settlement !== null)
  for (const [number, own] of groups(settled, ({ settlement }) => String(settlement)))
    if (own.length > 1) yield `${own.length} orders have the settlement ${number}`
}

/** The frozen money of orders is exactly the balance parts of the open ones. */
function* frozenFindings({ orders, accounts }: Books): Generator<string> {
  const sums = new Map<string, { needed: bigint; frozen: bigint }>()
  const of = (member: bigint, asset: number) => {
    const whose = `asset ${asset} of member ${member}`
    const sum = sums.get(whose) ?? { needed: 0n, frozen: 0n }
    sums.set(whose, sum)
    return sum
  }
  for (const { member, asset, part, ended } of orders) if (ended === null) of(member, ASSET_CODES[asset]).needed += part
  for (const [account, { balance }] of accounts)
    if (kindOf(account) === KIND.frozenOrder) of(ownerOf(account), assetOf(account)).frozen += balance
  for (const [whose, { needed, frozen }] of sums)
    if (needed !== frozen) yield `${frozen} of ${whose} are frozen for orders that need ${needed}`
}

/**
 * A payment with a quote pays the order in it, if payer, token and amount match and it came in time. An order was paid
 * by a final payment with exactly these terms.
 */
async function paymentFindings({ books, entries, timeOf }: OrderCheckInput): Promise<string[]> {
  const findings: string[] = []
  const orders = new Map(books.orders.map((order) => [order.id, order]))
  const paid = new Map(books.orders.flatMap((order) => (order.paidBy === null ? [] : [[order.paidBy, order] as const])))
  const payments = entries.filter(
    ({ what, block }) => what.kind === 'payment' && block <= (books.posted?.number ?? -1n),
  )
  for (const entry of payments) {
    const order = entry.what.kind === 'payment' ? orders.get(entry.what.order ?? '') : undefined
    const taker = paid.get(entry.log)
    if (taker && (taker !== order || !isPaymentFor(books, order, entry)))
      findings.push(`order ${taker.id} is paid by ${entry.log}, which is not for it: ${describeEntry(entry)}`)
    if (!order || taker || !isPaymentFor(books, order, entry)) continue
    // A second payment of an order is its payer's deposit, and so is a payment that came too late.
    const isLate = order.deadline !== null && (await timeOf(entry.block)) > order.deadline
    if (order.paidBy === null && !isLate)
      findings.push(`${entry.log} paid order ${order.id} in time, and the order is ${order.ended} (${order.failure})`)
  }
  const final = new Set(payments.map(({ log }) => log))
  for (const [log, { id }] of paid)
    if (!final.has(log)) findings.push(`order ${id} is paid by ${log}, which is not final`)
  return findings
}

function isPaymentFor(books: Books, order: OrderRow | undefined, { asset, amount, what }: Entry): boolean {
  if (!order || what.kind !== 'payment') return false
  const payer = books.people.get(order.member)?.account
  return what.from === payer && asset === order.asset && amount === order.amount - order.part
}

const describeEntry = ({ asset, amount, what }: Entry): string => `${amount} ${asset}, ${JSON.stringify(what)}`

/** Only the chain closes a quote: nothing is unfrozen before a block after the deadline is posted. */
async function closedFindings({ books, acknowledged, timeOf }: OrderCheckInput): Promise<string[]> {
  const findings: string[] = []
  const posted = books.posted ? await timeOf(books.posted.number) : 0
  for (const { id, failure, deadline, isCancelled } of books.orders) {
    if (isCancelled && !acknowledged.orderCancels.has(id))
      findings.push(`order ${id} is cancelled, which nobody asked for`)
    if (failure !== 'cancelled' && failure !== 'expired') continue
    if (deadline === null || posted <= deadline)
      findings.push(
        `order ${id} is ${failure} at the posted ${iso(posted)}, and can be paid until ${deadline && iso(deadline)}`,
      )
    if ((failure === 'cancelled') !== isCancelled)
      findings.push(`order ${id} is ${failure}, and was cancelled: ${isCancelled}`)
  }
  return findings
}

/** Everything that the api answered is true and stays true. */
function* acknowledgedFindings({ books, acknowledged }: OrderCheckInput): Generator<string> {
  const orders = new Map(books.orders.map((order) => [order.id, order]))
  for (const { id, account, planVersion, level, termDays, amount, part } of acknowledged.orders.values()) {
    const row = orders.get(id)
    const of = books.members.get(account.toLowerCase())?.id
    const isSame =
      row &&
      row.member === of &&
      row.plan === planVersion &&
      row.level === level &&
      (row.term?.days ?? null) === termDays
    if (!isSame || row.amount !== amount || row.part !== part)
      yield `${account} was told of order ${id} for level ${level} or ${termDays} days of ${amount} by plan ${planVersion}, and there is ${row && factsOf(row)}`
    if (row && part === amount && row.ended !== 'success')
      yield `order ${id} was paid from the balance, and is ${row.ended}`
  }
  for (const [account, claimed] of acknowledged.claims) {
    const of = books.members.get(account.toLowerCase())?.id
    const own = books.rewards.filter(({ member, isClaimed }) => member === of && isClaimed)
    const sum = own.reduce((total, { amount }) => total + amount, 0n)
    if (sum < claimed) yield `${account} was told of ${claimed} claimed, and it is ${sum}`
  }
}

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** At the end of a run every deadline is long past, so no order may be open. */
export function* openOrderFindings({ orders }: Books): Generator<string> {
  for (const { id, deadline, ended } of orders)
    if (ended === null) yield `order ${id}, payable until ${deadline && iso(deadline)}, is open`
}
