import type { Database } from '../../platform/db/database.ts'
import type { BodyOf } from './decision.ts'
import { SIGNATURES_NEEDED } from './operator-chain.ts'
import type { Operators, VerifiedDecision } from './operators.ts'

/** The subject of pause and resume decisions. */
export const PAYOUTS_SUBJECT = 'payouts'

export const MAX_PAUSE_HOURS = 72

/**
 * Until when payouts are paused, or null. `decisions` are the verified decisions about `PAYOUTS_SUBJECT`. One operator
 * can pause, for at most 72 hours at a time. Two operators can resume. A resume ends only pauses that were signed
 * before its first signature. So a second signature under an old resume cannot end a newer pause.
 */
export const findPauseEnd = (decisions: readonly VerifiedDecision[], now: Date): Date | null =>
  findRunningPause(decisions, now)?.end ?? null

export type RunningPause = { readonly decision: VerifiedDecision<BodyOf<'pause'>>; readonly end: Date }

/** The pause that ends last, by the same rules. */
export function findRunningPause(decisions: readonly VerifiedDecision[], now: Date): RunningPause | null {
  const resumedAt = Math.max(
    0,
    ...decisions.flatMap(({ verb, signers, firstSignedAt }) =>
      verb === 'resume' && signers.length >= SIGNATURES_NEEDED ? [firstSignedAt.getTime()] : [],
    ),
  )
  const pauses = decisions.flatMap((decision): RunningPause[] => {
    const { body, signedAt } = decision
    if (body.verb !== 'pause' || signedAt.getTime() < resumedAt) return []
    const end = Math.min(Date.parse(body.until), signedAt.getTime() + MAX_PAUSE_HOURS * 3_600_000)
    return end > now.getTime() ? [{ decision: { ...decision, body }, end: new Date(end) }] : []
  })
  return pauses.toSorted((one, other) => other.end.getTime() - one.end.getTime())[0] ?? null
}

/** Reads the decisions from the database, and returns until when payouts are paused, or null. */
export async function readPauseEnd(db: Database, operators: Operators, now: Date): Promise<Date | null> {
  const decisions = await operators.readVerified(db, [PAYOUTS_SUBJECT])
  return findPauseEnd(decisions.get(PAYOUTS_SUBJECT) ?? [], now)
}

/** Whether a pause was signed at or after the first signature of this resume, so that the resume would not end it. */
export const isSuperseded = (resume: VerifiedDecision, decisions: readonly VerifiedDecision[]): boolean =>
  decisions.some(({ verb, signedAt }) => verb === 'pause' && signedAt >= resume.firstSignedAt)
