import { actorsWhoCanSign, isAnyNodeReachable } from '../conditions.ts'
import type { Actor } from '../members/actor.ts'
import { signIn } from '../members/sign-in.ts'
import type { Command, World } from '../world.ts'

const strangers = (world: World): Actor[] => actorsWhoCanSign(world).filter(({ isMember }) => !isMember)

export const register: Command = {
  name: 'register',
  weight: 5,
  isPossible: (world) => isAnyNodeReachable(world) && strangers(world).length > 0,
  async run(world, random) {
    const actor = random.pick(strangers(world))
    await signIn(world, actor)
    return `${actor.name} registers`
  },
}
