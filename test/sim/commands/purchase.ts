import { setTimeout as sleep } from 'node:timers/promises'
import { isAnyNodeReachable, membersWhoCanSign } from '../conditions.ts'
import type { Actor } from '../members/actor.ts'
import { drawPledge } from '../members/pledge.ts'
import { drawPromotion } from '../members/promotion.ts'
import {
  cancelOrder,
  drawPayablePurchase,
  drawPurchase,
  type PurchaseWish,
  payQuote,
  purchase,
} from '../members/purchase.ts'
import type { Random } from '../random.ts'
import { BLOCKS_TO_FINALITY, DEEPEST_REORGANIZATION } from '../stack/chain.ts'
import { moveClock, setDatabaseClock } from '../stack/clock.ts'
import { orderFaultPoints } from '../stack/fault-points.ts'
import type { Command, World } from '../world.ts'

const canSomeoneAct = (world: World): boolean => isAnyNodeReachable(world) && membersWhoCanSign(world).length > 0

const drawKey = (random: Random): string => random.hex32().slice(2, 34)

/** By any payment method, and sometimes never paid. */
const makePurchaseCommand = (name: string, weight: number, someWish: (random: Random) => PurchaseWish): Command => ({
  name,
  weight,
  isPossible: canSomeoneAct,
  async run(world, random) {
    const actor = random.pick(membersWhoCanSign(world))
    const wish = someWish(random)
    const isPaid = random.chance(0.75)
    const { order, told } = await purchase(world, actor, wish)
    if (!order?.quote) return told
    if (!isPaid) return `${told} and does not pay`
    await payQuote(world, actor, order.quote)
    return `${told} and pays`
  },
})

export const promotion = makePurchaseCommand('promote', 22, (random) => ({
  what: 'promotion',
  wish: drawPromotion(random),
}))
export const pledging = makePurchaseCommand('pledge', 22, (random) => ({ what: 'pledge', wish: drawPledge(random) }))

/** Several members at the same time, above and below each other, with their payments in one block. */
export const purchasesAtOnce: Command = {
  name: 'purchases at once',
  weight: 12,
  isPossible: canSomeoneAct,
  async run(world, random) {
    const actors = random.shuffled(membersWhoCanSign(world)).slice(0, 4)
    const wishes = actors.map((actor) => ({ actor, wish: drawPurchase(random) }))
    const all = await Promise.all(
      wishes.map(async ({ actor, wish }) => ({ actor, ...(await purchase(world, actor, wish)) })),
    )
    for (const { actor, order } of all) if (order?.quote) await payQuote(world, actor, order.quote)
    await world.chain.mine(1)
    return all.map(({ told }) => told).join('; ')
  },
}

const lastOrders = ({ requestedOrders }: World): World['requestedOrders'] => requestedOrders.slice(-8)

/** Pays an order in any state: for the first time, again, too late, by its member or by another one. */
export const payOrder: Command = {
  name: 'pay an order',
  weight: 8,
  isPossible: ({ requestedOrders }) => requestedOrders.length > 0,
  async run(world, random) {
    const { actor, order } = random.pick(lastOrders(world))
    const by = random.chance(0.3) ? random.pick(world.actors) : actor
    const times = random.between(1, 2)
    if (!order?.quote) return `${actor.name} has nothing to pay`
    for (let time = 0; time < times; time += 1) await payQuote(world, by, order.quote)
    return `${by.name} pays the order ${order.id.slice(0, 8)} of ${actor.name}${times > 1 ? ', twice' : ''}`
  },
}

/** Cancels an order that was just made, or an earlier one in any state. */
export const cancelPurchase: Command = {
  name: 'cancel an order',
  weight: 8,
  isPossible: canSomeoneAct,
  async run(world, random) {
    const able = membersWhoCanSign(world)
    const [buyer, wish, isNew, key] = [
      random.pick(able),
      drawPayablePurchase(random),
      random.chance(0.5),
      drawKey(random),
    ]
    const earlier = random.pick([
      ...lastOrders(world).filter((each) => able.includes(each.actor)),
      { actor: buyer, order: null },
    ])
    const { actor, order } = isNew ? { actor: buyer, ...(await purchase(world, buyer, wish)) } : earlier
    if (!order) return `${actor.name} has nothing to cancel`
    return `${actor.name} wants to cancel ${order.id.slice(0, 8)}: ${await cancelOrder(world, actor, order.id, key)}`
  },
}

