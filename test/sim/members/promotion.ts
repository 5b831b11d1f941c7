import type { DataOf } from '@lode/wire'
import { termsOf } from '../checker/promotion-model.ts'
import type { Random } from '../random.ts'
import { Violation, type World } from '../world.ts'
import type { Actor } from './actor.ts'
import { textOf, unitsOf } from './amount.ts'
import { callAs } from './call-as.ts'
import { balancePartOf, beginOrder, sendOrderRepeatedly } from './send-order.ts'

type PromotionOrder = DataOf<'promotion/order'>

const methods = ['online', 'online', 'mixed', 'mixed', 'balance'] as const
const oddities = ['none', 'none', 'none', 'none', 'none', 'an old plan', 'above the price', 'another level'] as const

export type PromotionWish = {
  readonly method: (typeof methods)[number]
  readonly oddity: (typeof oddities)[number]
  /** In percent: the part of the price that is paid from the balance, for mixed payment. */
  readonly share: number
  readonly times: number
  readonly key: string
}

export const drawPromotion = (random: Random): PromotionWish => ({
  method: random.pick(methods),
  oddity: random.pick(oddities),
  share: random.between(1, 99),
  times: random.pick([1, 1, 1, 2, 3]),
  key: random.hex32().slice(2, 34),
})

export const drawPayablePromotion = (random: Random): PromotionWish => ({
  ...drawPromotion(random),
  method: random.pick(['online', 'mixed'] as const),
  oddity: 'none',
})

/** Orders the next level. Returns the order, if there is one, and the outcome in words. */
export async function promote(
  world: World,
  actor: Actor,
  wish: PromotionWish,
): Promise<{ order: PromotionOrder | null; told: string }> {
  const { account } = actor
  const begun = await beginOrder(world, actor, wish)
  if (!begun) return { order: null, told: `${actor.name} has to wait for a fund password` }
  const { ordered, password } = begun
  const shown = await callAs(world, actor, 'promotion/overview', { account })
  const { plan } = shown
  if (!plan) throw new Violation(`${actor.name} is shown no plan`)
  if (!plan.next) return { order: null, told: `${actor.name} is at the highest level` }
  const terms = termsOf(world.plans[plan.version - 1], plan.next.level)
  const price = unitsOf('USDT', plan.next.price)
  const shares = plan.next.shares.reduce((sum, { amount }) => sum + unitsOf('USDT', amount), 0n)
  if (plan.next.level !== shown.level + 1 || terms?.price !== price || shares !== price)
    throw new Violation(`${actor.name} is shown other terms than plan ${plan.version}'s: ${JSON.stringify(plan.next)}`)

  const part = balancePartOf(wish, price, wish.oddity === 'above the price')
  const asked = {
    account,
    key: wish.key,
    balancePart: textOf('USDT', part),
    planVersion: wish.oddity === 'an old plan' ? Math.max(1, plan.version - 1) : plan.version,
    level: wish.oddity === 'another level' ? plan.next.level + 1 : plan.next.level,
    ...(password === null ? {} : { password }),
  }
  const told = `${actor.name} orders level ${asked.level} for ${textOf('USDT', price)}, ${asked.balancePart} of it from the balance`
  const first = await sendOrderRepeatedly(world, actor, 'promotion/order', asked, wish.times)
  if (!first.ok) {
    checkPromotionRefusal(first.reason, { shown, asked, part, price })
    return { order: null, told: `${told}: ${first.reason}` }
  }
  const order = first.data
  ordered.order = order
  if (asked.planVersion !== plan.version || asked.level !== plan.next.level || part > price || shown.open)
    throw new Violation(`${told}, and got it: ${JSON.stringify(order)}`)
  if (part === price && order.state !== 'success') throw new Violation(`${told}, and it is ${order.state}`)
  world.acknowledged.orders.set(order.id, {
    id: order.id,
    account,
    planVersion: order.planVersion,
    level: order.level,
    termDays: null,
    amount: unitsOf('USDT', order.amount),
    part: unitsOf('USDT', order.balancePart),
  })
  return { order, told: `${told} (${order.id.slice(0, 8)})` }
}

type PromotionRefusalCase = {
  readonly shown: DataOf<'promotion/overview'>
  readonly asked: { readonly planVersion: number; readonly level: number }
  readonly part: bigint
  readonly price: bigint
}

/** Only the actor's own requests open an order or lower its balance. An open order may end between the two requests. */
function checkPromotionRefusal(reason: string | undefined, { shown, asked, part, price }: PromotionRefusalCase): void {
  const isRight = (): boolean => {
    switch (reason) {
      case 'plan-changed':
        return asked.planVersion !== shown.plan?.version
      case 'order-open':
        return shown.open !== null
      case 'level-not-next':
        return asked.level !== shown.level + 1 || shown.open !== null
      case 'balance-part-range':
        return part > price
      case 'balance-insufficient':
        return part > unitsOf('USDT', shown.available)
      // Five requests that were cut off count as wrong attempts.
      case 'fund-password-locked':
        return part > 0n
      default:
        return false
    }
  }
  if (!isRight()) throw new Violation(`an order was refused as ${reason}: ${JSON.stringify({ shown, asked })}`)
}
