import { readClock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { readAssetStops, readChainState } from '../custody/index.ts'
import { findMissingAssets, readSystemBalances } from '../ledger/index.ts'
import type { PayoutRow, Verdict } from './payout-row.ts'
import type { SigningInputs } from './preflight.ts'
import {
  lockDuePayouts,
  MAX_JUDGED,
  MAX_WAIT_MS,
  type Postponement,
  putIntoRelease,
  writePostponements,
} from './queue.ts'
import { type Batch, type BlockedAssets, chooseBatch } from './rules.ts'
import type { SignerDependencies } from './sign-version.ts'
import { type SigningContext, signAndStore } from './signing-context.ts'
import { encodeRelease } from './vault.ts'

/** How many turns pass before the signer judges a payout again that did not fit under a cap or into the float. */
const TURNS_WITHOUT_ROOM = 15
/** How many turns pass before the signer judges a payout again that failed a check. */
const TURNS_AFTER_CHECK = 30

const NOT_JUDGED: Verdict = { kind: 'check', problem: 'no module has judged this payout' }

type SignResult = {
  readonly release: bigint | null
  /** Whether more payouts may be due, so that the next turn should start at once. */
  readonly more: boolean
}

/**
 * In one transaction: locks the due payouts, asks for a verdict on each, and signs and stores one release of those
 * that may go and fit.
 */
export async function signPayouts(
  context: SigningContext,
  connection: Database,
  inputs: SigningInputs,
): Promise<SignResult> {
  const signed = await connection.transaction().execute((trx) => signInTransaction(context, trx, inputs))
  if (signed.release !== null) {
    faultPoint('signer:after-store')
    context.signer.metrics.releases.inc({ kind: 'payouts' })
  }
  return signed
}

async function signInTransaction(context: SigningContext, trx: Database, inputs: SigningInputs): Promise<SignResult> {
  const { signer, checks } = context
  const locked = await lockDuePayouts(trx, MAX_JUDGED)
  // The others became due after the preflight read the ledger. Nobody has asked yet whether the vault has paid them, and
  // nobody has proven the money that they depend on. What these depend on was in the ledger by then, and is proven.
  const due = locked.filter(({ id }) => inputs.unpaid.has(id))
  const more = locked.length === MAX_JUDGED || due.length < locked.length
  if ((await readChainState(trx))?.stoppedReason !== null) return { release: null, more: false }
  if (due.length === 0) return { release: null, more }
  if ((await checks.findClockProblem(trx)) !== null) return { release: null, more: false }
  const verdicts = await checks.judge(trx, due)
  const verdictOf = ({ id }: PayoutRow): Verdict => verdicts.get(id) ?? NOT_JUDGED
  const going = due.filter((payout) => verdictOf(payout).kind === 'go')
  const now = await readClock(trx)
  const blocked = await readBlockedAssets(trx, inputs)
  const { release, waiting } = chooseBatch(going, inputs.room, inputs.maxPayouts, now, blocked)
  await writePostponements(trx, [
    ...due.flatMap((payout) => postponeByVerdict(signer, payout, verdictOf(payout), now)),
    ...waiting.map((one) => postponeWithoutRoom(signer, one, now)),
  ])
  if (release.length === 0) return { release: null, more }
  const call = encodeRelease(release, signer.chain.contracts)
  const gas = inputs.vault.releaseGas(release.length)
  const stored = await signAndStore(context, trx, inputs, { call, gas })
  await putIntoRelease(
    trx,
    stored,
    release.map(({ id }) => id),
  )
  signer.log.info({ release: Number(stored), payouts: release.length }, 'signed')
  return { release: stored, more }
}

/**
 * An asset may have stopped since the preflight. What is missing is read here too, because a write-off changes it. The
 * preflight's answer counts as well: what was posted since then is not proven, and could only pretend to replace it.
 */
async function readBlockedAssets(trx: Database, inputs: SigningInputs): Promise<BlockedAssets> {
  const missing = [...inputs.missing, ...findMissingAssets(await readSystemBalances(trx))]
  const stopped = [...inputs.blocked.keys(), ...(await readAssetStops(trx)).keys()]
  return new Map([
    ...missing.map((asset) => [asset, 'missing'] as const),
    ...stopped.map((asset) => [asset, 'chain'] as const),
  ])
}

/** Returns when the signer judges the payout again. Empty for a payout that may go: nothing is written for it. */
function postponeByVerdict(
  { payer, log }: SignerDependencies,
  { id }: PayoutRow,
  verdict: Verdict,
  now: Date,
): Postponement[] {
  const nowMs = now.getTime()
  switch (verdict.kind) {
    case 'go':
      return []
    case 'wait': {
      const at = Math.min(Math.max(verdict.lookAt.getTime(), nowMs + payer.pollMs), nowMs + MAX_WAIT_MS)
      return [{ id, lookAt: new Date(at), heldCheck: null, waitsFor: null }]
    }
    case 'check': {
      log.error({ payout: id, what: verdict.problem }, 'ALARM: a payout failed a check and is held')
      const at = nowMs + Math.min(TURNS_AFTER_CHECK * payer.pollMs, MAX_WAIT_MS)
      return [{ id, lookAt: new Date(at), heldCheck: verdict.problem.slice(0, 200), waitsFor: null }]
    }
  }
}

function postponeWithoutRoom(
  { payer }: SignerDependencies,
  { payout, waitsFor, isNext }: Batch['waiting'][number],
  now: Date,
): Postponement {
  const later = new Date(now.getTime() + TURNS_WITHOUT_ROOM * payer.pollMs)
  // The payout that goes next keeps its time, so that every turn judges it.
  const unchanged = payout.lookAt < now ? payout.lookAt : now
  return { id: payout.id, lookAt: isNext ? unchanged : later, heldCheck: null, waitsFor }
}
