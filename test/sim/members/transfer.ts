import { type Asset, assets } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import type { Random } from '../random.ts'
import { plan } from '../stack/plan.ts'
import { Violation, type World } from '../world.ts'
import type { Actor } from './actor.ts'
import { textOf, unitsOf } from './amount.ts'
import { callAs, tryCallAs } from './call-as.ts'
import { fundPasswordOf } from './fund-password.ts'

type TransferOrder = DataOf<'transfer/order'>

/** Sizes around every limit. `all` is the amount that the form's Max button fills in. */
const SIZES = [
  ...['small', 'small', 'small', 'small', 'small', 'small', 'least', 'least'],
  ...['reviewed', 'reviewed', 'reviewed', 'decided', 'most'],
  ...['all', 'below the least', 'above the most', 'above all', 'above the quota'],
] as const
type AmountSize = (typeof SIZES)[number]

export type TransferWish = {
  readonly symbol: Asset
  readonly size: AmountSize
  readonly times: number
  readonly key: string
}

export const drawTransfer = (random: Random): TransferWish => ({
  symbol: random.pick(assets),
  size: random.pick(SIZES),
  times: random.pick([1, 1, 1, 2, 3]),
  key: random.hex32().slice(2, 34),
})

/** Requests a transfer. Returns the outcome in words. */
export async function transferOut(
  world: World,
  actor: Actor,
  wish: TransferWish,
): Promise<{ id: string | null; told: string }> {
  const { symbol, key } = wish
  const asked: World['requestedTransfers'][number] = { actor, wish, id: null }
  world.requestedTransfers.push(asked)
  const { account } = actor
  const password = await fundPasswordOf(world, actor)
  if (password === null) return { id: null, told: `${actor.name} has to wait for a fund password` }
  const terms = await callAs(world, actor, 'transfer/terms', { account })
  const shown = terms.symbols.find((each) => each.symbol === symbol)
  if (!shown) throw new Violation(`${actor.name} is shown no terms of ${symbol}`)
  const amountOf = (text: string): bigint => unitsOf(symbol, text)
  const { min, max, fee } = plan.transfer[symbol]
  if (amountOf(shown.min) !== min || amountOf(shown.max) !== max || amountOf(shown.fee) !== fee)
    throw new Violation(`${actor.name} is shown other terms than the plan's: ${JSON.stringify(shown)}`)
  const [available, left] = [amountOf(shown.available), amountOf(shown.quota.left)]
  const amount = amountFor(wish, { available, left })
  const told = `${actor.name} transfers ${textOf(symbol, amount)} ${symbol} out (${wish.size})`
  const input = {
    account,
    key,
    password,
    symbol,
    planVersion: terms.planVersion,
    address: terms.address,
    amount: textOf(symbol, amount),
  }
  // The same press, sent several times. It has one effect and one answer.
  const answers = await Promise.all(
    Array.from({ length: wish.times }, () => tryCallAs(world, actor, 'transfer/order', input)),
  )
  const ids = new Set(answers.flatMap((answer) => (answer.ok ? [answer.data.id] : [])))
  if (ids.size > 1) throw new Violation(`${actor.name}'s one transfer was made ${ids.size} times`)
  const [first] = answers
  if (!first) throw new Error('nobody asked')
  if (answers.some((answer) => answer.ok !== first.ok))
    throw new Violation(`${actor.name} was told different things about one transfer: ${JSON.stringify(answers)}`)
  if (!first.ok) {
    checkTransferRefusal(first.reason, { symbol, amount, available, left })
    return { id: null, told: `${told}: ${first.reason}` }
  }
  if (amount < min || amount > max) throw new Violation(`${told}, which is outside the plan's bounds`)
  acknowledge(world, actor, first.data, terms.address)
  asked.id = first.data.id
  return { id: first.data.id, told }
}

function acknowledge(world: World, { account, browser }: Actor, order: TransferOrder, address: string): void {
  world.acknowledged.transfers.set(order.id, {
    id: order.id,
    account,
    asset: order.symbol,
    amount: unitsOf(order.symbol, order.amount),
    address: address.toLowerCase(),
    browserSeenAt: browser.newSince,
  })
}

/** Only the actor's own requests lower the balance or the quota, and it made none between the two requests. */
function checkTransferRefusal(
  reason: string | undefined,
  asked: { symbol: Asset; amount: bigint; available: bigint; left: bigint },
): void {
  const { min, max, fee } = plan.transfer[asked.symbol]
  const told = JSON.stringify(asked, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  const isInRange = asked.amount >= min && asked.amount <= max
  const isCovered = asked.amount + fee <= asked.available
  switch (reason) {
    case 'amount-range':
      if (isInRange) throw new Violation(`refused as out of range: ${told}`)
      return
    case 'balance-insufficient':
      if (!isInRange || isCovered) throw new Violation(`refused for want of balance: ${told}`)
      return
    case 'quota-insufficient':
      if (!isInRange || asked.amount <= asked.left) throw new Violation(`refused for want of quota: ${told}`)
      return
    // Five requests that were cut off count as wrong attempts.
    case 'fund-password-locked':
    case 'output-address-changed':
      return
    default:
      throw new Violation(`refused as ${reason}: ${told}`)
  }
}

function amountFor({ symbol, size }: TransferWish, { available, left }: { available: bigint; left: bigint }): bigint {
  const { min, max, fee, reviewAbove, decisionAbove } = plan.transfer[symbol]
  const least = (...amounts: bigint[]): bigint => amounts.toSorted((one, other) => (one < other ? -1 : 1))[0] ?? 0n
  const all = least(max, available - fee, left)
  const isEnough = all >= min
  switch (size) {
    case 'small':
      return min * 2n
    case 'least':
      return min
    case 'reviewed':
      return reviewAbove + 1n
    case 'decided':
      return decisionAbove + 1n
    case 'most':
      return max
    case 'all':
      return isEnough ? all : min
    case 'below the least':
      return min - 1n
    case 'above the most':
      return max + 1n
    case 'above all':
      return isEnough ? all + 1n : min
    case 'above the quota':
      return least(max, left + 1n)
  }
}

/** Returns the outcome in words. */
export async function cancelTransfer(world: World, actor: Actor, id: string, key: string): Promise<string> {
  const { account } = actor
  const answer = await tryCallAs(world, actor, 'transfer/cancel', { account, id, key })
  if (answer.ok) {
    if (answer.data.state !== 'cancelled')
      throw new Violation(`${actor.name} cancelled transfer ${id}, which is ${answer.data.state} then`)
    world.acknowledged.canceledTransfers.add(id)
    return 'cancelled'
  }
  if (answer.reason !== 'order-completed')
    throw new Violation(`${actor.name} could not cancel transfer ${id}: ${answer.reason}`)
  return 'too late'
}
