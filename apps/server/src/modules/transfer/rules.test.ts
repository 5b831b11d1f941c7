import { orderStatuses } from '@lode/wire'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { VerifiedDecision } from '../operators/index.ts'
import {
  deriveTransferProgress,
  isOverdue,
  nextLookAt,
  operatorsNeeded,
  type TransferFacts,
  type TransferSnapshot,
} from './rules.ts'

const NOON = new Date('2026-11-15T12:00:00Z')
const hours = (count: number, from = NOON) => new Date(from.getTime() + count * 3_600_000)
const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const [formTx, seenTx, paidTx] = ['0x0f', '0x5e', '0x9a'] as const

const requestedRow: TransferFacts = {
  asset: 'USDT',
  amount: 100n,
  address,
  requestedAt: NOON,
  addressBoundAt: null,
  deviceSeenAt: null,
  releaseNumber: null,
  heldCheck: null,
  waitsFor: null,
  ended: null,
  endedAt: null,
  paidTx: null,
  paidAt: null,
  lookAt: NOON,
}

const baseSnapshot: TransferSnapshot = {
  now: NOON,
  row: requestedRow,
  protections: { passwordChangedAt: null, resetEndsAt: null, transfersLockedUntil: null },
  disabled: false,
  reviewSizes: { reviewAbove: 1_000n, decisionAbove: 5_000n },
  decisions: [],
  release: null,
  seen: null,
  pausedUntil: null,
  pausedUntilIgnoringResumes: null,
  signer: { seenAt: NOON, obeysApprovals: true },
  isFullReleaseAhead: false,
}

const withRow = (row: Partial<TransferFacts>, also: Partial<TransferSnapshot> = {}): TransferSnapshot => ({
  ...baseSnapshot,
  ...also,
  row: { ...requestedRow, ...row },
})

const decided = (
  verb: 'approve' | 'reject',
  signedAt: Date,
  operators: string[],
  body: { amount?: string; symbol?: 'USDT' | 'BTC'; address?: typeof address } = {},
): VerifiedDecision => ({
  id: 1n,
  verb,
  firstSignedAt: signedAt,
  signedAt,
  signers: operators,
  expiresAt: hours(1_000),
  body: {
    verb,
    pool: address,
    chainId: 1,
    subject: 'transfer:x',
    expiry: '',
    nonce: '',
    note: 'a note',
    symbol: 'USDT',
    amount: '2000',
    address,
    ...body,
  },
})

const reasonsOf = (known: TransferSnapshot) => deriveTransferProgress(known).holds.map(({ reason }) => reason)

