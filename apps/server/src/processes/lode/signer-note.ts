import { inUtc } from '../../modules/operators/index.ts'
import { readSignerState } from '../../modules/payout/index.ts'
import { isSignerAway } from '../../modules/transfer/index.ts'
import { readClock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'

/** Why the signer will not carry out the operators' decisions, in words for them; null if it runs and obeys. */
export async function signerNote(db: Database): Promise<string | null> {
  const signer = await readSignerState(db)
  if (!signer) return 'No signer has ever reported here: nothing is paid until one runs.'
  if (isSignerAway(signer.seenAt, await readClock(db)))
    return `The signer has not reported since ${inUtc(signer.seenAt)}: nothing is paid until it runs again.`
  if (signer.ceremony === null)
    return 'The signer does not obey it: OPERATORS_CEREMONY is not set there, so approvals and resumes do not count.'
  if (!signer.obeys)
    return `The signer does not obey it: it pins ${signer.ceremony}, which is no link of these operators’ chain. It pays nothing.`
  return null
}
