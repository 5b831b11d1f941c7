import { setTimeout as sleep } from 'node:timers/promises'
import { DEEPEST_REORGANIZATION } from '../stack/chain.ts'
import type { Command } from '../world.ts'

/** Replaces blocks that are not final. A chain that replaces final blocks is not simulated. */
export const reorganize: Command = {
  name: 'reorganise',
  weight: 12,
  async run(world, random) {
    const depth = random.between(1, DEEPEST_REORGANIZATION)
    // Sometimes right after a new block, while the worker reads it.
    await world.chain.mine(random.between(0, 1))
    await sleep(random.between(0, 60))
    const what = await world.chain.reorganize(depth, random)
    return `the last ${depth} blocks are replaced: ${what || 'they held nothing'}`
  },
}
