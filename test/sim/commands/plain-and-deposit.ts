import { depositCall, describeMoney, drawMoney, sendCalls, transferCall } from '../members/wallet.ts'
import type { Command } from '../world.ts'

/** Plain transfers and deposits in one transaction, often of the same amount. Each must be counted once. */
export const plainAndDeposit: Command = {
  name: 'plain transfer and deposit in one transaction',
  weight: 8,
  async run(world, random) {
    const actor = random.pick(world.actors.filter(({ kind }) => kind === 'contract'))
    const { vault } = world.chain.contracts
    const money = drawMoney(world, random)
    const calls = Array.from({ length: random.between(2, 5) }, (_, place) => {
      const each = random.chance(0.7) ? money : drawMoney(world, random)
      const isPlain = place === 0 || (place > 1 && random.chance(0.5))
      return { isPlain, each }
    })
    const inOrder = random.shuffled(calls)
    const made = inOrder.map(({ isPlain, each }) => (isPlain ? transferCall(vault, each) : depositCall(vault, each)))
    await sendCalls(world, actor, made)
    return `${actor.name} in one transaction: ${inOrder.map(({ isPlain, each }) => `${isPlain ? 'sends' : 'deposits'} ${describeMoney(each)}`).join(', ')}`
  },
}
