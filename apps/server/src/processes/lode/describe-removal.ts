import { sql } from 'kysely'
import {
  describeVerb,
  findPauseEnd,
  formatUtc,
  type Operator,
  PAYOUTS_SUBJECT,
  readSignedBy,
  SIGNATURES_NEEDED,
  type SignedByOperator,
  type Verb,
  type VerifiedDecision,
} from '../../modules/operators/index.ts'
import { readPayouts } from '../../modules/payout/index.ts'
import { createPlans } from '../../modules/plan/index.ts'
import { isUnderReview, loadTransfers, transferIdOf } from '../../modules/transfer/index.ts'
import { readListings } from '../../modules/treasury/index.ts'
import { readClock } from '../../platform/clock/clock.ts'
import { decimalsOf } from '../../platform/config/pool-contracts.ts'
import { listOpenDecisions } from './open-decisions.ts'
import type { PoolContext } from './with-database.ts'

/** What stops counting with the removal of this operator, for those who are about to sign it. */
export async function describeRemoval(context: PoolContext, removed: Operator): Promise<string[]> {
  const { signed, isCut } = await readSignedBy(context.db, context.pool, removed)
  const complete = signed.filter(({ signers }) => signers.length >= SIGNATURES_NEEDED)
  const lines = [
    ...(await describePauses(context, removed)),
    ...(await describeAddresses(context, complete)),
    ...(await describeReviews(context, removed, signed)),
    ...(await describePayments(context, complete)),
    ...complete
      .filter(({ verb, hasOutcome }) => !hasOutcome && !VERBS_OF_OTHER_LINES.includes(verb))
      .map(({ id, verb }) => `${id} (${describeVerb(verb)}) is not carried out any more`),
    ...(await describeHalfSigned(context, removed)),
    ...(isCut ? ['and perhaps more: only the newest 1000 decisions with this signature were read'] : []),
  ]
  if (lines.length === 0) return [`Nothing stops counting when ${removed.name} is no operator any more.`, '']
  return [
    `These stop counting when ${removed.name} is no operator any more:`,
    ...lines.map((line) => `  ${line}`),
    'Where they are still meant, the remaining operators decide them again.',
    '',
  ]
}

/**
 * Operators, plans, withdrawals and acknowledged restores keep counting: they are verified with the operators of their
 * time. The others have lines of their own.
 */
const VERBS_OF_OTHER_LINES: readonly Verb[] = [
  ...(['init', 'add', 'remove', 'publish', 'withdraw', 'acknowledge-restore'] as const),
  ...(['pause', 'resume', 'list', 'approve', 'reject', 'pay', 'return'] as const),
]

/** A removed key has not signed. Its decisions with another signature keep that one only. */
const withoutSignatureOf = <Decision extends VerifiedDecision>(
  { key }: Operator,
  decisions: readonly Decision[],
): Decision[] =>
  decisions
    .map((decision) => ({ ...decision, signers: decision.signers.filter((signer) => signer !== key) }))
    .filter(({ signers }) => signers.length > 0)

async function describePauses({ db, operators }: PoolContext, removed: Operator): Promise<string[]> {
  const now = await readClock(db)
  const decisions = (await operators.readVerified(db, [PAYOUTS_SUBJECT])).get(PAYOUTS_SUBJECT) ?? []
  const before = findPauseEnd(decisions, now)
  const after = findPauseEnd(withoutSignatureOf(removed, decisions), now)
  const idsOf = (verb: Verb) =>
    decisions
      .filter((decision) => decision.verb === verb && decision.signers.includes(removed.key))
      .map(({ id }) => id)
      .join(', ')
  if (after && (!before || after > before))
    return [
      `resume ${idsOf('resume')}: payouts pause again until ${formatUtc(after)}, or until another operator signs it`,
    ]
  if (before && (!after || after < before))
    return [`pause ${idsOf('pause')}: payouts ${after ? `are paused only until ${formatUtc(after)}` : 'go on again'}`]
  return []
}

/** An address that other operators have listed, too, stays listed. */
async function describeAddresses(
  { db, operators }: PoolContext,
  complete: readonly SignedByOperator[],
): Promise<string[]> {
  const listings = (await readListings(db, operators)).map(({ address }) => address)
  const lost = complete.flatMap(({ id, body }) => (body.verb === 'list' ? [{ id, body }] : []))
  const countOf = (all: readonly string[], address: string) => all.filter((one) => one === address).length
  const lostAddresses = lost.map(({ body }) => body.address)
  return lost
    .filter(({ body: { address } }) => countOf(listings, address) <= countOf(lostAddresses, address))
    .map(({ id, body }) => `address ${body.address} (decision ${id}): ${body.note}`)
}

async function describeReviews(
  { db, operators, contracts }: PoolContext,
  removed: Operator,
  signed: readonly SignedByOperator[],
): Promise<string[]> {
  // A signed subject need not name a transfer: the removed operator may have written it against the removal.
  const approvals = signed.flatMap(({ id, verb, body }) => {
    const transferId = transferIdOf(body.subject)
    return verb === 'approve' && transferId !== null ? [{ id, transferId }] : []
  })
  const ids = approvals.map(({ transferId }) => transferId)
  const rows = await readPayouts(
    db,
    sql`where id = any(${ids}::uuid[]) and kind = 'transfer' and ended is null and release_number is null`,
  )
  const plans = createPlans({ decimals: decimalsOf(contracts), operators: null })
  const transfers = await loadTransfers(db, rows, { plans, operators })
  return approvals.flatMap(({ id, transferId }) => {
    const transfer = transfers.get(transferId)
    if (!transfer || isUnderReview(transfer)) return []
    const without = { ...transfer, decisions: withoutSignatureOf(removed, transfer.decisions) }
    return isUnderReview(without) ? [`approval ${id}: transfer ${transfer.row.id} is under review again`] : []
  })
}

/** Payments and returns that the signer has not signed. */
async function describePayments({ db }: PoolContext, complete: readonly SignedByOperator[]): Promise<string[]> {
  const payments = complete.filter(({ verb }) => verb === 'pay' || verb === 'return')
  const ids = payments.map(({ id }) => id)
  const payouts = await readPayouts(db, sql`where decision_id = any(${ids}::bigint[])`)
  const isUnsigned = ({ id, hasOutcome }: SignedByOperator) =>
    !hasOutcome ||
    payouts.some(
      ({ decisionId, ended, releaseNumber }) => decisionId === id && ended === null && releaseNumber === null,
    )
  return payments
    .filter(isUnsigned)
    .map(
      ({ id, verb, expiresAt }) => `${id} (${describeVerb(verb)}) is held until it expires on ${formatUtc(expiresAt)}`,
    )
}

/** What this operator began; and what names the operators as they are now, whoever began it. */
async function describeHalfSigned(context: PoolContext, { key, name }: Operator): Promise<string[]> {
  const open = await listOpenDecisions(context)
  return open
    .filter(({ verb, subject }) => !(verb === 'remove' && subject === name))
    .filter(({ verb, signerKeys }) => signerKeys.includes(key) || ['add', 'remove', 'publish'].includes(verb))
    .map(({ id, verb }) => `half-signed ${id} (${describeVerb(verb)})`)
}
