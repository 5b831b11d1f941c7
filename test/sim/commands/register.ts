import type { Actor } from '../actor.ts'
import { someLineWorks, whoCanSign } from '../conditions.ts'
import { signIn } from '../sign-in.ts'
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
