import type { Actor } from './members/actor.ts'
import type { World } from './world.ts'

/** A starting api needs a node that answers, and so does the check of a contract wallet's signature. */
export const someLineWorks = ({ stack }: World): boolean => stack.lines.some(({ mood }) => mood === 'works')

export const everyLineWorks = ({ stack }: World): boolean => stack.lines.every(({ mood }) => mood === 'works')

/** The signature of a contract wallet is verified on the chain. */
export const whoCanSign = (world: World): Actor[] =>
  world.actors.filter(({ kind }) => kind === 'plain' || everyLineWorks(world))

export const members = (world: World): Actor[] => world.actors.filter(({ isMember }) => isMember)

/** A session may have ended, so a member who acts must be able to sign in again. */
export const whoCanAct = (world: World): Actor[] => whoCanSign(world).filter(({ isMember }) => isMember)
