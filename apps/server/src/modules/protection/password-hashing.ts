import { randomBytes } from 'node:crypto'
import type { Result } from '@lode/kernel'
import { hash, verify } from '@node-rs/argon2'
import { Gate } from '../../platform/chain/gate.ts'

/**
 * argon2id at the cost that OWASP recommends: 18 ms of a core and 19 MiB a run. 64 MiB and three passes took 97 ms, five
 * times the cores for every transfer, and would not save six digits either from whoever has the hashes. Every hash says its
 * own cost, so another can be set here at any time.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Half of the four threads on which Node also reads files and looks up names: guessing cannot take them all. */
const CONCURRENCY = 2
/** Less than a second of waiting. Whoever comes beyond is told to try again. */
const QUEUE = 32

export type PasswordHashing = {
  /** Everything that runs argon2 runs in here, together with what it stands between. */
  gated<T>(task: () => Promise<T>): Promise<Result<T, 'full'>>
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
  /** Costs what a verification costs, where there is nothing to verify against: no answer comes sooner than another. */
  verifyNothing(password: string): Promise<void>
}

export function createPasswordHashing(onRun: (kind: 'hash' | 'verify' | 'dummy') => void): PasswordHashing {
  const gate = new Gate({ concurrency: CONCURRENCY, queue: QUEUE })
  const nobodys = hash(randomBytes(32), COST)
  return {
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
