import type { Acknowledged } from './acknowledged.ts'
import type { Checker } from './checker/check.ts'
import type { Actor } from './members/actor.ts'
import type { Ordered } from './members/purchase.ts'
import type { Wish } from './members/transfer.ts'
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
  /** Every transfer that was asked for, in that order, whatever became of it; the id is known where it was granted. */
  readonly asked: { readonly actor: Actor; readonly wish: Wish; id: string | null }[]
  /** Every promotion and pledge that was asked for, likewise. */
  readonly ordered: Ordered[]
  /** What was published, version by version. */
  readonly plans: PlanFile[]
  /** Whoever decides for the pool. */
  readonly operators: Operators
  /** Whose five layers were filled by a crowd. */
  filled: Actor | null
  /** How far the clock was moved, in seconds. */
  clockShift: number
  /** What is put right again later, by the number of steps from now; all of it is at the end. */
  readonly repairs: { inSteps: number; readonly what: string; repair(): void | Promise<void> }[]
}

/**
 * Something that happens in a step. What it does is decided by `random` and by what earlier steps decided, never by how far the
 * processes are: so the seed replays it.
 */
export type Command = {
  readonly name: string
  readonly weight: number
  /** Whether it makes sense now; always, where nothing is said. */
  may?(world: World): boolean
  /** Answers with what it did, for the trace. */
  run(world: World, random: Random): Promise<string>
}

/** Something that must hold does not. The message says it for whoever replays the seed. */
export class Violation extends Error {}
