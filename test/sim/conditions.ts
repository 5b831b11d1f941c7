import type { Actor } from './members/actor.ts'
import type { World } from './world.ts'

/** A starting api needs a node that answers, and so does the check of a contract wallet's signature. */
export const isAnyNodeReachable = ({ stack }: World): boolean => stack.nodeProxies.some(({ mode }) => mode === 'works')

export const areAllNodesReachable = ({ stack }: World): boolean =>
  stack.nodeProxies.every(({ mode }) => mode === 'works')

/** The signature of a contract wallet is verified on the chain. */
export const actorsWhoCanSign = (world: World): Actor[] =>
  world.actors.filter(({ kind }) => kind === 'plain' || areAllNodesReachable(world))

export const membersOf = (world: World): Actor[] => world.actors.filter(({ isMember }) => isMember)

/** A session may have ended, so a member who acts must be able to sign in again. */
export const membersWhoCanSign = (world: World): Actor[] => actorsWhoCanSign(world).filter(({ isMember }) => isMember)
