import { actorsWhoCanSign, isAnyNodeReachable } from '../conditions.ts'
import { sendSigned, signIn, signMessage } from '../members/sign-in.ts'
import { type Command, Violation } from '../world.ts'

/** One signature, sent several times at once and again afterwards. It allows one sign-in. */
export const repeatSignature: Command = {
  name: 'repeat a signature',
  weight: 6,
  isPossible: (world) => isAnyNodeReachable(world) && actorsWhoCanSign(world).length > 0,
  async run(world, random) {
    const actor = random.pick(actorsWhoCanSign(world))
    const times = random.between(2, 4)
    await world.stack.api.ready()
    const signed = await signMessage(world, actor)
    const replies = await Promise.all(Array.from({ length: times }, () => sendSigned(world, actor, signed)))
    replies.push(await sendSigned(world, actor, signed))
    const taken = replies.filter((reply) => reply.kind === 'answer' && reply.status === 200).length
    if (taken > 1) throw new Violation(`${actor.name}'s one signature was good for ${taken} sign-ins`)
    if (taken === 0) await signIn(world, actor)
    return `${actor.name} sends one signature ${times + 1} times`
  },
}
