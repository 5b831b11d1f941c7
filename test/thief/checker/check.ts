import type pg from 'pg'
import type { Role } from '../catalog.ts'
import type { Sample } from '../sample.ts'
import type { Uses } from './exceptions.ts'
import { type Case, explain } from './explain.ts'
import { findWrongRows } from './rows.ts'
import { readState, readTransactions, type State } from './state.ts'
import { findSpentKeys, findWrongLines, findWrongSums } from './sums.ts'

/** Compares the pool with what it was before the thief came. Shares no code with the server. */
export async function findViolations(
  client: pg.Client,
  { role, sample, before, uses }: { role: Role; sample: Sample; before: State; uses: Uses },
): Promise<string[]> {
  const after = await readState(client)
  const given: Case = { role, sample, before, after, uses }
  const posted = await readTransactions(client, before.lastTransaction)
  const unexplained = posted.flatMap((transaction) => explain(transaction, given) ?? [])
  return [
    ...unexplained,
    ...findWrongRows(given),
    ...(await findWrongSums(client)),
    ...(await findSpentKeys(client)),
    ...(await findWrongLines(client)),
  ]
}
