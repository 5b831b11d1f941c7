import { expect, it } from 'vitest'
import { createLiveTokens } from './live-tokens.ts'

it('a token is live for a quarter of an hour after its last call, and no longer when its session has ended', () => {
  let now = 0
  const tokens = createLiveTokens(() => now)
  expect(tokens.has('a')).toBe(false)
  tokens.note('a', true)
  tokens.note('b', true)
  now = 899_999
  expect([tokens.has('a'), tokens.has('b')]).toEqual([true, true])
  tokens.note('b', false)
  expect([tokens.has('a'), tokens.has('b')]).toEqual([true, false])
  now = 900_000
  expect(tokens.has('a')).toBe(false)
})

it('only the last fifty thousand are remembered', () => {
  const tokens = createLiveTokens(() => 0)
  for (let number = 0; number <= 50_000; number += 1) tokens.note(String(number), true)
  expect([tokens.has('0'), tokens.has('1'), tokens.has('50000')]).toEqual([false, true, true])
  tokens.note('1', true)
  tokens.note('new', true)
  expect([tokens.has('1'), tokens.has('2')]).toEqual([true, false])
})
