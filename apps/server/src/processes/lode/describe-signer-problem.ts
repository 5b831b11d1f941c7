import { formatUtc } from '../../modules/operators/index.ts'
import { readSignerState } from '../../modules/payout/index.ts'
import { isSignerAway } from '../../modules/transfer/index.ts'
import { readClock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'

/** Tells operators why the signer does not carry out their decisions. Null if the signer runs and obeys them. */
export async function describeSignerProblem(db: Database): Promise<string | null> {
  const signer = await readSignerState(db)
  if (!signer) return 'No signer has ever reported here: nothing is paid until one runs.'
  if (isSignerAway(signer.seenAt, await readClock(db)))
    return `The signer has not reported since ${formatUtc(signer.seenAt)}: nothing is paid until it runs again.`
  if (signer.pinnedLink === null)
    return 'The signer does not obey the operators: OPERATORS_CEREMONY is not set there. It ignores approvals and resumes.'
  if (!signer.obeysApprovals)
    return `The signer does not obey the operators: it pins ${signer.pinnedLink}, which is no link of these operators’ chain. It pays nothing.`
  return null
}
