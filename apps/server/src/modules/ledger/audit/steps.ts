import type { Database } from '../../../platform/db/database.ts'
import { Findings } from './findings.ts'

/** A part of an audit that needs no result of another part. */
export type Step = (trx: Database, findings: Findings) => Promise<void>

/**
 * Runs the steps on all connections: each takes the next step when it has finished one. The findings are in the order of
 * the steps, so that they do not depend on the number of connections.
 */
export async function runSteps(transactions: readonly Database[], steps: readonly Step[]): Promise<Findings> {
  const found = steps.map(() => new Findings())
  let next = 0
  const work = async (trx: Database): Promise<void> => {
    for (let place = next; place < steps.length; place = next) {
      next += 1
      await steps[place]?.(trx, found[place] ?? new Findings())
    }
  }
  const results = await Promise.allSettled(
    transactions.map((trx) =>
      work(trx).catch((error: unknown) => {
        // The other connections finish the step that they are at, and begin no more.
        next = steps.length
        throw error
      }),
    ),
  )
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  const all = new Findings()
  for (const findings of found) all.merge(findings)
  return all
}
