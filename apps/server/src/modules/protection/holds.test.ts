import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOLD_HOURS, HOLD_TOTAL_HOURS, type HoldFacts, listHolds, WAIT_HOURS } from './holds.ts'

const nothing: HoldFacts = {
  addressBoundAt: null,
  deviceFirstSeenAt: null,
  passwordChangedAt: null,
  resetEndsAt: null,
  transfersLockedUntil: null,
}
const NOON = new Date('2026-11-15T12:00:00Z')
const hoursFromNoon = (hours: number) => new Date(NOON.getTime() + hours * 3_600_000)

describe('a transfer', () => {
  it('is not held from the browser of registration, to the member’s own wallet, with nothing changed', () => {
    expect(listHolds(NOON, nothing)).toEqual([])
  })

  it.each([
    ['a new address', { addressBoundAt: hoursFromNoon(-1) }, 'address-new', 47],
    ['a new address, in the last hour', { addressBoundAt: hoursFromNoon(-47) }, 'address-new', 1],
    ['a new browser', { deviceFirstSeenAt: hoursFromNoon(-23) }, 'device-new', 1],
    ['a changed password', { passwordChangedAt: hoursFromNoon(0) }, 'password-changed', 24],
    ['a waiting reset, and for a day after', { resetEndsAt: hoursFromNoon(72) }, 'reset', 96],
    ['a completed reset', { resetEndsAt: hoursFromNoon(-20) }, 'reset', 4],
    ['the member’s own lock', { transfersLockedUntil: hoursFromNoon(30 * 24) }, 'own-lock', 720],
  ] as const)('is held for %s', (_what, known, reason, hours) => {
    expect(listHolds(NOON, { ...nothing, ...known })).toEqual([{ reason, endsAt: hoursFromNoon(hours) }])
  })

  it.each([
    ['address', { addressBoundAt: hoursFromNoon(-48) }],
    ['browser', { deviceFirstSeenAt: hoursFromNoon(-24) }],
    ['password', { passwordChangedAt: hoursFromNoon(-24) }],
    ['reset', { resetEndsAt: hoursFromNoon(-24) }],
    ['lock', { transfersLockedUntil: NOON }],
  ])('is not held at the exact end of the hold: %s', (_what, known) => {
    expect(listHolds(NOON, { ...nothing, ...known })).toEqual([])
  })
})

describe('holds', () => {
  const moment = fc.option(fc.integer({ min: -2_000, max: 2_000 }).map(hoursFromNoon))
  const anything: fc.Arbitrary<HoldFacts> = fc.record({
    addressBoundAt: moment,
    deviceFirstSeenAt: moment,
    passwordChangedAt: moment,
    resetEndsAt: moment,
    transfersLockedUntil: moment,
  })
  const later = fc.integer({ min: 0, max: 2_000 })

  it('end exactly at the time that they name', () => {
    fc.assert(
      fc.property(anything, (known) => {
        for (const hold of listHolds(NOON, known)) {
          const justBefore = new Date(hold.endsAt.getTime() - 1)
          expect(listHolds(justBefore, known)).toContainEqual(hold)
          expect(listHolds(hold.endsAt, known).map(({ reason }) => reason)).not.toContain(hold.reason)
        }
      }),
    )
  })

  it('do not come back or change their end as time passes', () => {
    fc.assert(
      fc.property(anything, later, (known, hours) => {
        const now = listHolds(NOON, known)
        for (const hold of listHolds(hoursFromNoon(hours), known)) expect(now).toContainEqual(hold)
      }),
    )
  })

  it('are independent: no fact removes the hold of another', () => {
    fc.assert(
      fc.property(anything, (known) => {
        const alone = (Object.keys(known) as (keyof HoldFacts)[]).flatMap((fact) =>
          listHolds(NOON, { ...nothing, [fact]: known[fact] }),
        )
        expect(listHolds(NOON, known)).toEqual(alone)
      }),
    )
  })
})

describe('the hours of waits and holds', () => {
  const hoursIn = (path: string): number[] =>
    Array.from(readFileSync(new URL(path, import.meta.url), 'utf8').matchAll(/interval '(\d+) hours'/g), ([, hours]) =>
      Number(hours),
    )

  it('are the same in the SQL functions of this module and in the check of its table', () => {
    const files = readdirSync(new URL('functions/', import.meta.url)).map((file) => [
      file,
      hoursIn(`functions/${file}`),
    ])
    expect(Object.fromEntries(files.filter(([, hours]) => hours?.length))).toEqual({
      'ask_output_address.sql': [WAIT_HOURS.outputAddress, WAIT_HOURS.outputAddress],
      'ask_reset.sql': [WAIT_HOURS.reset, WAIT_HOURS.reset],
      'change_fund_password.sql': [HOLD_HOURS['password-changed']],
      // From the signer's check of an output address until it is bound, at the least.
      'record_address_check.sql': [24],
      'see_device.sql': [HOLD_HOURS['device-new']],
    })
    expect(hoursIn('../../migrations/0300_protection.sql')).toEqual([WAIT_HOURS.outputAddress])
  })

  it('of a reset are counted from its request: 72 hours of waiting and 24 of holding', () => {
    expect(HOLD_TOTAL_HOURS).toEqual({ 'address-new': 48, 'device-new': 24, 'password-changed': 24, reset: 96 })
  })
})
