import type { Asset } from '@lode/kernel'
import { sql } from 'kysely'
import { isAddressEqual } from 'viem'
import { readClock } from '../../platform/clock/clock.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { isPoolsOwn } from '../custody/index.ts'
import { systemBalances } from '../ledger/index.ts'
import { type Operators, PAYOUTS, pausedUntil, type VerifiedDecision } from '../operators/index.ts'
import type { PayoutRow, Verdict } from '../payout/index.ts'
import { isDecided, isPayment, listingSubject, objection, paymentSubject } from './rules.ts'

const LOOK_AGAIN_MS = 600_000

type Options = { readonly operators: Operators; readonly contracts: PoolContracts }

/**
 * Whether the signer may sign the operators' payments. It verifies everything itself, and only with operators known by
 * a ceremony that it has pinned: two signatures under exactly this payment, an address that two operators listed 48
 * hours before, and the money set aside in the ledger.
 */
export async function judgeTreasury(
  inside: Database,
  payouts: readonly PayoutRow[],
  { operators, contracts }: Options,
): Promise<Map<string, Verdict>> {
  if (payouts.length === 0) return new Map()
  const now = await readClock(inside)
  const subjects = payouts.flatMap((payout) => [subjectOf(payout), listingSubject(payout.address)])
  const decisions = await operators.verified(inside, [PAYOUTS, ...subjects])
  const doubts = await operators.doubts(inside, [PAYOUTS, ...subjects])
  const about = (subject: string): readonly VerifiedDecision[] => decisions.get(subject) ?? []

  const paused = pausedUntil(about(PAYOUTS), now)
  const covered = await coverOf(inside)
  const verdicts = new Map<string, Verdict>()
  for (const payout of payouts) {
    const wrong =
      doubts.get(PAYOUTS) ??
      doubts.get(subjectOf(payout)) ??
      doubts.get(listingSubject(payout.address)) ??
      wrongWith(payout, about(subjectOf(payout)), about(listingSubject(payout.address))) ??
      (covered(payout) ? null : 'less is put aside for the payments than they come to') ??
      ((await isPoolsOwn(inside, contracts, payout.address, payout.kind === 'treasury' ? ['cold', 'funder'] : ['cold']))
        ? 'its address is the pool’s own'
        : null)
    if (wrong !== null) verdicts.set(payout.id, { kind: 'check', what: wrong })
    else if (paused) {
      const lookAt = new Date(Math.min(paused.getTime(), now.getTime() + LOOK_AGAIN_MS))
      verdicts.set(payout.id, { kind: 'wait', lookAt })
    } else verdicts.set(payout.id, { kind: 'go' })
  }
  return verdicts
}

const subjectOf = ({ id, kind }: PayoutRow): string => paymentSubject(kind === 'treasury' ? 'pay' : 'return', id)

function wrongWith(
  payout: PayoutRow,
  decisions: readonly VerifiedDecision[],
  listings: readonly VerifiedDecision[],
): string | null {
  const decision = decisions.find(({ id }) => id === payout.decisionId)
  if (!decision || !isDecided(decision) || !isPayment(decision.body))
    return 'two operators have not signed it, or no longer'
  const { body, signedAt } = decision
  const same =
    body.verb === (payout.kind === 'treasury' ? 'pay' : 'return') &&
    body.symbol === payout.asset &&
    body.amount === String(payout.amount) &&
    isAddressEqual(body.address, payout.address) &&
    payout.paidFrom === (body.verb === 'pay' ? body.from : 'suspense:address')
  return same ? objection(body, signedAt, listings) : 'it is not what was signed'
}

/** Whether the money set aside covers all open payouts of this kind and asset. */
async function coverOf(inside: Database): Promise<(payout: PayoutRow) => boolean> {
  const balance = await systemBalances(inside)
  const { rows } = await sql<{ kind: string; asset: Asset; sum: string }>`
    select kind, asset, sum(amount) as sum from lode.payout
    where ended is null and kind in ('treasury', 'suspense') group by kind, asset`.execute(inside)
  return ({ kind, asset }) => {
    const open = rows.find((row) => row.kind === kind && row.asset === asset)?.sum ?? '0'
    return balance(kind === 'treasury' ? 'pool:paying' : 'suspense:returning', asset) >= BigInt(open)
  }
}
