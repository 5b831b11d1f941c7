import { randomBytes } from 'node:crypto'
import type { Result } from '@lode/kernel'
import { hash, verify } from '@node-rs/argon2'
import { TaskLimiter } from '../../platform/chain/task-limiter.ts'
import { createMemberQueueRunner } from './member-queue.ts'

/**
 * argon2id at the cost that OWASP recommends: 18 ms of a core and 19 MiB a run. 64 MiB and three passes took 97 ms,
 * five times the CPU time for every transfer. They would not protect a six-digit password either, once the hashes are
 * stolen. Every hash stores its own cost, so the cost can be changed here at any time.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Half of Node's four worker threads, which also read files and look up names. So guesses cannot occupy all of them.
 */
const MAX_PARALLEL_RUNS = 2

/**
 * Tasks that hash also ask the database, before and after. So more of them are under way than hash at once, but fewer
 * than the api has connections to the database: other calls must not wait for passwords.
 */
const MAX_PARALLEL_TASKS = 8
/** With one run each, the last of this many members waits two to three seconds. Further callers must try again. */
const MAX_WAITING_TASKS = 250

/**
 * High enough that a thousand presses of one member are all answered: they wait in its queue, and one at a time waits
 * to hash. All queues together use only a few megabytes.
 */
const MEMBER_QUEUE_LIMITS = { perMember: 1_024, total: 4_096 }

export type PasswordHashing = {
  /**
   * Runs a member's tasks one at a time, in the order of their arrival. A try counts as wrong until it is verified. So
   * five correct tries in parallel would lock the fund password, and a sixth would be refused.
   */
  runInMemberQueue<T>(member: bigint, task: () => Promise<T>): Promise<Result<T, 'full'>>
  /**
   * Limits the tasks that hash. Call `hash`, `verify` and `verifyDummy` only inside a task, together with the steps
   * before and after, such as counting the try and recording its result: a task that is not accepted counts no try.
   */
  runHashingTask<T>(task: () => Promise<T>): Promise<Result<T, 'full'>>
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
  /** For a caller without a hash to verify. Takes as long as `verify`, so that the answer time reveals nothing. */
  verifyDummy(password: string): Promise<void>
}

export function createPasswordHashing(onRun: (kind: 'hash' | 'verify' | 'dummy') => void): PasswordHashing {
  const tasks = new TaskLimiter({ concurrency: MAX_PARALLEL_TASKS, queue: MAX_WAITING_TASKS })
  const runs = new TaskLimiter({ concurrency: MAX_PARALLEL_RUNS, queue: MAX_PARALLEL_TASKS })
  /** Waits until fewer than two runs are under way. There are never more callers than tasks. */
  const run = async <T>(kind: Parameters<typeof onRun>[0], start: () => Promise<T>): Promise<T> => {
    const result = await runs.run(() => {
      onRun(kind)
      return start()
    })
    if (!result.ok) throw new Error('more argon2 runs than hashing tasks: one was called outside a task')
    return result.value
  }
  const runInMemberQueue = createMemberQueueRunner(MEMBER_QUEUE_LIMITS)
  const dummyHash = hash(randomBytes(32), COST)
  return {
    runInMemberQueue,
    runHashingTask: (task) => tasks.run(task),
    hash: (password) => run('hash', () => hash(password, COST)),
    verify: (storedHash, password) => run('verify', () => verify(storedHash, password)),
    verifyDummy: async (password) => {
      const dummy = await dummyHash
      await run('dummy', () => verify(dummy, password))
    },
  }
}
