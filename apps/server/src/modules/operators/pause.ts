import type { Database } from '../../platform/db/database.ts'
import { TWO } from './chain.ts'
import type { Operators, VerifiedDecision } from './operators.ts'

/** The subject of pause and resume decisions. */
export const PAYOUTS = 'payouts'

export const LONGEST_PAUSE_HOURS = 72

/**
 * Until when payouts are paused, by the verified decisions about `PAYOUTS`; null if they are not paused. One operator
 * can pause, for at most 72 hours at a time. Two operators can resume. A resume ends only pauses that were signed
 * before its first signature. So a second signature under an old resume cannot end a newer pause.
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

/** The same, with the decisions read from the database. */
export async function readPausedUntil(db: Database, operators: Operators, now: Date): Promise<Date | null> {
  const decisions = await operators.verified(db, [PAYOUTS])
  return pausedUntil(decisions.get(PAYOUTS) ?? [], now)
}

/** Whether a pause was signed after this resume began, so that the resume would not end it. */
export const isOvertaken = (resume: VerifiedDecision, decisions: readonly VerifiedDecision[]): boolean =>
  decisions.some(({ verb, signedAt }) => verb === 'pause' && signedAt >= resume.firstSignedAt)
