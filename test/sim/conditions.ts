import type { Actor } from './members/actor.ts'
import type { World } from './world.ts'

/** An api that starts anew needs a node to answer; so does one that asks a contract wallet. */
export const someLineWorks = ({ stack }: World): boolean => stack.lines.some(({ mood }) => mood === 'works')

export const everyLineWorks = ({ stack }: World): boolean => stack.lines.every(({ mood }) => mood === 'works')

/** Whether a signature is good is asked of the chain where the wallet is a contract. */
export const whoCanSign = (world: World): Actor[] =>
  world.actors.filter(({ kind }) => kind === 'plain' || everyLineWorks(world))

export const members = (world: World): Actor[] => world.actors.filter(({ isMember }) => isMember)

/** A session may have ended, so whoever acts must be able to sign in anew. */
export const whoCanAct = (world: World): Actor[] => whoCanSign(world).filter(({ isMember }) => isMember)
