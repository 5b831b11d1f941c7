import { expect, it } from 'vitest'
import { isBehind } from './is-behind.ts'

it('says that the books are behind the chain an hour after they should have followed it, and not before', () => {
  const block = '2026-11-15T12:00:00.000Z'
  expect(isBehind('2026-11-15T13:13:00.000Z', block, 13)).toBe(false)
  expect(isBehind('2026-11-15T13:13:00.001Z', block, 13)).toBe(true)
})