describe('a transfer', () => {
  it('without holds is approved from its request on', () => {
    expect(deriveTransferProgress(baseSnapshot)).toEqual({
      state: 'approved',
      status: orderStatuses.paying,
      holds: [],
      queue: null,
      cancellable: true,
      tx: null,
      steps: [
        { state: 'requested', at: NOON },
        { state: 'approved', at: NOON },
      ],
    })
  })

  it('is approved by itself when its last hold ends, with that time as a step', () => {
    const known = withRow({ addressBoundAt: hours(-40), deviceSeenAt: hours(-1) })
    const at = (now: Date) => deriveTransferProgress({ ...known, now })
    expect(at(hours(1)).holds).toEqual([
      { reason: 'address-new', endsAt: hours(8) },
      { reason: 'device-new', endsAt: hours(23) },
    ])
    expect(at(hours(10)).holds).toEqual([{ reason: 'device-new', endsAt: hours(23) }])
    expect(at(hours(23)).state).toBe('approved')
    expect(at(hours(30)).steps.at(-1)).toEqual({ state: 'approved', at: hours(23) })
  })

  it('that was approved is held again when a new hold begins, with that time as a step', () => {
    const locked = {
      ...baseSnapshot,
      now: hours(5),
      protections: { ...baseSnapshot.protections, passwordChangedAt: hours(3) },
    }
    expect(deriveTransferProgress(locked).state).toBe('held')
    expect(deriveTransferProgress(locked).steps.at(-1)).toEqual({ state: 'held', at: hours(3) })
  })

  it('is held by a reset from the request of the reset on, 96 hours before the hold ends', () => {
    const heldAt = (protections: Partial<TransferSnapshot['protections']>) =>
      deriveTransferProgress({
        ...baseSnapshot,
        now: hours(5),
        protections: { ...baseSnapshot.protections, ...protections },
      }).steps.at(-1)
    expect(heldAt({ resetEndsAt: hours(2 + 72) })).toEqual({ state: 'held', at: hours(2) })
    // A hold that began before the transfer was requested holds it from its request on.
    expect(heldAt({ resetEndsAt: hours(1) })).toEqual({ state: 'held', at: NOON })
    expect(heldAt({ passwordChangedAt: hours(-2) })).toEqual({ state: 'held', at: NOON })
  })

  it('is queued with a reason of the pool, a pause first', () => {
    expect(deriveTransferProgress(withRow({ waitsFor: 'float' })).queue).toEqual({
      reason: 'float',
      until: null,
      late: false,
    })
    const paused = withRow({ waitsFor: 'float' }, { pausedUntil: hours(9) })
    expect(deriveTransferProgress(paused).queue).toEqual({ reason: 'paused', until: hours(9), late: false })
    expect(deriveTransferProgress({ ...paused, disabled: true })).toMatchObject({ state: 'held', queue: null })
  })

  it('becomes signed, broadcast, mined and final, and goes back when the chain does', () => {
    const release = { signedAt: hours(1), broadcastAt: null, tx: formTx }
    const signer = { seenAt: hours(9), obeysApprovals: true }
    const signed = withRow({ releaseNumber: 1n }, { now: hours(9), release, signer })
    const broadcast = { ...signed, release: { ...release, broadcastAt: hours(2) } }
    const mined = { ...broadcast, seen: { tx: seenTx, at: hours(3) } } as const
    const paid = { ended: 'final', endedAt: hours(5), paidAt: hours(3), paidTx } as const
    const final = { ...broadcast, row: { ...signed.row, ...paid } }
    const shown = [signed, broadcast, mined, final].map((known) => {
      const { state, status, tx, steps, cancellable } = deriveTransferProgress(known)
      return [state, status, tx, steps.map((step) => step.state).join(' '), cancellable]
    })
    expect(shown).toEqual([
      ['signed', 3, null, 'requested approved signed', false],
      ['broadcast', 3, formTx, 'requested approved signed broadcast', false],
      ['mined', 3, seenTx, 'requested approved signed broadcast mined', false],
      ['final', 1, paidTx, 'requested approved signed broadcast mined final', false],
    ])
    expect(deriveTransferProgress({ ...mined, seen: null }).state).toBe('broadcast')
    expect(
      deriveTransferProgress({ ...signed, row: { ...requestedRow, waitsFor: 'cap' }, release: null }),
    ).toMatchObject({
      state: 'approved',
      cancellable: true,
      queue: { reason: 'cap', until: null, late: true },
    })
  })

  it('keeps its approval time when protections change after it was signed', () => {
    const known = withRow({ releaseNumber: 1n, deviceSeenAt: hours(-20) }, { now: hours(500) })
    const release = { signedAt: hours(6), broadcastAt: null, tx: null }
    const later = { passwordChangedAt: hours(7), resetEndsAt: hours(100), transfersLockedUntil: hours(700) }
    const { steps } = deriveTransferProgress({ ...known, release, protections: later })
    expect(steps).toContainEqual({ state: 'approved', at: hours(4) })
  })

  it('is held for a check if its plan version is unknown or a check failed', () => {
    expect(deriveTransferProgress({ ...baseSnapshot, reviewSizes: null }).holds).toEqual([
      { reason: 'check', endsAt: null },
    ])
    expect(
      deriveTransferProgress(withRow({ heldCheck: 'the ledger has no open log line of this transfer' })).holds,
    ).toEqual([{ reason: 'check', endsAt: null }])
  })
})

