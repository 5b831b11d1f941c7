import { someLineWorks, whoCanSign } from '../conditions.ts'
import type { Actor } from '../members/actor.ts'
import { signIn } from '../members/sign-in.ts'
import type { Command, World } from '../world.ts'

const strangers = (world: World): Actor[] => whoCanSign(world).filter(({ isMember }) => !isMember)

export const register: Command = {
  name: 'register',
  weight: 5,
  may: (world) => someLineWorks(world) && strangers(world).length > 0,
  async run(world, random) {
    const actor = random.pick(strangers(world))
    await signIn(world, actor)
    return `${actor.name} registers`
  },
}
