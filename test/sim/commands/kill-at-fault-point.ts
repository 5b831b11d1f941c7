import type { Command } from '../world.ts'

/** The next process that gets there dies there, and what it was about is done again by the one after it. */
const POINTS = [
  'worker:after-seen',
  'worker:before-credit',
  'worker:after-credit',
  'worker:before-posted-block',
  'worker:after-commit',
  'api:before-commit',
  'api:after-commit',
] as const

export const killAtFaultPoint: Command = {
  name: 'kill at a fault point',
  weight: 8,
  async run({ stack }, random) {
    const point = random.pick(POINTS)
    await stack.armFault(point)
    return `whoever gets to ${point} next dies there`
  },
}
