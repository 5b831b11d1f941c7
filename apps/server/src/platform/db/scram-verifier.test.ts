import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { scramVerifier } from './scram-verifier.ts'

describe('what PostgreSQL stores of a password', () => {
  it('accepts the login of the example in RFC 7677', () => {
    const nonce = 'rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0'
    const salt = 'W22ZaJ0SNY7soEsUEjb6gQ=='
    const message = `n=user,r=rOprNGfwEbeRWgbNEkqO,r=${nonce},s=${salt},i=4096,c=biws,r=${nonce}`
    const proof = Buffer.from('dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=', 'base64')

    const verifier = scramVerifier('pencil', Buffer.from(salt, 'base64'))
    const [, kind, , saltOf, storedKey = '', serverKey = ''] =
      /^(SCRAM-SHA-256)\$(4096):([^$]+)\$([^:]+):(.+)$/.exec(verifier) ?? []
    expect([kind, saltOf]).toEqual(['SCRAM-SHA-256', salt])
    const signature = createHmac('sha256', Buffer.from(storedKey, 'base64')).update(message).digest()
    const clientKey = Buffer.from(proof.map((byte, index) => byte ^ (signature[index] ?? 0)))
    expect(createHash('sha256').update(clientKey).digest('base64')).toBe(storedKey)
    expect(createHmac('sha256', Buffer.from(serverKey, 'base64')).update(message).digest('base64')).toBe(
      '6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=',
    )
  })
})
