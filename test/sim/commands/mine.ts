import { BLOCKS_TO_FINALITY } from '../stack/chain.ts'
import type { Command } from '../world.ts'

export const mine: Command = {
  name: 'mine',
  weight: 10,
  async run(world, random) {
    const blocks = random.chance(0.3) ? BLOCKS_TO_FINALITY + random.between(0, 4) : random.between(1, 6)
    await world.chain.mine(blocks)
    return `${blocks} blocks come`
  },
}
