import { actorsWhoCanSign, isAnyNodeReachable } from '../conditions.ts'
import { sendSigned, signIn, signMessage } from '../members/sign-in.ts'
import type { Command } from '../world.ts'

/**
 * Hangs up before the answer, then tries again with the same signature, then with a new one, as a reloaded page does.
 */
export const dropResponse: Command = {
  name: 'drop the response',
  weight: 4,
  isPossible: (world) => isAnyNodeReachable(world) && actorsWhoCanSign(world).length > 0,
  async run(world, random) {
    const actor = random.pick(actorsWhoCanSign(world))
    const dropAfterMs = random.between(0, 30)
    const sameAgain = random.chance(0.5)
    const signed = await signMessage(world, actor)
    await sendSigned(world, actor, signed, { dropAfterMs })
    if (sameAgain) await sendSigned(world, actor, signed)
    await signIn(world, actor)
    return `${actor.name} hangs up ${dropAfterMs} ms after signing in${sameAgain ? ', tries the same again,' : ''} and signs in anew`
  },
}
