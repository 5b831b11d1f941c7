import { makeInvitationCode } from '@lode/kernel'
import fc from 'fast-check'
import { getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  checkLifetime,
  expiryOf,
  type MessageIssuer,
  readMessage,
  type SignInMessage,
  writeMessage,
} from './sign-in-message.ts'

const issuer: MessageIssuer = {
  domain: 'pool.example.org',
  uri: 'https://pool.example.org',
  chainId: 56,
  secret: 'a secret for these tests alone, long enough',
}

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const anyAccount = bytes(20).map((raw) => getAddress(`0x${Buffer.from(raw).toString('hex')}`))
const anyPurpose = fc.oneof(
  fc.constant({ kind: 'login' } as const),
  fc.constantFrom('fund-password-reset' as const, 'setup-code' as const).map((kind) => ({ kind })),
  anyAccount.map((address) => ({ kind: 'output-address' as const, address })),
  fc.record({
    kind: fc.constant('register' as const),
    invite: bytes(7).map(makeInvitationCode),
    inviterTail: anyAccount.map((account) => account.slice(-6)),
  }),
)
const anyMessage: fc.Arbitrary<SignInMessage> = fc.record({
  account: anyAccount,
  purpose: anyPurpose,
  issuedAt: fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
  nonce: bytes(16).map((raw) => Buffer.from(raw)),
})

describe('a sign-in message', () => {
  it('reads back as it was written', () => {
    fc.assert(
      fc.property(anyMessage, (message) => {
        const text = writeMessage(issuer, message)
        expect(readMessage(issuer, text)).toEqual({ ok: true, value: message })
        expect(text).toMatch(/^[\x20-\x7e\n]+$/)
        expect(text.length).toBeLessThan(1_000)
      }),
    )
  })

  it('is refused if one character is changed, removed or inserted', () => {
    fc.assert(
      fc.property(
        anyMessage,
        fc.nat(),
        fc.constantFrom('change', 'remove', 'insert'),
        fc.constantFrom(...'0aZ :\n\r\t\u0000\u00e9\uff11\u{1F600}'),
        (message, place, edit, character) => {
          const text = writeMessage(issuer, message)
          const at = place % text.length
          const changed =
            text.slice(0, at) + (edit === 'remove' ? '' : character) + text.slice(edit === 'insert' ? at : at + 1)
          fc.pre(changed !== text)
          expect(readMessage(issuer, changed)).toEqual({ ok: false, error: 'message-invalid' })
        },
      ),
      { numRuns: 200 },
    )
  })

  it('is refused if it borrows the nonce of another message', () => {
    const nonceOf = (text: string) => /^Nonce: (\S+)$/m.exec(text)?.[1] ?? ''
    fc.assert(
      fc.property(anyMessage, anyMessage, ({ nonce, ...written }, wanted) => {
        const borrowed = nonceOf(writeMessage(issuer, { ...written, nonce }))
        const text = writeMessage(issuer, { ...wanted, nonce })
        fc.pre(nonceOf(text) !== borrowed)
        expect(readMessage(issuer, text.replace(nonceOf(text), borrowed)).ok).toBe(false)
      }),
      { numRuns: 50 },
    )
  })

  it.each([
    ['domain', { domain: 'evil.example' }],
    ['URI', { uri: 'https://pool.example.org:8443' }],
    ['chain', { chainId: 1 }],
    ['secret', { secret: 'another secret for these tests alone' }],
  ])('is refused by a server with another %s', (_what, other) => {
    fc.assert(
      fc.property(anyMessage, (message) => {
        expect(readMessage({ ...issuer, ...other }, writeMessage(issuer, message)).ok).toBe(false)
      }),
      { numRuns: 20 },
    )
  })

  it('is never found in arbitrary text', () => {
    fc.assert(fc.property(fc.string({ maxLength: 2_000 }), (text) => !readMessage(issuer, text).ok))
  })

  it.each(['+275760-09-13T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '2026-13-45T99:99:99Z', 'tomorrow', ''])(
    'is refused without an exception when issued at %j',
    (time) => {
      const [message] = fc.sample(anyMessage, 1)
      if (!message) throw new Error('no sample')
      const text = writeMessage(issuer, message).replace(/Issued At: .*/, `Issued At: ${time}`)
      expect(readMessage(issuer, text).ok).toBe(false)
    },
  )
})

describe('the lifetime of a sign-in message', () => {
  const [message] = fc.sample(anyMessage, 1)
  if (!message) throw new Error('no sample')
  const after = (ms: number) => new Date(message.issuedAt.getTime() + ms)

  it('is five minutes, including the first millisecond and excluding the last', () => {
    expect(expiryOf(message)).toEqual(after(300_000))
    expect(checkLifetime(message, after(0)).ok).toBe(true)
    expect(checkLifetime(message, after(299_999)).ok).toBe(true)
    expect(checkLifetime(message, after(300_000))).toEqual({ ok: false, error: 'message-expired' })
    expect(checkLifetime(message, after(-1))).toEqual({ ok: false, error: 'message-invalid' })
  })
})
