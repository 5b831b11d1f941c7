import type { Asset } from '@lode/kernel'
import type { BodyOf, VerifiedDecision } from '../operators/index.ts'

/**
 * Corrections: two operators write off what left custody without a payout, replace it by the pool's own money, and undo
 * postings whose cause is false. What is written off must be exactly what stops the asset (lode.write_off), and the
 * database or the signer finds out whether a cause is false (lode.is_false). So operators can choose neither.
 */

export type CorrectionBody = BodyOf<'write-off' | 'fund-loss' | 'reverse'>

/** How long a member knows before a posting is undone. */
export const REVERSAL_NOTICE_MS = 72 * 3_600_000

export const writeOffSubject = (symbol: Asset, cause: string): string => `loss:${symbol}:${cause}`
export const fundingSubject = (nonce: string): string => `loss-funding:${nonce}`
export const reversalSubject = (member: string, key: string): string => `posting:${member}:${key}`

export const isCorrection = (decision: VerifiedDecision): decision is VerifiedDecision<CorrectionBody> =>
  isCorrectionBody(decision.body)

export const isCorrectionBody = (body: VerifiedDecision['body']): body is CorrectionBody =>
  (body.verb === 'write-off' && body.subject === writeOffSubject(body.symbol, body.cause)) ||
  (body.verb === 'fund-loss' && body.subject === fundingSubject(body.nonce)) ||
  (body.verb === 'reverse' && body.subject === reversalSubject(body.member, body.key))
