import { maxUint128 } from 'viem'
import { depositCall, drawMoney, sendCalls, transferCall } from '../members/wallet.ts'
import type { Command } from '../world.ts'

/**
 * A deposit that is mined and fails: more than the balance, or zero. In a batch, the earlier calls are reverted with
 * it.
 */
export const revertedDeposit: Command = {
  name: 'reverted deposit',
  weight: 4,
  async run(world, random) {
    const actor = random.pick(world.actors)
    const money = drawMoney(world, random)
    const { vault } = world.chain.contracts
    const failing = depositCall(vault, { ...money, amount: random.pick([0n, maxUint128]) })
    const batched = actor.kind === 'contract' && random.chance(0.7)
    await sendCalls(
      world,
      actor,
      batched ? [depositCall(vault, money), transferCall(vault, money), failing] : [failing],
    )
    return `${actor.name} makes a deposit that reverts${batched ? ', after two in the same transaction that do not' : ''}`
  },
}
