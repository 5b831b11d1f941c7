import { isAnyNodeReachable, membersWhoCanSign } from '../conditions.ts'
import { drawPayablePurchase, payQuote, purchase } from '../members/purchase.ts'
import { drawPlan } from '../stack/plan.ts'
import type { Command } from '../world.ts'

/** Between an order and its payment. The order keeps its plan version, and the next order has the new one. */
export const publishPlan: Command = {
  name: 'publish a plan in mid-order',
  weight: 4,
  isPossible: (world) => isAnyNodeReachable(world) && membersWhoCanSign(world).length > 0,
  async run(world, random) {
    const actor = random.pick(membersWhoCanSign(world))
    const wish = drawPayablePurchase(random)
    const next = drawPlan(random)
    const { order, told } = await purchase(world, actor, wish)
    await world.operators.publish(world.stack.ownerUrl, next)
    world.plans.push(next)
    if (order?.quote) await payQuote(world, actor, order.quote)
    return `${told}; the operators publish version ${world.plans.length}${order?.quote ? ', and then it is paid' : ''}`
  },
}
