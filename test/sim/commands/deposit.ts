import { depositCall, describeMoney, drawMoney, sendCalls } from '../members/wallet.ts'
import type { Command } from '../world.ts'

/** A deposit by a member, or by an address that may register later. */
export const deposit: Command = {
  name: 'deposit',
  weight: 14,
  async run(world, random) {
    const actor = random.pick(world.actors)
    const money = drawMoney(world, random)
    await sendCalls(world, actor, [depositCall(world.chain.contracts.vault, money)])
    return `${actor.name} deposits ${describeMoney(money)}`
  },
}