describe('a review', () => {
  const large = withRow({ amount: 2_000n })
  const huge = withRow({ amount: 6_000n })

  it('of a large transfer or of a disabled account ends 72 hours after the request', () => {
    expect(deriveTransferProgress(large).holds).toEqual([{ reason: 'review-size', endsAt: hours(72) }])
    expect(deriveTransferProgress({ ...baseSnapshot, disabled: true }).holds).toEqual([
      { reason: 'review-account', endsAt: hours(72) },
    ])
    expect(reasonsOf({ ...large, disabled: true })).toEqual(['review-size', 'review-account'])
    expect(deriveTransferProgress({ ...large, now: hours(72) }).state).toBe('approved')
    expect(reasonsOf(withRow({ amount: 1_000n }))).toEqual([])
  })

  it('ends when one operator approves exactly this transfer', () => {
    const by = (decision: VerifiedDecision) =>
      deriveTransferProgress({ ...large, now: hours(3), decisions: [decision] }).state
    expect(by(decided('approve', hours(2), ['alice']))).toBe('approved')
    expect(by(decided('approve', hours(2), ['alice'], { amount: '2001' }))).toBe('held')
    expect(by(decided('approve', hours(2), ['alice'], { symbol: 'BTC' }))).toBe('held')
    const elsewhere = '0x8617E340B3D01FA5F11F306F4090FD50E238070D' as typeof address
    expect(by(decided('approve', hours(2), ['alice'], { address: elsewhere }))).toBe('held')
    const approved = { ...large, now: hours(3), decisions: [decided('approve', hours(2), ['alice'])] }
    expect(deriveTransferProgress(approved).steps.at(-1)).toEqual({ state: 'approved', at: hours(2) })
  })

  it('above the second size needs two operators and never ends by itself', () => {
    const body = { amount: '6000' }
    const late = { ...huge, now: hours(10_000) }
    const one = [decided('approve', hours(2), ['alice'], body), decided('approve', hours(3), ['alice'], body)]
    const two = [decided('approve', hours(2), ['alice', 'bob'], body)]
    expect(deriveTransferProgress(late).holds).toEqual([{ reason: 'review-size', endsAt: null }])
    expect(deriveTransferProgress({ ...late, decisions: one }).state).toBe('held')
    expect(deriveTransferProgress({ ...late, decisions: two }).state).toBe('approved')
  })

  it('that was rejected in time never ends by itself, even if it was approved', () => {
    const decisions = [decided('approve', hours(1), ['alice']), decided('reject', hours(2), ['bob'])]
    expect(deriveTransferProgress({ ...large, now: hours(100), decisions }).holds).toEqual([
      { reason: 'review-size', endsAt: null },
    ])
    const late = [decided('reject', hours(73), ['bob'])]
    expect(deriveTransferProgress({ ...large, now: hours(100), decisions: late }).state).toBe('approved')
  })
})

// ---- any combination of facts ---------------------------------------------------------------------------------------

const moment = fc.integer({ min: -200, max: 200 }).map((count) => hours(count))
const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary)
const decision = fc
  .tuple(fc.constantFrom('approve' as const, 'reject' as const), moment, fc.subarray(['alice', 'bob', 'carol']))
  .map(([verb, at, by]) => decided(verb, at, by))

