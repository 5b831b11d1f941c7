import { randomBytes } from 'node:crypto'
import type { Result } from '@lode/kernel'
import { hash, verify } from '@node-rs/argon2'
import { Gate } from '../../platform/chain/gate.ts'
import { createLines } from './lines.ts'

/**
 * argon2id at the cost that OWASP recommends: 18 ms of a core and 19 MiB a run. 64 MiB and three passes took 97 ms,
 * five times the CPU time for every transfer. They would not protect a six-digit password either, once the hashes are
 * stolen. Every hash stores its own cost, so the cost can be changed here at any time.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Half of the four threads that Node also uses to read files and look up names, so that guessing cannot take them all.
 */
const CONCURRENCY = 2
/** About three seconds of waiting for this many members, with one run each. Further callers must try again. */
const QUEUE = 256

/** A thousand presses of one member are queued and answered. All queues together use only a few megabytes. */
const LINES = { each: 1_024, all: 4_096 }

export type PasswordHashing = {
  /**
   * Runs a member's tasks one at a time, in the order of their arrival. A try counts as wrong until it is verified, so
   * five correct tries in parallel would lock the account.
   */
  inLine<T>(member: bigint, task: () => Promise<T>): Promise<Result<T, 'full'>>
  /** Every argon2 run, with the steps before and after it, runs in here. */
  gated<T>(task: () => Promise<T>): Promise<Result<T, 'full'>>
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
  /** Takes as long as a verification if there is no hash, so that the answer time reveals nothing. */
  verifyNothing(password: string): Promise<void>
}

export function createPasswordHashing(onRun: (kind: 'hash' | 'verify' | 'dummy') => void): PasswordHashing {
  const gate = new Gate({ concurrency: CONCURRENCY, queue: QUEUE })
  const lines = createLines(LINES)
  const nobodys = hash(randomBytes(32), COST)
  return {
    inLine: lines,
    gated: (task) => gate.run(task),
    hash: (password) => {
      onRun('hash')
      return hash(password, COST)
    },
    verify: (known, password) => {
      onRun('verify')
      return verify(known, password)
    },
    verifyNothing: async (password) => {
      onRun('dummy')
      await verify(await nobodys, password)
    },
  }
}
