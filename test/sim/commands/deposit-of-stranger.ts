import { depositCall, describeMoney, drawMoney, sendCalls, transferCall } from '../members/wallet.ts'
import type { Command } from '../world.ts'

/** Money from an unregistered address waits until that address registers. */
export const depositOfStranger: Command = {
  name: 'deposit of a stranger',
  weight: 5,
  isPossible: ({ actors }) => actors.some(({ isMember }) => !isMember),
  async run(world, random) {
    const actor = random.pick(world.actors.filter(({ isMember }) => !isMember))
    const money = drawMoney(world, random)
    const { vault } = world.chain.contracts
    const plain = random.chance(0.5)
    await sendCalls(world, actor, [plain ? transferCall(vault, money) : depositCall(vault, money)])
    return `${actor.name}, not registered, ${plain ? 'sends' : 'deposits'} ${describeMoney(money)}`
  },
}
