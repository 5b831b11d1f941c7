import { depositCall, describeMoney, drawMoney, sendCalls, transferCall } from '../members/wallet.ts'
import type { Command } from '../world.ts'

/** A token that is not the pool's can emit any event. None of it may reach the ledger. */
export const fakeToken: Command = {
  name: 'fake token',
  weight: 3,
  async run(world, random) {
    const actor = random.pick(world.actors)
    const money = { ...drawMoney(world, random), token: world.pool.fakeToken }
    const plain = random.chance(0.5)
    const { vault } = world.chain.contracts
    await sendCalls(world, actor, [plain ? transferCall(vault, money) : depositCall(vault, money)])
    return `${actor.name} ${plain ? 'sends' : 'deposits'} ${describeMoney(money)} of another making`
  },
}
