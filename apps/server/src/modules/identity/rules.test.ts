import { describe, expect, it } from 'vitest'
import { addressTail } from '../../platform/chain/hex-column.ts'
import { checkRegistrationAllowed, computeLastActionAt, parseAccount } from './rules.ts'

const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

describe('an account', () => {
  it('is stored in checksum spelling', () => {
    expect(parseAccount(account)).toBe(account)
    expect(parseAccount(account.toLowerCase())).toBe(account)
    expect(addressTail(account)).toBe('b92266')
  })

  it.each([
    ['upper case', `0x${account.slice(2).toUpperCase()}`],
    ['a checksum that is wrong', account.replace('f39F', 'F39f')],
    ['no prefix', account.slice(2)],
    ['a name', 'vitalik.eth'],
    ['nothing', ''],
    ['the zero address', `0x${'0'.repeat(40)}`],
    ['the identity precompile, which returns its input', `0x${'0'.repeat(39)}4`],
    ['the last reserved address', `0x${'0'.repeat(32)}ffffffff`],
    ['the burn address', '0x000000000000000000000000000000000000dEaD'],
  ])('is not %s', (_what, text) => {
    expect(parseAccount(text)).toBeNull()
  })
})

describe('the last action of a session', () => {
  const last = new Date('2026-11-15T06:00:00Z')
  const at = (seconds: number) => new Date(last.getTime() + seconds * 1_000)

  it.each([
    ['moves to the time of a call by the member', 300, 0, 300],
    ['moves to the time that a background refresh reports', 300, 100, 200],
    ['stays within a minute', 59, 0, null],
    ['moves after a full minute', 60, 0, 60],
    ['stays if the member was idle all the time', 300, 300, null],
    ['never moves back', 300, 1_000, null],
    ['stays if the idle time is unknown', 300, Number.POSITIVE_INFINITY, null],
  ])('%s', (_what, now, idle, moved) => {
    expect(computeLastActionAt(last, at(now), idle)).toEqual(moved === null ? null : at(moved))
  })
})

describe('registration', () => {
  const byCountry = { kind: 'by-country', header: 'cf-ipcountry', restricted: new Set(['US']) } as const

  it.each([
    ['open', { kind: 'open' } as const, undefined, undefined],
    ['closed', { kind: 'closed' } as const, 'FR', 'registration-closed'],
    ['open for other countries', byCountry, 'FR', undefined],
    ['restricted', byCountry, 'US', 'region-restricted'],
    ['restricted in upper and lower case', byCountry, 'us', 'region-restricted'],
    ['closed without a country', byCountry, undefined, 'registration-closed'],
    ['closed with an invalid country', byCountry, 'US, FR', 'registration-closed'],
  ])('is %s', (_what, policy, country, refusal) => {
    const allowed = checkRegistrationAllowed(policy, country)
    expect(allowed.ok ? undefined : allowed.error).toBe(refusal)
  })
})
