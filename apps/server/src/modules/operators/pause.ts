import type { Database } from '../../platform/db/database.ts'
import { TWO } from './chain.ts'
import type { Operators, VerifiedDecision } from './operators.ts'

/** The subject of pausing and resuming. */
export const PAYOUTS = 'payouts'

export const LONGEST_PAUSE_HOURS = 72

/**
 * Until when nothing is signed, by the verified decisions about `PAYOUTS`; null where nothing is paused. One operator pauses,
 * for at most 72 hours at a time; two take back whatever was paused before the first of them said so: nobody completes what
 * another began to take back before it was paused again.
 */
export function pausedUntil(decisions: readonly VerifiedDecision[], now: Date): Date | null {
  const resumedAt = Math.max(
    0,
    ...decisions.flatMap(({ verb, operators, firstSignedAt }) =>
      verb === 'resume' && operators.length >= TWO ? [firstSignedAt.getTime()] : [],
    ),
  )
  const ends = decisions.flatMap(({ body, signedAt }) => {
    if (body.verb !== 'pause' || signedAt.getTime() < resumedAt) return []
    return [Math.min(Date.parse(body.until), signedAt.getTime() + LONGEST_PAUSE_HOURS * 3_600_000)]
  })
  const end = Math.max(0, ...ends)
  return end > now.getTime() ? new Date(end) : null
}

/** The same, asked of those operators. */
export async function readPausedUntil(db: Database, operators: Operators, now: Date): Promise<Date | null> {
  const decisions = await operators.verified(db, [PAYOUTS])
  return pausedUntil(decisions.get(PAYOUTS) ?? [], now)
}

/** Whether something was paused since a resume was begun, so that it would not take that back. */
export const isOvertaken = (resume: VerifiedDecision, decisions: readonly VerifiedDecision[]): boolean =>
  decisions.some(({ verb, signedAt }) => verb === 'pause' && signedAt >= resume.firstSignedAt)
