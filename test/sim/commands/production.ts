import { setTimeout as sleep } from 'node:timers/promises'
import { orderTypes } from '@lode/wire'
import { isAnyNodeReachable, membersWhoCanSign } from '../conditions.ts'
import type { Actor } from '../members/actor.ts'
import { unitsOf } from '../members/amount.ts'
import { tryCallAs } from '../members/call-as.ts'
import type { Random } from '../random.ts'
import { BLOCKS_TO_FINALITY } from '../stack/chain.ts'
import { moveClock, moveClockTo, runMinutelyJobs } from '../stack/clock.ts'
import { productionFaultPoints } from '../stack/fault-points.ts'
import { type Command, Violation, type World } from '../world.ts'
import { fundDividend } from './fund-dividend.ts'

const canSomeoneAct = (world: World): boolean => isAnyNodeReachable(world) && membersWhoCanSign(world).length > 0

const hasPledged = ({ requestedOrders }: World, actor: Actor): boolean =>
  requestedOrders.some((each) => each.actor === actor && each.order?.type === orderTypes.pledge)

/** A member collects all its dividends or partner rewards, with one press that may be sent twice. */
const makeCollectCommand = (name: string, weight: number, route: 'pledge/collect' | 'partner/collect'): Command => ({
  name,
  weight,
  isPossible: canSomeoneAct,
  async run(world, random) {
    const symbol = route === 'pledge/collect' ? 'BTC' : 'USDT'
    const able = membersWhoCanSign(world)
    const likely = able.filter((each) =>
      symbol === 'BTC' ? hasPledged(world, each) : each === world.memberWithFullTeam,
    )
    const actor = random.pick(likely.length > 0 && random.chance(0.85) ? likely : able)
    const { account } = actor
    const [key, times] = [random.hex32().slice(2, 34), random.pick([1, 1, 2])]
    const before = await world.checker.entitlementOf(account, symbol)
    const answers = await Promise.all(
      Array.from({ length: times }, () => tryCallAs(world, actor, route, { account, key })),
    )
    const after = await world.checker.entitlementOf(account, symbol)
    const said = answers.map((answer) => (answer.ok ? answer.data.amount : answer.reason))
    if (new Set(said).size > 1)
      throw new Violation(`${actor.name} was told different things about one collect: ${said}`)
    const [answer] = answers
    const amount = answer?.ok ? unitsOf(symbol, answer.data.amount) : 0n
    // Meanwhile a day may have closed, and the worker may have settled ended pledges.
    const least = before.entitled - before.paid - (after.withoutCollecting - before.withoutCollecting)
    const most = after.entitled - before.paid - (after.withoutCollecting - before.withoutCollecting)
    if (
      amount < least ||
      amount > most ||
      after.paid - after.withoutCollecting !== before.paid - before.withoutCollecting + amount
    )
      throw new Violation(`${actor.name} collected ${said} of ${least} to ${most}, and has ${after.paid} of it`)
    const { [symbol]: collected } = world.acknowledged.collected
    collected.set(account, (collected.get(account) ?? 0n) + amount)
    return `${actor.name} collects ${said[0]} ${symbol}`
  },
})

export const collect = makeCollectCommand('collect', 16, 'pledge/collect')
export const collectAsPartner = makeCollectCommand('collect as a partner', 3, 'partner/collect')

const HOUR = 3_600

/** Exactly at the hour, a second before or after it, or 40 seconds after. */
const drawSecondNear = (random: Random, hour: number): number =>
  (hour * HOUR + random.pick([-1, 0, 1, 40]) + 24 * HOUR) % (24 * HOUR)

/** A day ends and the next one begins, or the clock stops just before. */
export const midnightComes: Command = {
  name: 'midnight comes',
  weight: 9,
  async run(world, random) {
    const second = drawSecondNear(random, 0)
    await moveClockTo(world, second)
    await runMinutelyJobs(world)
    return `it is ${formatTimeOfDay(second)}`
  },
}

/** The hour at which a day closes, once the posted block has passed it; usually a day with funding. */
export const closeHourComes: Command = {
  name: 'the hour of the close comes',
  weight: 20,
  async run(world, random) {
    const hour = world.plans.at(-1)?.closeHour ?? 12
    const [second, isFinal, isFunded] = [drawSecondNear(random, hour), random.chance(0.85), random.chance(0.7)]
    const brought = isFunded ? await fundDividend.run(world, random) : 'nothing is brought'
    await moveClockTo(world, second)
    if (isFinal) await world.chain.mine(BLOCKS_TO_FINALITY + 2)
    return `${brought}; it is ${formatTimeOfDay(second)}${isFinal ? ', in final blocks too' : ''}`
  },
}

const formatTimeOfDay = (second: number): string => new Date(second * 1_000).toISOString().slice(11, 19)

/** The worker is down for days, while the chain and the members go on. Then it closes all days in order. */
export const workerIsAway: Command = {
  name: 'the worker is away for days',
  weight: 4,
  async run(world, random) {
    const days = random.between(2, 5)
    const [isBackAtOnce, steps] = [random.chance(0.5), random.between(1, 4)]
    await world.stack.worker.kill()
    for (let day = 0; day < days; day += 1) {
      await moveClock(world, 24 * HOUR)
      await world.chain.mine(3)
    }
    await world.chain.mine(BLOCKS_TO_FINALITY)
    if (isBackAtOnce) world.stack.worker.start()
    else
      world.repairs.push({
        inSteps: steps,
        what: 'the worker is back',
        repair: () => world.stack.worker.start(),
      })
    return `the worker is away for ${days} days${isBackAtOnce ? '' : ', and longer'}`
  },
}

/** The process that closes a day, ends pledges or collects dies or stops at that point. */
export const killDuringDay: Command = {
  name: 'die over a day',
  weight: 10,
  isPossible: canSomeoneAct,
  async run(world, random) {
    const point = random.pick(productionFaultPoints)
    const milliseconds = random.chance(0.7) ? null : random.between(100, 1_000)
    if (milliseconds === null) await world.stack.armFault(point)
    else await world.stack.armStop(point, () => sleep(milliseconds))
    const who = `the process that reaches ${point} ${milliseconds === null ? 'is killed' : `stops for ${milliseconds} ms`}`
    if (point === 'api:before-collect') return `${who}; ${await collect.run(world, random)}`
    await moveClock(world, 24 * HOUR)
    await world.chain.mine(BLOCKS_TO_FINALITY + 2)
    return `a day passes, and ${who}`
  },
}
