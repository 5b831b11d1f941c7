import { findRunningPause, PAYOUTS_SUBJECT } from '../../modules/operators/index.ts'
import { readClock } from '../../platform/clock/clock.ts'
import { readOperatorNames } from './operator-names.ts'
import { formatUtc } from './times.ts'
import type { PoolContext } from './with-database.ts'

/** Follows "Payouts:" or "Payouts are": until when, by whom and why. Null if payouts are not paused. */
export async function describePayoutPause({ db, pool, operators }: PoolContext): Promise<string | null> {
  const decisions = (await operators.readVerified(db, [PAYOUTS_SUBJECT])).get(PAYOUTS_SUBJECT) ?? []
  const pause = findRunningPause(decisions, await readClock(db))
  if (!pause) return null
  const { id, signers, body } = pause.decision
  const names = signers.map(await readOperatorNames(db, pool)).join(' and ')
  return `paused until ${formatUtc(pause.end)} by ${names}: ${body.note} (decision ${id})`
}