const anySnapshot: fc.Arbitrary<TransferSnapshot> = fc
  .record({
    now: moment,
    amount: fc.constantFrom(100n, 2_000n, 6_000n),
    addressBoundAt: orNull(moment),
    deviceSeenAt: orNull(moment),
    stage: fc.constantFrom('unsigned', 'signed', 'final', 'rejected', 'cancelled', 'reverted'),
    heldCheck: orNull(fc.constant('odd')),
    waitsFor: orNull(fc.constantFrom('cap' as const, 'float' as const, 'chain' as const)),
    protections: fc.record({
      passwordChangedAt: orNull(moment),
      resetEndsAt: orNull(moment),
      transfersLockedUntil: orNull(moment),
    }),
    disabled: fc.boolean(),
    decisions: fc.array(decision, { maxLength: 3 }),
    broadcastAt: orNull(moment),
    seenAt: orNull(moment),
    pausedUntil: orNull(moment),
  })
  .map(({ amount, addressBoundAt, deviceSeenAt, stage, heldCheck, waitsFor, broadcastAt, seenAt, ...known }) => {
    const inRelease = stage === 'signed' || stage === 'final'
    const ended = stage === 'unsigned' || stage === 'signed' ? null : (stage as TransferFacts['ended'])
    return {
      ...baseSnapshot,
      ...known,
      decisions: known.decisions.map((each) => ({ ...each, body: { ...each.body, amount: String(amount) } as never })),
      row: {
        ...requestedRow,
        amount,
        addressBoundAt,
        deviceSeenAt,
        heldCheck,
        waitsFor,
        ended,
        releaseNumber: inRelease ? 1n : null,
        endedAt: ended && hours(90),
        ...(ended === 'final' ? { paidTx, paidAt: hours(80) } : {}),
      },
      release: inRelease ? { signedAt: hours(70), broadcastAt, tx: formTx } : null,
      seen: stage === 'signed' && seenAt ? { tx: seenTx, at: seenAt } : null,
    }
  })

const always = (holds: (known: TransferSnapshot) => void) =>
  fc.assert(fc.property(anySnapshot, holds), { numRuns: 500 })
const UNSIGNED = ['requested', 'held', 'approved']

