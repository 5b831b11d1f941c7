import { setTimeout as sleep } from 'node:timers/promises'
import { DEEPEST_REORGANISATION } from '../stack/chain.ts'
import type { Command } from '../world.ts'

/** Of the blocks that are not final; a chain that takes back what was final is another matter, and not simulated. */
export const reorganise: Command = {
  name: 'reorganise',
  weight: 12,
  async run(world, random) {
    const depth = random.between(1, DEEPEST_REORGANISATION)
    // Now and then at once after a block came, while it is being read.
    await world.chain.mine(random.between(0, 1))
    await sleep(random.between(0, 60))
    const what = await world.chain.reorganise(depth, random)
    return `the last ${depth} blocks are replaced: ${what || 'they held nothing'}`
  },
}
