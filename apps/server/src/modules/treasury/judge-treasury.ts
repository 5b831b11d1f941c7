import type { Asset } from '@lode/kernel'
import { sql } from 'kysely'
import { isAddressEqual } from 'viem'
import { readClock } from '../../platform/clock/clock.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { isPoolContractOrHadRole } from '../custody/index.ts'
import { readSystemBalances } from '../ledger/index.ts'
import { findPauseEnd, type Operators, PAYOUTS_SUBJECT, type VerifiedDecision } from '../operators/index.ts'
import type { PayoutRow, Verdict } from '../payout/index.ts'
import { findObjection, isDecided, isPayment, listingSubject, paymentSubject } from './rules.ts'

const RECHECK_MS = 600_000

type Options = { readonly operators: Operators; readonly contracts: PoolContracts }

/**
 * Decides whether the signer may sign treasury payments and returned suspense. Only a signer with a pinned operator
 * chain calls it. It verifies everything itself: two signatures under exactly this payment, the money set aside in the
 * ledger, and for a treasury payment an address that two operators listed at least 48 hours before. While something is
 * missing in an asset, no treasury payment of this asset is made.
 */
export async function judgeTreasury(
  trx: Database,
  payouts: readonly PayoutRow[],
  { operators, contracts }: Options,
): Promise<Map<string, Verdict>> {
  if (payouts.length === 0) return new Map()
  const now = await readClock(trx)
  const subjects = payouts.flatMap((payout) => [subjectOf(payout), listingSubject(payout.address)])
  const decisions = await operators.readVerified(trx, [PAYOUTS_SUBJECT, ...subjects])
  const doubts = await operators.findDoubts(trx, [PAYOUTS_SUBJECT, ...subjects])
  const decisionsFor = (subject: string): readonly VerifiedDecision[] => decisions.get(subject) ?? []

  const pausedUntil = findPauseEnd(decisionsFor(PAYOUTS_SUBJECT), now)
  const isCovered = await readCoverage(trx)
  const balance = await readSystemBalances(trx)
  const isMissing = ({ kind, asset }: PayoutRow): boolean => kind === 'treasury' && balance('pool:loss', asset) < 0n
  const verdicts = new Map<string, Verdict>()
  for (const payout of payouts) {
    const roles = payout.kind === 'treasury' ? (['cold', 'funder'] as const) : (['cold'] as const)
    const problem =
      doubts.get(PAYOUTS_SUBJECT) ??
      doubts.get(subjectOf(payout)) ??
      doubts.get(listingSubject(payout.address)) ??
      findMismatch(payout, decisionsFor(subjectOf(payout)), decisionsFor(listingSubject(payout.address))) ??
      (isCovered(payout) ? null : 'the money put aside does not cover all open payments') ??
      ((await isPoolContractOrHadRole(trx, contracts, payout.address, roles))
        ? 'its address belongs to the pool'
        : null)
    if (problem !== null) verdicts.set(payout.id, { kind: 'check', problem: problem })
    else if (isMissing(payout)) verdicts.set(payout.id, { kind: 'wait', lookAt: new Date(now.getTime() + RECHECK_MS) })
    else if (pausedUntil) {
      const lookAt = new Date(Math.min(pausedUntil.getTime(), now.getTime() + RECHECK_MS))
      verdicts.set(payout.id, { kind: 'wait', lookAt })
    } else verdicts.set(payout.id, { kind: 'go' })
  }
  return verdicts
}

const subjectOf = ({ id, kind }: PayoutRow): string => paymentSubject(kind === 'treasury' ? 'pay' : 'return', id)

function findMismatch(
  payout: PayoutRow,
  decisions: readonly VerifiedDecision[],
  listings: readonly VerifiedDecision[],
): string | null {
  const decision = decisions.find(({ id }) => id === payout.decisionId)
  if (!decision || !isDecided(decision) || !isPayment(decision.body))
    return 'it does not have the signatures of two present operators'
  const { body, signedAt } = decision
  const same =
    body.verb === (payout.kind === 'treasury' ? 'pay' : 'return') &&
    body.symbol === payout.asset &&
    body.amount === String(payout.amount) &&
    isAddressEqual(body.address, payout.address) &&
    payout.paidFrom === (body.verb === 'pay' ? body.from : 'suspense:address')
  return same ? findObjection(body, signedAt, listings) : 'the payout differs from the signed decision'
}

/** Returns a function that tells whether the money set aside covers all open payouts of the same kind and asset. */
async function readCoverage(trx: Database): Promise<(payout: PayoutRow) => boolean> {
  const balance = await readSystemBalances(trx)
  const { rows } = await sql<{ kind: string; asset: Asset; sum: string }>`
    select kind, asset, sum(amount) as sum from lode.payout
    where ended is null and kind in ('treasury', 'suspense') group by kind, asset`.execute(trx)
  return ({ kind, asset }) => {
    const open = rows.find((row) => row.kind === kind && row.asset === asset)?.sum ?? '0'
    return balance(kind === 'treasury' ? 'pool:paying' : 'suspense:returning', asset) >= BigInt(open)
  }
}
