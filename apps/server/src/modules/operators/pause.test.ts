import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { VerifiedDecision } from './operators.ts'
import { isOvertaken, PAYOUTS, pausedUntil } from './pause.ts'

const at = (hour: number): Date => new Date(Date.UTC(2026, 0, 1, hour))

function decided(
  hour: number,
  what: { pauseUntil: number } | 'resume',
  operators = ['a'],
  begun = hour,
): VerifiedDecision {
  const every = { pool: '0x52908400098527886E0F7030069857D2E4169EE7', chainId: 1, subject: PAYOUTS } as const
  const more = { ...every, expiry: at(1000).toISOString(), nonce: randomUUID(), note: 'a look at the node' }
  const body =
    what === 'resume'
      ? ({ ...more, verb: 'resume' } as const)
      : ({ ...more, verb: 'pause', until: at(what.pauseUntil).toISOString() } as const)
  const times = { expiresAt: at(1000), firstSignedAt: at(begun), signedAt: at(hour) }
  return { id: 1n, verb: body.verb, body, ...times, operators }
}

describe('payouts', () => {
  it('are paused by one operator until the stated time', () => {
    expect(pausedUntil([], at(1))).toBeNull()
    const paused = [decided(1, { pauseUntil: 30 })]
    expect(pausedUntil(paused, at(2))).toEqual(at(30))
    expect(pausedUntil(paused, at(30))).toBeNull()
  })

  it('are never paused for more than 72 hours by one decision', () => {
    expect(pausedUntil([decided(1, { pauseUntil: 500 })], at(2))).toEqual(at(73))
  })

  it('go on when two operators say so, and not when one does', () => {
    const paused = decided(1, { pauseUntil: 30 })
    expect(pausedUntil([paused, decided(2, 'resume')], at(3))).toEqual(at(30))
    expect(pausedUntil([paused, decided(2, 'resume', ['a', 'b'])], at(3))).toBeNull()
  })

  it('stay paused by what was decided after the first of the two began to resume', () => {
    const late = decided(5, 'resume', ['a', 'b'], 2)
    expect(pausedUntil([decided(1, { pauseUntil: 30 }), late], at(6))).toBeNull()
    const again = decided(4, { pauseUntil: 20 })
    expect(pausedUntil([decided(1, { pauseUntil: 30 }), again, late], at(6))).toEqual(at(20))
    expect([isOvertaken(late, [again]), isOvertaken(late, [decided(1, { pauseUntil: 30 })])]).toEqual([true, false])
  })

  it('can be paused again after that', () => {
    const decisions = [decided(1, { pauseUntil: 30 }), decided(2, 'resume', ['a', 'b']), decided(4, { pauseUntil: 20 })]
    expect(pausedUntil(decisions, at(5))).toEqual(at(20))
  })
})
