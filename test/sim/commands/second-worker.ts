import type { Command } from '../world.ts'

/** Two workers look at the same chain for a while; what one does the other must not do again. */
export const secondWorker: Command = {
  name: 'second worker',
  weight: 3,
  may: ({ repairs }) => !repairs.some(({ what }) => what === END),
  async run(world, random) {
    const { otherWorker } = world.stack
    otherWorker.start()
    world.repairs.push({ inSteps: random.between(3, 8), what: END, repair: () => otherWorker.kill() })
    return 'a second worker is started'
  },
}

const END = 'the second worker is killed'
