import { setTimeout as sleep } from 'node:timers/promises'
import { actorsWhoCanSign, isAnyNodeReachable } from '../conditions.ts'
import type { Actor } from '../members/actor.ts'
import { signIn } from '../members/sign-in.ts'
import { depositCall, describeMoney, drawMoney, sendCalls, transferCall } from '../members/wallet.ts'
import { BLOCKS_TO_FINALITY } from '../stack/chain.ts'
import type { Command, World } from '../world.ts'

const strangers = (world: World): Actor[] => actorsWhoCanSign(world).filter(({ isMember }) => !isMember)

/**
 * Registers at the moment at which a deposit from that address becomes final. The new member must get it exactly once.
 */
export const registerAsMoneyArrives: Command = {
  name: 'register as money arrives',
  weight: 4,
  isPossible: (world) => isAnyNodeReachable(world) && strangers(world).length > 0,
  async run(world, random) {
    const actor = random.pick(strangers(world))
    const { vault } = world.chain.contracts
    const sums = Array.from({ length: random.between(1, 3) }, () => drawMoney(world, random))
    const calls = sums.map((money) => (random.chance(0.5) ? depositCall(vault, money) : transferCall(vault, money)))
    const head = random.between(0, 40)
    await sendCalls(world, actor, calls)
    await world.chain.mine(1)
    await Promise.all([signIn(world, actor), sleep(head).then(() => world.chain.mine(BLOCKS_TO_FINALITY))])
    return `${actor.name} registers while ${sums.map(describeMoney).join(', ')} from there become final`
  },
}
