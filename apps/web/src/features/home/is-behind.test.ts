import { expect, it } from 'vitest'
import { isBehind } from './is-behind.ts'

it('the ledger counts as behind the chain when its last block is more than one hour older than finality allows', () => {
  const block = '2026-11-15T12:00:00.000Z'
  expect(isBehind('2026-11-15T13:13:00.000Z', block, 13)).toBe(false)
  expect(isBehind('2026-11-15T13:13:00.001Z', block, 13)).toBe(true)
})
