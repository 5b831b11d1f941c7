import { randomBytes } from 'node:crypto'
import type { Result } from '@lode/kernel'
import { hash, verify } from '@node-rs/argon2'
import { Gate } from '../../platform/chain/gate.ts'

/**
 * argon2id, the second of the recommended settings of RFC 9106 on one lane: some 0.1 s and 64 MiB a run. Every hash says its
 * own cost, so a higher one can be set here at any time.
 */
const COST = { memoryCost: 65_536, timeCost: 3, parallelism: 1 }

/** Half of the four threads on which Node also reads files and looks up names: guessing cannot take them all. */
const CONCURRENCY = 2
/** Some three seconds of waiting. Whoever comes beyond is told to try again. */
const QUEUE = 64

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
