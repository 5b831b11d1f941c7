import type { Asset } from '@lode/kernel'
import type { BodyOf, VerifiedDecision } from '../operators/index.ts'

/**
 * Corrections: two operators write off what left custody without a payout, and replace it by the pool's own money. What
 * is written off must be exactly what stops the asset (lode.write_off), so operators cannot choose an amount.
 */

export type CorrectionBody = BodyOf<'write-off' | 'fund-loss'>

export const writeOffSubject = (symbol: Asset, cause: string): string => `loss:${symbol}:${cause}`
export const fundingSubject = (nonce: string): string => `loss-funding:${nonce}`

export const isCorrection = (decision: VerifiedDecision): decision is VerifiedDecision<CorrectionBody> =>
  isCorrectionBody(decision.body)

export const isCorrectionBody = (body: VerifiedDecision['body']): body is CorrectionBody =>
  (body.verb === 'write-off' && body.subject === writeOffSubject(body.symbol, body.cause)) ||
  (body.verb === 'fund-loss' && body.subject === fundingSubject(body.nonce))
