import { randomBytes } from 'node:crypto'
import { toHex } from 'viem'
import { readClock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { readState } from '../custody/index.ts'
import { systemBalances } from '../ledger/index.ts'
import { type Signing, signForm } from './form.ts'
import type { Ready } from './look.ts'
import type { Proof } from './proof.ts'
import { LONGEST_WAIT_MS, lockDue, putIntoRelease, type Standing, writeStandings } from './queue.ts'
import { burnedLately, type Release, storeRelease } from './releases.ts'
import type { PayoutRow, Verdict } from './row.ts'
import { least, nextBatch } from './rules.ts'
import { BURN_GAS, burnCall, releaseCall } from './vault.ts'

/** What those who know about a kind of payout say of each, inside the transaction that signs. */
export type Judge = (inside: Database, payouts: readonly PayoutRow[]) => Promise<Map<string, Verdict>>

/** Whether anything may be burned now, asked inside the transaction that signs it. */
export type MayBurn = (inside: Database, now: Date) => Promise<boolean>

/** Whom it asks before it signs. */
type Believing = { readonly judge: Judge; readonly mayBurn: MayBurn } & Pick<Proof, 'isProven'>

/** Of these as many are signed for as the vault takes at once: there may be many among them that are held. */
const MOST_JUDGED = 500

/** In turns: how long one that has no room is left alone, and one that was found not to be as it should. */
const TURNS_WITHOUT_ROOM = 15
const TURNS_AFTER_CHECK = 30

/** Signs for what is due, and stores it before anybody sees it. */
export function createSigning(signing: Signing, { judge, mayBurn, isProven }: Believing) {
  const { account, chain, payer, metrics, log } = signing
  const pool = chain.contracts

  /** In one transaction: locks what is due, has each judged, and stores what it signs for. `more`: others are due. */
  async function signNext(connection: Database, ready: Ready): Promise<{ release: bigint | null; more: boolean }> {
    const signed = await connection.transaction().execute(async (inside) => {
      const due = await lockDue(inside, MOST_JUDGED)
      const more = due.length === MOST_JUDGED
      if (due.length === 0 || (await readState(inside))?.stoppedReason !== null) return { release: null, more: false }
      // What came into the books since the chain was looked at may be what these are to be paid with.
      if (!(await isProven(inside))) return { release: null, more: true }
      const verdicts = await judge(inside, due)
      const verdictOf = ({ id }: PayoutRow): Verdict => verdicts.get(id) ?? NOT_JUDGED
      const going = due.filter((payout) => verdictOf(payout).kind === 'go')
      const at = await readClock(inside)
      const now = at.getTime()
      const { release, waiting } = nextBatch(going, ready.room, ready.most, at)
      const later = new Date(now + TURNS_WITHOUT_ROOM * payer.pollMs)
      // It stays where it is in the order in which they are looked at, so that it is always among them.
      const kept = ({ lookAt }: PayoutRow): Date => (lookAt < at ? lookAt : at)
      await writeStandings(inside, [
        ...due.flatMap((payout) => standingOf(payout, verdictOf(payout), now)),
        ...waiting.map(({ payout, waitsFor, isNext }) => ({
          id: payout.id,
          lookAt: isNext ? kept(payout) : later,
          heldCheck: null,
          waitsFor,
        })),
      ])
      if (release.length === 0) return { release: null, more }
      const call = releaseCall(release, pool)
      const gas = ready.vault.releaseGas(release.length)
      const stored = await store(inside, ready, { call, gas })
      await putIntoRelease(
        inside,
        stored,
        release.map(({ id }) => id),
      )
      log.info({ release: Number(stored), payouts: release.length }, 'signed')
      return { release: stored, more }
    })
    if (signed.release !== null) {
      faultPoint('signer:after-store')
      metrics.releases.inc({ kind: 'payouts' })
    }
    return signed
  }

  /**
   * What is due is read again, after it is known that no burn is open: one that was open when the chain was looked at may be in
   * the books by now, and what it burned would be burned again.
   */
  async function signBurn(connection: Database, ready: Ready): Promise<bigint | null> {
    if (ready.burnDue === 0n) return null
    const signed = await connection.transaction().execute(async (inside) => {
      if ((await readState(inside))?.stoppedReason !== null) return null
      if (!(await mayBurn(inside, await readClock(inside))) || (await burnedLately(inside))) return null
      const due = (await systemBalances(inside))('burn:due', 'BTN')
      const burned = least(due, ready.burnDue, ready.vault.burnRoom, ready.room.float.BTN)
      if (burned === 0n) return null
      const call = burnCall(burned, toHex(randomBytes(32)))
      return { stored: await store(inside, ready, { call, gas: BURN_GAS, burned }), burned }
    })
    if (signed === null) return null
    const { stored, burned } = signed
    faultPoint('signer:after-store')
    metrics.releases.inc({ kind: 'burn' })
    log.info({ release: Number(stored), amount: String(burned) }, 'signed a burn')
    return stored
  }

  async function store(
    inside: Database,
    { nonce, fees }: Ready,
    what: Pick<Release, 'call' | 'gas'> & { readonly burned?: bigint },
  ): Promise<bigint> {
    const release = { ...what, nonce, payer: account.address }
    const form = await signForm(signing, release, 1, fees)
    faultPoint('signer:before-store')
    return storeRelease(inside, release, form)
  }

  function standingOf({ id }: PayoutRow, verdict: Verdict, now: number): Standing[] {
    switch (verdict.kind) {
      case 'go':
        return []
      case 'wait': {
        const at = Math.min(Math.max(verdict.lookAt.getTime(), now + payer.pollMs), now + LONGEST_WAIT_MS)
        return [{ id, lookAt: new Date(at), heldCheck: null, waitsFor: null }]
      }
      case 'check': {
        log.error({ payout: id, what: verdict.what }, 'ALARM: a payout is not as it should be, and is held')
        const at = now + Math.min(TURNS_AFTER_CHECK * payer.pollMs, LONGEST_WAIT_MS)
        return [{ id, lookAt: new Date(at), heldCheck: verdict.what.slice(0, 200), waitsFor: null }]
      }
    }
  }

  return { signNext, signBurn }
}

const NOT_JUDGED: Verdict = { kind: 'check', what: 'nobody knows about payouts of its kind' }
