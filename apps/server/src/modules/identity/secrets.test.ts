import { describe, expect, it } from 'vitest'
import { hashSetupCode, hashToken, newInvitationCode, newSetupCode, newToken } from './secrets.ts'

const many = <T>(make: () => T): Set<T> => new Set(Array.from({ length: 1_000 }, make))

describe('secrets', () => {
  it('never come twice', () => {
    expect(many(newToken).size).toBe(1_000)
    expect(many(newSetupCode).size).toBe(1_000)
    expect(many(newInvitationCode).size).toBe(1_000)
  })

  it('are set-up codes that do not come twice in ten thousand', () => {
    expect(new Set(Array.from({ length: 10_000 }, newSetupCode)).size).toBe(10_000)
  })

  it('have the size that they promise', () => {
    expect(Buffer.from(newToken(), 'base64url')).toHaveLength(32)
    expect(newSetupCode()).toMatch(/^[0-9A-HJKMNP-TV-Z]{16}$/)
  })

  it('are kept as hashes', () => {
    expect(hashToken(newToken())).toHaveLength(32)
    const code = newSetupCode()
    expect(hashSetupCode(` ${code.slice(0, 8).toLowerCase()}-${code.slice(8)}`)).toEqual(hashSetupCode(code))
  })
})
