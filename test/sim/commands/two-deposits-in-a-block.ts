import { depositCall, describeMoney, drawMoney, sendCalls, transferCall } from '../members/wallet.ts'
import type { Command } from '../world.ts'

export const twoDepositsInABlock: Command = {
  name: 'two deposits in a block',
  weight: 6,
  async run(world, random) {
    const { vault } = world.chain.contracts
    const money = drawMoney(world, random)
    const others = random.chance(0.5)
    const first = random.pick(world.actors)
    const second = others ? random.pick(world.actors) : first
    const plain = random.chance(0.3)
    await sendCalls(world, first, [depositCall(vault, money)])
    await sendCalls(world, second, [plain ? transferCall(vault, money) : depositCall(vault, money)])
    await world.chain.mine(1)
    return `in one block ${first.name} deposits ${describeMoney(money)} and ${second.name} ${plain ? 'sends' : 'deposits'} as much`
  },
}
