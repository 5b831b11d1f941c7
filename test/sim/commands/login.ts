import { actorsWhoCanSign, isAnyNodeReachable } from '../conditions.ts'
import type { Actor } from '../members/actor.ts'
import { signIn } from '../members/sign-in.ts'
import type { Command, World } from '../world.ts'

const membersWhoMayLogIn = (world: World): Actor[] => actorsWhoCanSign(world).filter(({ isMember }) => isMember)

export const login: Command = {
  name: 'login',
  weight: 3,
  isPossible: (world) => isAnyNodeReachable(world) && membersWhoMayLogIn(world).length > 0,
  async run(world, random) {
    const actor = random.pick(membersWhoMayLogIn(world))
    await signIn(world, actor)
    return `${actor.name} logs in`
  },
}
