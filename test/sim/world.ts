import type { Acknowledged } from './acknowledged.ts'
import type { Checker } from './checker/check.ts'
import type { Actor } from './members/actor.ts'
import type { RequestedOrder } from './members/purchase.ts'
import type { TransferWish } from './members/transfer.ts'
import type { Random } from './random.ts'
import type { Chain } from './stack/chain.ts'
import type { Operators } from './stack/operators.ts'
import type { PlanFile } from './stack/plan.ts'
import type { Pool } from './stack/pool.ts'
import type { Stack } from './stack/stack.ts'
import type { Trace } from './trace.ts'

export type World = {
  readonly stack: Stack
  readonly chain: Chain
  readonly pool: Pool
  readonly actors: readonly Actor[]
  /** The invitation code of the pool's first member. */
  readonly rootCode: string
  readonly acknowledged: Acknowledged
  readonly checker: Checker
  readonly trace: Trace
  /** Every requested transfer, in order, whatever its outcome. The id is set if it was granted. */
  readonly requestedTransfers: { readonly actor: Actor; readonly wish: TransferWish; id: string | null }[]
  /** Every requested promotion and pledge, likewise. */
  readonly requestedOrders: RequestedOrder[]
  /** The published plans, in order of their versions. */
  readonly plans: PlanFile[]
  /** The pool's operators. */
  readonly operators: Operators
  /** The member whose five layers `fillTeam` has filled. */
  memberWithFullTeam: Actor | null
  /** How far the clock was moved, in seconds. */
  clockShift: number
  /** Repairs that run after this many steps. All of them run at the end. */
  readonly repairs: { inSteps: number; readonly what: string; repair(): void | Promise<void> }[]
}

/**
 * Something that happens in a step. It depends on `random` and on earlier choices, never on how far the processes are,
 * so that a seed can be replayed.
 */
export type Command = {
  readonly name: string
  readonly weight: number
  /** Whether the command makes sense now. Without it, always. */
  isPossible?(world: World): boolean
  /** Returns what it did, for the trace. */
  run(world: World, random: Random): Promise<string>
}

/** A broken rule. The message explains it to the person who replays the seed. */
export class Violation extends Error {}
