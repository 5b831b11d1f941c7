import { randomBytes } from 'node:crypto'
import type { Result } from '@lode/kernel'
import { hash, verify } from '@node-rs/argon2'
import { Gate } from '../../platform/chain/gate.ts'
import { createLines } from './lines.ts'

/**
 * argon2id at the cost that OWASP recommends: 18 ms of a core and 19 MiB a run. 64 MiB and three passes took 97 ms, five
 * times the cores for every transfer, and would not save six digits either from whoever has the hashes. Every hash says its
 * own cost, so another can be set here at any time.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Half of the four threads on which Node also reads files and looks up names: guessing cannot take them all. */
const CONCURRENCY = 2
/**
 * Some three seconds of waiting, for as many members: each has one run at a time. Whoever comes beyond is told to try again.
 */
const QUEUE = 256

/** A thousand presses of one member's buttons wait and are answered; what waits in all stays within a few megabytes. */
const LINES = { each: 1_024, all: 4_096 }

export type PasswordHashing = {
  /**
   * One at a time for each member, in the order in which they came. A try counts from its beginning until it was found right:
   * five that are right would lock the account if they came at once, and not one after the other.
   */
  inLine<T>(member: bigint, task: () => Promise<T>): Promise<Result<T, 'full'>>
  /** Everything that runs argon2 runs in here, together with what it stands between. */
  gated<T>(task: () => Promise<T>): Promise<Result<T, 'full'>>
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
  /** Costs what a verification costs, where there is nothing to verify against: no answer comes sooner than another. */
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
