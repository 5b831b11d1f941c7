import type { DataOf } from '@lode/wire'
import type { Random } from '../random.ts'
import { DECIMALS } from '../stack/plan.ts'
import { Violation, type World } from '../world.ts'
import type { Actor } from './actor.ts'
import { textOf, unitsOf } from './amount.ts'
import { callAs } from './call-as.ts'
import { balancePartOf, beginOrder, sendOrderRepeatedly } from './send-order.ts'

const methods = ['online', 'online', 'mixed', 'mixed', 'balance', 'balance', 'balance'] as const
const oddities = [
  ...(['none', 'none', 'none', 'none', 'none', 'none', 'none', 'none'] as const),
  ...(['an old plan', 'above the amount', 'another term', 'too little'] as const),
]

export type PledgeWish = {
  readonly method: (typeof methods)[number]
  readonly oddity: (typeof oddities)[number]
  /** Whole BTN above the plan's minimum. */
  readonly beyond: number
  /** The index of the plan's term. It wraps around after the last one. */
  readonly term: number
  /** In percent: the part of the amount that is paid from the balance, for mixed payment. */
  readonly share: number
  readonly times: number
  readonly key: string
}

export const drawPledge = (random: Random): PledgeWish => ({
  method: random.pick(methods),
  oddity: random.pick(oddities),
  beyond: random.pick([1, 2, random.between(3, 9_999), 45_000]),
  term: random.pick([0, 1, 1, 2, 2, 3]),
  share: random.between(1, 99),
  times: random.pick([1, 1, 1, 2, 3]),
  key: random.hex32().slice(2, 34),
})

type PledgeOrder = DataOf<'pledge/order'>

/** Orders a pledge. Returns the order, if there is one, and the outcome in words. */
export async function pledge(
  world: World,
  actor: Actor,
  wish: PledgeWish,
): Promise<{ order: PledgeOrder | null; told: string }> {
  const { account } = actor
  const begun = await beginOrder(world, actor, wish)
  if (!begun) return { order: null, told: `${actor.name} has to wait for a fund password` }
  const { ordered, password } = begun
  const shown = await callAs(world, actor, 'pledge/overview', { account })
  const { plan } = shown
  if (!plan) throw new Violation(`${actor.name} is shown no plan`)
  const published = world.plans[plan.version - 1]
  if (JSON.stringify(plan.terms) !== JSON.stringify(published?.pledgeTerms) || plan.above !== published?.pledgeAbove)
    throw new Violation(`${actor.name} is shown other terms than plan ${plan.version}'s: ${JSON.stringify(plan)}`)

  const quantity = BigInt(plan.above) + BigInt(wish.oddity === 'too little' ? 0 : wish.beyond)
  const amount = quantity * 10n ** BigInt(DECIMALS.BTN)
  const part = balancePartOf(wish, amount, wish.oddity === 'above the amount')
  const term = plan.terms[wish.term % plan.terms.length]?.days ?? 0
  const asked = {
    account,
    key: wish.key,
    balancePart: textOf('BTN', part),
    quantity: String(quantity),
    planVersion: wish.oddity === 'an old plan' ? Math.max(1, plan.version - 1) : plan.version,
    termDays: wish.oddity === 'another term' ? term + 4 : term,
    ...(password === null ? {} : { password }),
  }
  const told = `${actor.name} pledges ${quantity} for ${asked.termDays} days, ${asked.balancePart} of it from the balance`
  const first = await sendOrderRepeatedly(world, actor, 'pledge/order', asked, wish.times)
  if (!first.ok) {
    checkPledgeRefusal(first.reason, { shown, asked, part, amount })
    return { order: null, told: `${told}: ${first.reason}` }
  }
  const order = first.data
  ordered.order = order
  const isOffered = plan.terms.some(({ days }) => days === asked.termDays)
  const isAllowed = asked.planVersion === plan.version && isOffered && part <= amount && quantity > BigInt(plan.above)
  if (!isAllowed || shown.open) throw new Violation(`${told}, and got it: ${JSON.stringify(order)}`)
  if (part === amount && order.state !== 'success') throw new Violation(`${told}, and it is ${order.state}`)
  world.acknowledged.orders.set(order.id, {
    id: order.id,
    account,
    planVersion: order.planVersion,
    level: null,
    termDays: order.termDays,
    amount: unitsOf('BTN', order.amount),
    part: unitsOf('BTN', order.balancePart),
  })
  return { order, told: `${told} (${order.id.slice(0, 8)})` }
}

type PledgeRefusalCase = {
  readonly shown: DataOf<'pledge/overview'>
  readonly asked: { readonly planVersion: number; readonly quantity: string; readonly termDays: number }
  readonly part: bigint
  readonly amount: bigint
}

/** Only the actor's own requests open an order or lower its balance. */
function checkPledgeRefusal(reason: string | undefined, { shown, asked, part, amount }: PledgeRefusalCase): void {
  const isRight = (): boolean => {
    switch (reason) {
      case 'plan-changed':
        return asked.planVersion !== shown.plan?.version
      case 'order-open':
        return shown.open !== null
      case 'pledge-minimum':
        return BigInt(asked.quantity) <= BigInt(shown.plan?.above ?? 0)
      case 'pledge-term':
        return !shown.plan?.terms.some(({ days }) => days === asked.termDays)
      case 'balance-part-range':
        return part > amount
      case 'balance-insufficient':
        return part > unitsOf('BTN', shown.available)
      // Five requests that were cut off count as wrong attempts.
      case 'fund-password-locked':
        return part > 0n
      default:
        return false
    }
  }
  if (!isRight()) throw new Violation(`a pledge was refused as ${reason}: ${JSON.stringify({ shown, asked })}`)
}
