import { setTimeout as sleep } from 'node:timers/promises'
import { faultPoints } from '../stack/fault-points.ts'
import type { Command } from '../world.ts'

/** The next process that reaches the point dies there. Its successor does the work again. */
export const killAtFaultPoint: Command = {
  name: 'kill at a fault point',
  weight: 10,
  async run({ stack }, random) {
    const point = random.pick(faultPoints)
    await stack.armFault(point)
    return `the next process that reaches ${point} is killed there`
  },
}

/**
 * The process stops for a while, as on a machine that is being moved or is short of memory. Everything else goes on,
 * and the process does not know.
 */
export const freezeAtFaultPoint: Command = {
  name: 'freeze at a fault point',
  weight: 5,
  async run({ stack }, random) {
    const point = random.pick(faultPoints)
    const milliseconds = random.between(100, 1_500)
    await stack.armStop(point, () => sleep(milliseconds))
    return `the next process that reaches ${point} stops there for ${milliseconds} ms`
  },
}
