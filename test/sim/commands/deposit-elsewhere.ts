import { depositCall, describeMoney, drawMoney, sendCalls, transferCall } from '../members/wallet.ts'
import type { Command } from '../world.ts'

/** The pool's tokens, and events like the vault's, but of another vault. The pool must ignore them. */
export const depositElsewhere: Command = {
  name: 'deposit elsewhere',
  weight: 3,
  async run(world, random) {
    const actor = random.pick(world.actors)
    const money = drawMoney(world, random)
    const { foreignVault } = world.pool
    const plain = random.chance(0.3)
    await sendCalls(world, actor, [plain ? transferCall(foreignVault, money) : depositCall(foreignVault, money)])
    return `${actor.name} ${plain ? 'sends' : 'deposits'} ${describeMoney(money)} to a vault of somebody else`
  },
}
