import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { VerifiedDecision } from './operators.ts'
import { findPauseEnd, isSuperseded, PAYOUTS_SUBJECT } from './pause.ts'

const at = (hour: number): Date => new Date(Date.UTC(2026, 0, 1, hour))

function decided(
  hour: number,
  what: { pauseUntil: number } | 'resume',
  operators = ['a'],
  begun = hour,
): VerifiedDecision {
  const every = { pool: '0x52908400098527886E0F7030069857D2E4169EE7', chainId: 1, subject: PAYOUTS_SUBJECT } as const
  const more = { ...every, expiry: at(1000).toISOString(), nonce: randomUUID(), note: 'a look at the node' }
  const body =
    what === 'resume'
      ? ({ ...more, verb: 'resume' } as const)
      : ({ ...more, verb: 'pause', until: at(what.pauseUntil).toISOString() } as const)
  const times = { expiresAt: at(1000), firstSignedAt: at(begun), signedAt: at(hour) }
  return { id: 1n, verb: body.verb, body, ...times, signers: operators }
}

describe('payouts', () => {
  it('are paused by one operator until the stated time', () => {
    expect(findPauseEnd([], at(1))).toBeNull()
    const paused = [decided(1, { pauseUntil: 30 })]
    expect(findPauseEnd(paused, at(2))).toEqual(at(30))
    expect(findPauseEnd(paused, at(30))).toBeNull()
  })

  it('are never paused for more than 72 hours by one decision', () => {
    expect(findPauseEnd([decided(1, { pauseUntil: 500 })], at(2))).toEqual(at(73))
  })

  it('resume when two operators sign, but not when one does', () => {
    const paused = decided(1, { pauseUntil: 30 })
    expect(findPauseEnd([paused, decided(2, 'resume')], at(3))).toEqual(at(30))
    expect(findPauseEnd([paused, decided(2, 'resume', ['a', 'b'])], at(3))).toBeNull()
  })

  it('stay paused by a pause that was signed after the resume began', () => {
    const late = decided(5, 'resume', ['a', 'b'], 2)
    expect(findPauseEnd([decided(1, { pauseUntil: 30 }), late], at(6))).toBeNull()
    const again = decided(4, { pauseUntil: 20 })
    expect(findPauseEnd([decided(1, { pauseUntil: 30 }), again, late], at(6))).toEqual(at(20))
    expect([isSuperseded(late, [again]), isSuperseded(late, [decided(1, { pauseUntil: 30 })])]).toEqual([true, false])
  })

  it('can be paused again after a resume', () => {
    const decisions = [decided(1, { pauseUntil: 30 }), decided(2, 'resume', ['a', 'b']), decided(4, { pauseUntil: 20 })]
    expect(findPauseEnd(decisions, at(5))).toEqual(at(20))
  })
})
