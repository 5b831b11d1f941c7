import { setTimeout as sleep } from 'node:timers/promises'
import { faultPoints } from '../stack/fault-points.ts'
import type { Command } from '../world.ts'

/** The next process that gets there dies there, and what it was about is done again by the one after it. */
export const killAtFaultPoint: Command = {
  name: 'kill at a fault point',
  weight: 10,
  async run({ stack }, random) {
    const point = random.pick(faultPoints)
    await stack.armFault(point)
    return `whoever gets to ${point} next dies there`
  },
}

/** As a machine does that is moved, or short of memory: the world goes on without it, and it does not know. */
export const freezeAtFaultPoint: Command = {
  name: 'freeze at a fault point',
  weight: 5,
  async run({ stack }, random) {
    const point = random.pick(faultPoints)
    const milliseconds = random.between(100, 1_500)
    await stack.armStop(point, () => sleep(milliseconds))
    return `whoever gets to ${point} next stands still there for ${milliseconds} ms`
  },
}