describe('for every combination of facts', () => {
  it('a transfer can be canceled exactly until it is signed', () => {
    always((known) => {
      const { cancellable, state } = deriveTransferProgress(known)
      expect(cancellable).toBe(UNSIGNED.includes(state))
      expect(cancellable).toBe(known.row.ended === null && known.row.releaseNumber === null)
    })
  })

  it('a new hold applies to every unsigned transfer and to no other', () => {
    always((known) => {
      const locked = { ...known.protections, transfersLockedUntil: new Date(known.now.getTime() + 1) }
      const { state } = deriveTransferProgress({ ...known, protections: locked })
      expect(state).toBe(
        UNSIGNED.includes(deriveTransferProgress(known).state) ? 'held' : deriveTransferProgress(known).state,
      )
    })
  })

  it('an ended transfer stays the same at any time', () => {
    fc.assert(
      fc.property(anySnapshot, moment, (known, later) => {
        fc.pre(known.row.ended !== null)
        expect(deriveTransferProgress({ ...known, now: later })).toEqual(deriveTransferProgress(known))
      }),
    )
  })

  it('the end of a hold does not depend on when it is computed', () => {
    fc.assert(
      fc.property(anySnapshot, moment, (known, later) => {
        const before = new Map(deriveTransferProgress(known).holds.map(({ reason, endsAt }) => [reason, endsAt]))
        for (const { reason, endsAt } of deriveTransferProgress({ ...known, now: later }).holds)
          if (before.has(reason)) expect(endsAt).toEqual(before.get(reason))
      }),
    )
  })

  it('the passing of time only removes holds', () => {
    fc.assert(
      fc.property(anySnapshot, fc.nat({ max: 400 }), (known, count) => {
        const now = reasonsOf(known)
        for (const reason of reasonsOf({ ...known, now: hours(count, known.now) })) expect(now).toContain(reason)
      }),
    )
  })

  it('only two operators end a review above the second size', () => {
    always((known) => {
      fc.pre(known.row.ended === null && known.row.releaseNumber === null && known.row.amount === 6_000n)
      const two = known.decisions.some(({ verb, signers }) => verb === 'approve' && signers.length >= 2)
      if (!two) expect(reasonsOf({ ...known, now: hours(100_000) })).toContain('review-size')
    })
  })

  it('the wire status follows from the state, and the last step is the state', () => {
    always((known) => {
      const { state, status, steps, holds, queue } = deriveTransferProgress(known)
      expect(steps[0]).toEqual({ state: 'requested', at: NOON })
      expect(steps.at(-1)?.state).toBe(state)
      expect(holds.length > 0).toBe(state === 'held')
      if (queue) expect(state).toBe('approved')
      const ended = { final: 1, rejected: 0, cancelled: 0, reverted: 0 }[state as string]
      expect(status).toBe(ended ?? (UNSIGNED.includes(state) ? 2 : 3))
    })
  })

  it('the signer looks again within ten minutes, and earlier only if all holds have ended by then', () => {
    always((known) => {
      const { state, holds } = deriveTransferProgress(known)
      fc.pre(state === 'held')
      const at = nextLookAt(known.now, { holds, pausedUntil: null })
      expect(at.getTime()).toBeLessThanOrEqual(known.now.getTime() + 600_000)
      expect(at.getTime()).toBeGreaterThan(known.now.getTime())
      if (at.getTime() < known.now.getTime() + 600_000) expect(reasonsOf({ ...known, now: at })).toEqual([])
    })
  })

  it('the signer looks again within a minute during a pause', () => {
    const { holds } = deriveTransferProgress(baseSnapshot)
    const pausedUntil = hours(5)
    expect(nextLookAt(NOON, { holds, pausedUntil })).toEqual(new Date(NOON.getTime() + 60_000))
  })

  it('the signer looks again when the last of holds and pause ends, and within ten minutes if one has no end', () => {
    const inMinutes = (count: number) => new Date(NOON.getTime() + count * 60_000)
    const hold = (endsAt: Date | null) => ({ reason: 'check', endsAt }) as const
    const lookAt = (ends: (Date | null)[], pausedUntil: Date | null = null) =>
      nextLookAt(NOON, { holds: ends.map(hold), pausedUntil })
    expect(lookAt([inMinutes(2), inMinutes(4)])).toEqual(inMinutes(4))
    expect(lookAt([inMinutes(2)], inMinutes(5))).toEqual(inMinutes(5))
    expect(lookAt([inMinutes(20)], inMinutes(5))).toEqual(inMinutes(10))
    expect(lookAt([inMinutes(2), null])).toEqual(inMinutes(10))
  })
})

describe('a review', () => {
  const large = { amount: 2_000n }
  const known = (row: Partial<TransferFacts>, now: Date, decisions: VerifiedDecision[] = []) =>
    withRow({ ...large, ...row }, { now, decisions })

  it('needs one operator up to the size of a decision by two, and two above it or if the plan is unknown', () => {
    const sizes = { reviewAbove: 1_000n, decisionAbove: 5_000n }
    expect([5_000n, 5_001n].map((amount) => operatorsNeeded({ amount }, sizes))).toEqual([1, 2])
    expect(operatorsNeeded({ amount: 1n }, null)).toBe(2)
  })

  it('that ends by itself cannot be answered by a rejection at that moment, but just before it', () => {
    const rejectedAt = (at: Date) => reasonsOf(known({}, hours(73), [decided('reject', at, ['alice'])]))
    expect(rejectedAt(hours(72))).toEqual([])
    expect(rejectedAt(new Date(hours(72).getTime() - 1))).toEqual(['review-size'])
  })

  it('is overdue from exactly 72 hours after the request on, if it has not ended', () => {
    const open = { amount: 6_000n }
    expect(isOverdue(known(open, new Date(hours(72).getTime() - 1)))).toBe(false)
    expect(isOverdue(known(open, hours(72)))).toBe(true)
    expect(isOverdue(known(large, hours(72)))).toBe(false)
  })
})

