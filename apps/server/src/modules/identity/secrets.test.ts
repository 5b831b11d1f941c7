import { describe, expect, it } from 'vitest'
import { hashSetupCode, hashToken, newInvitationCode, newSetupCode, newToken } from './secrets.ts'

const drawThousand = <T>(make: () => T): Set<T> => new Set(Array.from({ length: 1_000 }, make))

describe('secrets', () => {
  it('are never repeated', () => {
    expect(drawThousand(newToken).size).toBe(1_000)
    expect(drawThousand(newSetupCode).size).toBe(1_000)
    expect(drawThousand(newInvitationCode).size).toBe(1_000)
  })

  it('include set-up codes, of which ten thousand are all different', () => {
    expect(new Set(Array.from({ length: 10_000 }, newSetupCode)).size).toBe(10_000)
  })

  it('have the documented length', () => {
    expect(Buffer.from(newToken(), 'base64url')).toHaveLength(32)
    expect(newSetupCode()).toMatch(/^[0-9A-HJKMNP-TV-Z]{16}$/)
  })

  it('are stored as hashes', () => {
    expect(hashToken(newToken())).toHaveLength(32)
    const code = newSetupCode()
    expect(hashSetupCode(` ${code.slice(0, 8).toLowerCase()}-${code.slice(8)}`)).toEqual(hashSetupCode(code))
  })
})