/** The payment is on its way or arrives at the same time. It counts anyway. */
export const cancelInFlight: Command = {
  name: 'cancel while the payment is in flight',
  weight: 8,
  isPossible: canSomeoneAct,
  async run(world, random) {
    const actor = random.pick(membersWhoCanSign(world))
    const wish = drawPayablePurchase(random)
    const [delay, isFirst, key] = [random.between(0, 80), random.chance(0.5), drawKey(random)]
    const { order, told } = await purchase(world, actor, wish)
    if (!order?.quote) return told
    const { quote, id } = order
    const pay = async () => {
      await sleep(delay)
      await payQuote(world, actor, quote)
      await world.chain.mine(1)
    }
    const cancel = () => cancelOrder(world, actor, id, key)
    const cancelled = isFirst
      ? await cancel().then((said) => pay().then(() => said))
      : (await Promise.all([cancel(), pay()]))[0]
    return `${told}, cancels (${cancelled}) and has paid`
  },
}

/** In the last block that the vault accepts, just before, or in the first that it refuses. */
export const payAtDeadline: Command = {
  name: 'pay at the deadline',
  weight: 5,
  isPossible: canSomeoneAct,
  async run(world, random) {
    const actor = random.pick(membersWhoCanSign(world))
    const wish = drawPayablePurchase(random)
    const seconds = random.pick([-1, 0, 0, 1, 600])
    const isCancelled = random.chance(0.3)
    const key = drawKey(random)
    const { order, told } = await purchase(world, actor, wish)
    if (!order?.quote) return told
    if (isCancelled) await cancelOrder(world, actor, order.id, key)
    const at = order.quote.deadline + seconds
    const { timestamp } = await world.chain.client.getBlock()
    const wait = Math.max(0, at - Number(timestamp))
    await setDatabaseClock(world.stack.ownerUrl, world.clockShift + wait)
    world.clockShift += wait
    await payQuote(world, actor, order.quote)
    await world.chain.request('evm_setNextBlockTimestamp', [at])
    await world.chain.mine(1)
    return `${told}${isCancelled ? ', cancels' : ''} and pays ${seconds} s after the deadline`
  },
}

/** Past every deadline, and final: unpaid orders are closed. */
export const ordersExpire: Command = {
  name: 'orders expire',
  weight: 4,
  async run(world) {
    await moveClock(world, 61 * 60)
    await world.chain.mine(BLOCKS_TO_FINALITY + 1)
    return 'an hour passes, and its blocks become final'
  },
}

/** Paid, seen, and removed by a reorganization: included again elsewhere, sent again or lost. */
export const reorganizePaid: Command = {
  name: 'reorganise a paid order',
  weight: 8,
  isPossible: canSomeoneAct,
  async run(world, random) {
    const actor = random.pick(membersWhoCanSign(world))
    const wish = drawPayablePurchase(random)
    const [blocks, delay] = [random.between(1, 4), random.between(0, 120)]
    const { order, told } = await purchase(world, actor, wish)
    if (!order?.quote) return told
    await payQuote(world, actor, order.quote)
    await world.chain.mine(blocks)
    await sleep(delay)
    const depth = Math.min(DEEPEST_REORGANIZATION, blocks + random.between(0, 3))
    return `${told} and pays; the last ${depth} blocks are replaced: ${await world.chain.reorganize(depth, random)}`
  },
}

/** The process that settles or closes an order dies or stops at that point. */
export const killDuringOrder: Command = {
  name: 'die over an order',
  weight: 8,
  isPossible: canSomeoneAct,
  async run(world, random) {
    const actor: Actor = random.pick(membersWhoCanSign(world))
    const wish = drawPayablePurchase(random)
    const point = random.pick(orderFaultPoints)
    const milliseconds = random.chance(0.7) ? null : random.between(100, 1_000)
    const { order, told } = await purchase(world, actor, wish)
    if (!order?.quote) return told
    if (milliseconds === null) await world.stack.armFault(point)
    else await world.stack.armStop(point, () => sleep(milliseconds))
    if (point.endsWith('close-order')) await moveClock(world, 61 * 60)
    else await payQuote(world, actor, order.quote)
    await world.chain.mine(BLOCKS_TO_FINALITY + 2)
    return `${told}; the process that reaches ${point} ${milliseconds === null ? 'is killed' : `stops for ${milliseconds} ms`}`
  },
}
