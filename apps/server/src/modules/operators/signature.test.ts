import * as crypto from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { createTestOperator } from '../../testing/operators.ts'
import { isSignedBy } from './signature.ts'

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof crypto>()
  return { ...real, verify: vi.fn(real.verify) }
})

it('a signature is verified once, valid or not, and its result is used for no other signature', () => {
  const [alice, bob] = [createTestOperator('alice'), createTestOperator('bob')]
  const [text, wrong] = ['pause', Buffer.alloc(64, 0xab)]
  const found = () => [
    isSignedBy(alice.publicKey, text, alice.sign(text)),
    isSignedBy(alice.publicKey, text, wrong),
    isSignedBy(bob.publicKey, text, alice.sign(text)),
    isSignedBy(alice.publicKey, 'resume', alice.sign(text)),
  ]
  expect([found(), found(), found()]).toEqual([1, 2, 3].map(() => [true, false, false, false]))
  expect(crypto.verify).toHaveBeenCalledTimes(4)
})
