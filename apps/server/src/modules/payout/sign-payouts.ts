import { readClock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { readState } from '../custody/index.ts'
import type { Signing } from './form.ts'
import type { Ready } from './look.ts'
import { LONGEST_WAIT_MS, lockDue, putIntoRelease, type Standing, writeStandings } from './queue.ts'
import type { PayoutRow, Verdict } from './row.ts'
import { type Batch, nextBatch } from './rules.ts'
import { type SigningContext, signAndStore } from './signing-context.ts'
import { releaseCall } from './vault.ts'

/** More than the vault accepts at once, because many of them may be held. */
const MOST_JUDGED = 500

/** For how many turns a payout is not looked at: one without room, and one that failed a check. */
const TURNS_WITHOUT_ROOM = 15
const TURNS_AFTER_CHECK = 30

const NOT_JUDGED: Verdict = { kind: 'check', what: 'nobody knows about payouts of its kind' }

type Signed = {
  readonly release: bigint | null
  /** More payouts are due. */
  readonly more: boolean
}

/**
 * In one transaction: locks the payouts that are due, has each judged, and stores the signed release of those that go.
 */
export async function signPayouts(context: SigningContext, connection: Database, ready: Ready): Promise<Signed> {
  const signed = await connection.transaction().execute((inside) => signInside(context, inside, ready))
  if (signed.release !== null) {
    faultPoint('signer:after-store')
    context.signer.metrics.releases.inc({ kind: 'payouts' })
  }
  return signed
}

async function signInside(context: SigningContext, inside: Database, ready: Ready): Promise<Signed> {
  const { signer, checks } = context
  const due = await lockDue(inside, MOST_JUDGED)
  const more = due.length === MOST_JUDGED
  if (due.length === 0 || (await readState(inside))?.stoppedReason !== null) return { release: null, more: false }
  // Money posted after the chain was read is not proven yet, and these payouts may depend on it.
  if (!(await checks.isProven(inside))) return { release: null, more: true }
  const verdicts = await checks.judge(inside, due)
  const verdictOf = ({ id }: PayoutRow): Verdict => verdicts.get(id) ?? NOT_JUDGED
  const going = due.filter((payout) => verdictOf(payout).kind === 'go')
  const now = await readClock(inside)
  const { release, waiting } = nextBatch(going, ready.room, ready.most, now)
  await writeStandings(inside, [
    ...due.flatMap((payout) => standingOf(signer, payout, verdictOf(payout), now)),
    ...waiting.map((one) => standingWithoutRoom(signer, one, now)),
  ])
  if (release.length === 0) return { release: null, more }
  const call = releaseCall(release, signer.chain.contracts)
  const gas = ready.vault.releaseGas(release.length)
  const stored = await signAndStore(context, inside, ready, { call, gas })
  await putIntoRelease(
    inside,
    stored,
    release.map(({ id }) => id),
  )
  signer.log.info({ release: Number(stored), payouts: release.length }, 'signed')
  return { release: stored, more }
}

/** Returns when a payout that does not go is looked at again. Nothing is written for one that goes. */
function standingOf({ payer, log }: Signing, { id }: PayoutRow, verdict: Verdict, now: Date): Standing[] {
  const nowMs = now.getTime()
  switch (verdict.kind) {
    case 'go':
      return []
    case 'wait': {
      const at = Math.min(Math.max(verdict.lookAt.getTime(), nowMs + payer.pollMs), nowMs + LONGEST_WAIT_MS)
      return [{ id, lookAt: new Date(at), heldCheck: null, waitsFor: null }]
    }
    case 'check': {
      log.error({ payout: id, what: verdict.what }, 'ALARM: a payout is not as it should be, and is held')
      const at = nowMs + Math.min(TURNS_AFTER_CHECK * payer.pollMs, LONGEST_WAIT_MS)
      return [{ id, lookAt: new Date(at), heldCheck: verdict.what.slice(0, 200), waitsFor: null }]
    }
  }
}

function standingWithoutRoom(
  { payer }: Signing,
  { payout, waitsFor, isNext }: Batch['waiting'][number],
  now: Date,
): Standing {
  const later = new Date(now.getTime() + TURNS_WITHOUT_ROOM * payer.pollMs)
  // The next one keeps its place in the queue, so that every turn looks at it.
  const kept = payout.lookAt < now ? payout.lookAt : now
  return { id: payout.id, lookAt: isNext ? kept : later, heldCheck: null, waitsFor }
}
