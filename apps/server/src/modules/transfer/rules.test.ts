import { orderStatuses } from '@lode/wire'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { VerifiedDecision } from '../operators/index.ts'
import { type Known, lookAgainAt, standingOf, type TransferFacts } from './rules.ts'

const NOON = new Date('2026-11-15T12:00:00Z')
const hours = (count: number, from = NOON) => new Date(from.getTime() + count * 3_600_000)
const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const [formTx, seenTx, paidTx] = ['0x0f', '0x5e', '0x9a'] as const

const asked: TransferFacts = {
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

const plain: Known = {
  now: NOON,
  row: asked,
  protections: { passwordChangedAt: null, resetEndsAt: null, transfersLockedUntil: null },
  disabled: false,
  sizes: { reviewAbove: 1_000n, decisionAbove: 5_000n },
  decisions: [],
  release: null,
  seen: null,
  pausedUntil: null,
  pausedUntilUnresumed: null,
  signer: { seenAt: NOON, obeys: true },
  othersFirst: false,
}

const withRow = (row: Partial<TransferFacts>, also: Partial<Known> = {}): Known => ({
  ...plain,
  ...also,
  row: { ...asked, ...row },
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
  operators,
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

const reasonsOf = (known: Known) => standingOf(known).holds.map(({ reason }) => reason)

describe('a transfer', () => {
  it('that nothing holds is approved from its request on', () => {
    expect(standingOf(plain)).toEqual({
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

  it('goes on by itself when its last hold has ended, and says when that was', () => {
    const known = withRow({ addressBoundAt: hours(-40), deviceSeenAt: hours(-1) })
    const at = (now: Date) => standingOf({ ...known, now })
    expect(at(hours(1)).holds).toEqual([
      { reason: 'address-new', endsAt: hours(8) },
      { reason: 'device-new', endsAt: hours(23) },
    ])
    expect(at(hours(10)).holds).toEqual([{ reason: 'device-new', endsAt: hours(23) }])
    expect(at(hours(23)).state).toBe('approved')
    expect(at(hours(30)).steps.at(-1)).toEqual({ state: 'approved', at: hours(23) })
  })

  it('that was approved is held again by what begins, and says since when', () => {
    const locked = { ...plain, now: hours(5), protections: { ...plain.protections, passwordChangedAt: hours(3) } }
    expect(standingOf(locked).state).toBe('held')
    expect(standingOf(locked).steps.at(-1)).toEqual({ state: 'held', at: hours(3) })
  })

  it('is queued for the pool’s own reasons, a pause before all others', () => {
    expect(standingOf(withRow({ waitsFor: 'float' })).queue).toEqual({ reason: 'float', until: null, late: false })
    const paused = withRow({ waitsFor: 'float' }, { pausedUntil: hours(9) })
    expect(standingOf(paused).queue).toEqual({ reason: 'paused', until: hours(9), late: false })
    expect(standingOf({ ...paused, disabled: true })).toMatchObject({ state: 'held', queue: null })
  })

  it('is signed, broadcast, mined and final as the chain goes on, and goes back as the chain does', () => {
    const release = { signedAt: hours(1), broadcastAt: null, tx: formTx }
    const signer = { seenAt: hours(9), obeys: true }
    const signed = withRow({ releaseNumber: 1n }, { now: hours(9), release, signer })
    const broadcast = { ...signed, release: { ...release, broadcastAt: hours(2) } }
    const mined = { ...broadcast, seen: { tx: seenTx, at: hours(3) } } as const
    const paid = { ended: 'final', endedAt: hours(5), paidAt: hours(3), paidTx } as const
    const final = { ...broadcast, row: { ...signed.row, ...paid } }
    const shown = [signed, broadcast, mined, final].map((known) => {
      const { state, status, tx, steps, cancellable } = standingOf(known)
      return [state, status, tx, steps.map((step) => step.state).join(' '), cancellable]
    })
    expect(shown).toEqual([
      ['signed', 3, null, 'requested approved signed', false],
      ['broadcast', 3, formTx, 'requested approved signed broadcast', false],
      ['mined', 3, seenTx, 'requested approved signed broadcast mined', false],
      ['final', 1, paidTx, 'requested approved signed broadcast mined final', false],
    ])
    expect(standingOf({ ...mined, seen: null }).state).toBe('broadcast')
    expect(standingOf({ ...signed, row: { ...asked, waitsFor: 'cap' }, release: null })).toMatchObject({
      state: 'approved',
      cancellable: true,
      queue: { reason: 'cap', until: null, late: true },
    })
  })

  it('keeps the time at which it was approved, whatever is changed after it was signed', () => {
    const known = withRow({ releaseNumber: 1n, deviceSeenAt: hours(-20) }, { now: hours(500) })
    const release = { signedAt: hours(6), broadcastAt: null, tx: null }
    const later = { passwordChangedAt: hours(7), resetEndsAt: hours(100), transfersLockedUntil: hours(700) }
    const { steps } = standingOf({ ...known, release, protections: later })
    expect(steps).toContainEqual({ state: 'approved', at: hours(4) })
  })

  it('of a plan that nobody here knows is held to be checked', () => {
    expect(standingOf({ ...plain, sizes: null }).holds).toEqual([{ reason: 'check', endsAt: null }])
    expect(standingOf(withRow({ heldCheck: 'the books have no open line of it' })).holds).toEqual([
      { reason: 'check', endsAt: null },
    ])
  })
})

describe('a review', () => {
  const large = withRow({ amount: 2_000n })
  const huge = withRow({ amount: 6_000n })

  it('of a large one, or of a disabled account’s, ends 72 hours after the request', () => {
    expect(standingOf(large).holds).toEqual([{ reason: 'review-size', endsAt: hours(72) }])
    expect(standingOf({ ...plain, disabled: true }).holds).toEqual([{ reason: 'review-account', endsAt: hours(72) }])
    expect(reasonsOf({ ...large, disabled: true })).toEqual(['review-size', 'review-account'])
    expect(standingOf({ ...large, now: hours(72) }).state).toBe('approved')
    expect(reasonsOf(withRow({ amount: 1_000n }))).toEqual([])
  })

  it('ends by one operator’s approval, of exactly this', () => {
    const by = (decision: VerifiedDecision) => standingOf({ ...large, now: hours(3), decisions: [decision] }).state
    expect(by(decided('approve', hours(2), ['alice']))).toBe('approved')
    expect(by(decided('approve', hours(2), ['alice'], { amount: '2001' }))).toBe('held')
    expect(by(decided('approve', hours(2), ['alice'], { symbol: 'BTC' }))).toBe('held')
    const elsewhere = '0x8617E340B3D01FA5F11F306F4090FD50E238070D' as typeof address
    expect(by(decided('approve', hours(2), ['alice'], { address: elsewhere }))).toBe('held')
    const approved = { ...large, now: hours(3), decisions: [decided('approve', hours(2), ['alice'])] }
    expect(standingOf(approved).steps.at(-1)).toEqual({ state: 'approved', at: hours(2) })
  })

  it('above the second size needs two, and no time ends it', () => {
    const body = { amount: '6000' }
    const late = { ...huge, now: hours(10_000) }
    const one = [decided('approve', hours(2), ['alice'], body), decided('approve', hours(3), ['alice'], body)]
    const two = [decided('approve', hours(2), ['alice', 'bob'], body)]
    expect(standingOf(late).holds).toEqual([{ reason: 'review-size', endsAt: null }])
    expect(standingOf({ ...late, decisions: one }).state).toBe('held')
    expect(standingOf({ ...late, decisions: two }).state).toBe('approved')
  })

  it('that was rejected in time never ends by itself, approved or not', () => {
    const decisions = [decided('approve', hours(1), ['alice']), decided('reject', hours(2), ['bob'])]
    expect(standingOf({ ...large, now: hours(100), decisions }).holds).toEqual([
      { reason: 'review-size', endsAt: null },
    ])
    const late = [decided('reject', hours(73), ['bob'])]
    expect(standingOf({ ...large, now: hours(100), decisions: late }).state).toBe('approved')
  })
})

// ---- any combination of facts ---------------------------------------------------------------------------------------

const moment = fc.integer({ min: -200, max: 200 }).map((count) => hours(count))
const perhaps = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary)
const decision = fc
  .tuple(fc.constantFrom('approve' as const, 'reject' as const), moment, fc.subarray(['alice', 'bob', 'carol']))
  .map(([verb, at, by]) => decided(verb, at, by))

const anyKnown: fc.Arbitrary<Known> = fc
  .record({
    now: moment,
    amount: fc.constantFrom(100n, 2_000n, 6_000n),
    addressBoundAt: perhaps(moment),
    deviceSeenAt: perhaps(moment),
    stage: fc.constantFrom('unsigned', 'signed', 'final', 'rejected', 'cancelled', 'reverted'),
    heldCheck: perhaps(fc.constant('odd')),
    waitsFor: perhaps(fc.constantFrom('cap' as const, 'float' as const, 'chain' as const)),
    protections: fc.record({
      passwordChangedAt: perhaps(moment),
      resetEndsAt: perhaps(moment),
      transfersLockedUntil: perhaps(moment),
    }),
    disabled: fc.boolean(),
    decisions: fc.array(decision, { maxLength: 3 }),
    broadcastAt: perhaps(moment),
    seenAt: perhaps(moment),
    pausedUntil: perhaps(moment),
  })
  .map(({ amount, addressBoundAt, deviceSeenAt, stage, heldCheck, waitsFor, broadcastAt, seenAt, ...known }) => {
    const inRelease = stage === 'signed' || stage === 'final'
    const ended = stage === 'unsigned' || stage === 'signed' ? null : (stage as TransferFacts['ended'])
    return {
      ...plain,
      ...known,
      decisions: known.decisions.map((each) => ({ ...each, body: { ...each.body, amount: String(amount) } as never })),
      row: {
        ...asked,
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

const always = (holds: (known: Known) => void) => fc.assert(fc.property(anyKnown, holds), { numRuns: 500 })
const UNSIGNED = ['requested', 'held', 'approved']

describe('whatever is known', () => {
  it('it can be cancelled exactly before it is signed', () => {
    always((known) => {
      const { cancellable, state } = standingOf(known)
      expect(cancellable).toBe(UNSIGNED.includes(state))
      expect(cancellable).toBe(known.row.ended === null && known.row.releaseNumber === null)
    })
  })

  it('a hold that begins catches what is not signed, and nothing else', () => {
    always((known) => {
      const locked = { ...known.protections, transfersLockedUntil: new Date(known.now.getTime() + 1) }
      const { state } = standingOf({ ...known, protections: locked })
      expect(state).toBe(UNSIGNED.includes(standingOf(known).state) ? 'held' : standingOf(known).state)
    })
  })

  it('what has ended stays ended, by whatever clock', () => {
    fc.assert(
      fc.property(anyKnown, moment, (known, later) => {
        fc.pre(known.row.ended !== null)
        expect(standingOf({ ...known, now: later })).toEqual(standingOf(known))
      }),
    )
  })

  it('the end of a hold never moves by being asked for', () => {
    fc.assert(
      fc.property(anyKnown, moment, (known, later) => {
        const before = new Map(standingOf(known).holds.map(({ reason, endsAt }) => [reason, endsAt]))
        for (const { reason, endsAt } of standingOf({ ...known, now: later }).holds)
          if (before.has(reason)) expect(endsAt).toEqual(before.get(reason))
      }),
    )
  })

  it('time alone only ever takes holds away', () => {
    fc.assert(
      fc.property(anyKnown, fc.nat({ max: 400 }), (known, count) => {
        const now = reasonsOf(known)
        for (const reason of reasonsOf({ ...known, now: hours(count, known.now) })) expect(now).toContain(reason)
      }),
    )
  })

  it('above the second size nothing but two operators ends its review', () => {
    always((known) => {
      fc.pre(known.row.ended === null && known.row.releaseNumber === null && known.row.amount === 6_000n)
      const two = known.decisions.some(({ verb, operators }) => verb === 'approve' && operators.length >= 2)
      if (!two) expect(reasonsOf({ ...known, now: hours(100_000) })).toContain('review-size')
    })
  })

  it('its status on the wire is that of its state, and its last step is where it stands', () => {
    always((known) => {
      const { state, status, steps, holds, queue } = standingOf(known)
      expect(steps[0]).toEqual({ state: 'requested', at: NOON })
      expect(steps.at(-1)?.state).toBe(state)
      expect(holds.length > 0).toBe(state === 'held')
      if (queue) expect(state).toBe('approved')
      const ended = { final: 1, rejected: 0, cancelled: 0, reverted: 0 }[state as string]
      expect(status).toBe(ended ?? (UNSIGNED.includes(state) ? 2 : 3))
    })
  })

  it('it is looked at again within ten minutes, and never before something can have changed by itself', () => {
    always((known) => {
      const { state, holds, queue } = standingOf(known)
      fc.pre(state === 'held')
      const at = lookAgainAt(known.now, { holds, queue })
      expect(at.getTime()).toBeLessThanOrEqual(known.now.getTime() + 600_000)
      expect(at.getTime()).toBeGreaterThan(known.now.getTime())
      if (at.getTime() < known.now.getTime() + 600_000) expect(reasonsOf({ ...known, now: at })).toEqual([])
    })
  })

  it('when a pause may have been lifted: within a minute, for everybody waits for that', () => {
    const { holds } = standingOf(plain)
    const until = hours(5)
    expect(lookAgainAt(NOON, { holds, queue: { until } })).toEqual(new Date(NOON.getTime() + 60_000))
  })
})

const minutes = (count: number, from = NOON) => new Date(from.getTime() + count * 60_000)

describe('an approved transfer that is not signed', () => {
  /**
   * The queue of a transfer without other problems, this many minutes after its request. The signer has just reported.
   */
  const after = (passed: number, also: Partial<Known> = {}, row: Partial<TransferFacts> = {}) => {
    const now = minutes(passed)
    return standingOf(withRow(row, { now, signer: { seenAt: now, obeys: true }, ...also })).queue
  }

  it('is not late for ten minutes, and then says that nobody knows why', () => {
    expect(after(10)).toBeNull()
    expect(after(11)).toEqual({ reason: 'unknown', until: null, late: true })
  })

  it('says that others go out first where more than a release holds are due before it', () => {
    expect(after(10, { othersFirst: true })).toBeNull()
    expect(after(11, { othersFirst: true })).toEqual({ reason: 'others-first', until: null, late: true })
  })

  it.each(['cap', 'float', 'chain'] as const)(
    'says from the start that it waits for the %s, and when it is late',
    (what) => {
      expect(after(1, {}, { waitsFor: what })).toEqual({ reason: what, until: null, late: false })
      expect(after(11, {}, { waitsFor: what })).toEqual({ reason: what, until: null, late: true })
    },
  )

  it('says until when payouts are paused before anything else, and when it is late', () => {
    const paused = { pausedUntil: hours(5), signer: { seenAt: null, obeys: false } }
    expect(after(11, paused, { waitsFor: 'cap' })).toEqual({ reason: 'paused', until: hours(5), late: true })
  })

  it('says that the signer is not running when it has been silent for five minutes, or never reported', () => {
    expect(after(6, { signer: { seenAt: minutes(1), obeys: true } })).toBeNull()
    expect(after(7, { signer: { seenAt: minutes(1), obeys: true } })?.reason).toBe('signer-away')
    expect(after(0, { signer: { seenAt: null, obeys: false } })).toEqual({
      reason: 'signer-away',
      until: null,
      late: false,
    })
  })

  it('is late by the time of its approval, not of its request', () => {
    const sizes = { reviewAbove: 50n, decisionAbove: 5_000n }
    const decisions = [decided('approve', minutes(60), ['a'], { amount: '100' })]
    expect(after(70, { sizes, decisions })).toBeNull()
    expect(after(71, { sizes, decisions })?.late).toBe(true)
  })

  it('is not late for a reason that nobody knows right after the signer put it off', () => {
    // As after a pause, which the signer checks every minute.
    expect(after(100, {}, { lookAt: minutes(99) })).toBeNull()
    expect(after(110, {}, { lookAt: minutes(99) })?.reason).toBe('unknown')
  })

  describe('where the signer does not obey decisions', () => {
    const deaf = (passed: number, also: Partial<Known>) => {
      const signer = { seenAt: minutes(passed), obeys: false }
      return after(passed, { signer, ...also })?.reason ?? null
    }
    const large = { sizes: { reviewAbove: 50n, decisionAbove: 5_000n } }
    const approved = { ...large, decisions: [decided('approve', minutes(1), ['a'], { amount: '100' })] }

    it('goes out where it needs none', () => {
      expect(deaf(2, {})).toBeNull()
    })

    it('waits at once where an approval ended its review, and no longer when time has ended it', () => {
      expect(deaf(2, approved)).toBe('decision-not-obeyed')
      expect(after(2, approved)).toBeNull()
      expect(deaf(72 * 60 + 5, approved)).toBe('unknown')
    })

    it('waits where a pause was ended by a resume', () => {
      expect(deaf(2, { pausedUntilUnresumed: hours(5) })).toBe('decision-not-obeyed')
      expect(after(2, { pausedUntilUnresumed: hours(5) })).toBeNull()
    })
  })
})
