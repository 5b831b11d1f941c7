import { describeMoney, drawMoney, sendCalls, transferCall } from '../members/wallet.ts'
import { coldStorage } from '../stack/pool.ts'
import type { Command } from '../world.ts'

/** A plain transfer to the vault or, by mistake, to cold storage. */
export const plainTransfer: Command = {
  name: 'plain transfer',
  weight: 8,
  async run(world, random) {
    const actor = random.pick(world.actors)
    const money = drawMoney(world, random)
    const toCold = random.chance(0.15)
    const to = toCold ? coldStorage.address : world.chain.contracts.vault
    await sendCalls(world, actor, [transferCall(to, money)])
    return `${actor.name} sends ${describeMoney(money)} to ${toCold ? 'cold storage' : 'the vault'}`
  },
}