const minutes = (count: number, from = NOON) => new Date(from.getTime() + count * 60_000)

describe('an approved transfer that is not signed', () => {
  /**
   * The queue of a transfer without other problems, this many minutes after its request. The signer has just reported.
   */
  const after = (passed: number, also: Partial<TransferSnapshot> = {}, row: Partial<TransferFacts> = {}) => {
    const now = minutes(passed)
    return deriveTransferProgress(withRow(row, { now, signer: { seenAt: now, obeysApprovals: true }, ...also })).queue
  }

  it('is late after ten minutes, with an unknown reason', () => {
    expect(after(10)).toBeNull()
    expect(after(11)).toEqual({ reason: 'unknown', until: null, late: true })
  })

  it('says that others go first if a full release is due before it', () => {
    expect(after(10, { isFullReleaseAhead: true })).toBeNull()
    expect(after(11, { isFullReleaseAhead: true })).toEqual({ reason: 'others-first', until: null, late: true })
  })

  it.each(['cap', 'float', 'chain'] as const)(
    'says at once that it waits for the %s, and later that it is late',
    (what) => {
      expect(after(1, {}, { waitsFor: what })).toEqual({ reason: what, until: null, late: false })
      expect(after(11, {}, { waitsFor: what })).toEqual({ reason: what, until: null, late: true })
    },
  )

  it('shows a pause before any other reason, and that it is late', () => {
    const paused = { pausedUntil: hours(5), signer: { seenAt: null, obeysApprovals: false } }
    expect(after(11, paused, { waitsFor: 'cap' })).toEqual({ reason: 'paused', until: hours(5), late: true })
  })

  it('says that the signer is not running if it has not reported for five minutes', () => {
    expect(after(6, { signer: { seenAt: minutes(1), obeysApprovals: true } })).toBeNull()
    expect(after(7, { signer: { seenAt: minutes(1), obeysApprovals: true } })?.reason).toBe('signer-away')
    expect(after(0, { signer: { seenAt: null, obeysApprovals: false } })).toEqual({
      reason: 'signer-away',
      until: null,
      late: false,
    })
  })

  it('is late ten minutes after its approval, not after its request', () => {
    const sizes = { reviewAbove: 50n, decisionAbove: 5_000n }
    const decisions = [decided('approve', minutes(60), ['a'], { amount: '100' })]
    expect(after(70, { reviewSizes: sizes, decisions })).toBeNull()
    expect(after(71, { reviewSizes: sizes, decisions })?.late).toBe(true)
  })

  it('is not late for an unknown reason right after the signer postponed it', () => {
    // As after a pause, which the signer checks every minute.
    expect(after(100, {}, { lookAt: minutes(99) })).toBeNull()
    expect(after(110, {}, { lookAt: minutes(99) })?.reason).toBe('unknown')
  })

  describe('if the signer does not obey decisions', () => {
    const deaf = (passed: number, also: Partial<TransferSnapshot>) => {
      const signer = { seenAt: minutes(passed), obeysApprovals: false }
      return after(passed, { signer, ...also })?.reason ?? null
    }
    const large = { reviewSizes: { reviewAbove: 50n, decisionAbove: 5_000n } }
    const approved = { ...large, decisions: [decided('approve', minutes(1), ['a'], { amount: '100' })] }

    it('does not wait if it needs no decision', () => {
      expect(deaf(2, {})).toBeNull()
    })

    it('waits if an approval ended its review, but not if the review ended by itself', () => {
      expect(deaf(2, approved)).toBe('decision-not-obeyed')
      expect(after(2, approved)).toBeNull()
      expect(deaf(72 * 60 + 5, approved)).toBe('unknown')
    })

    it('waits if a resume ended a pause', () => {
      expect(deaf(2, { pausedUntilIgnoringResumes: hours(5) })).toBe('decision-not-obeyed')
      expect(after(2, { pausedUntilIgnoringResumes: hours(5) })).toBeNull()
    })
  })
})
