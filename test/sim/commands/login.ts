import { someLineWorks, whoCanSign } from '../conditions.ts'
import type { Actor } from '../members/actor.ts'
import { signIn } from '../members/sign-in.ts'
import type { Command, World } from '../world.ts'

const whoMay = (world: World): Actor[] => whoCanSign(world).filter(({ isMember }) => isMember)

export const login: Command = {
  name: 'login',
  weight: 3,
  may: (world) => someLineWorks(world) && whoMay(world).length > 0,
  async run(world, random) {
    const actor = random.pick(whoMay(world))
    await signIn(world, actor)
    return `${actor.name} logs in`
  },
}
