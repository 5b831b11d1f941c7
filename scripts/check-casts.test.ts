import { describe, expect, it } from 'vitest'
import { findCastsToTransaction } from './check-casts.ts'

describe('a cast to a ledger transaction is found', () => {
  it.each([
    'const a = b as Transaction',
    'const a = b as unknown as Transaction',
    'const a = b as readonly Transaction[]',
    "const a = b as Transaction['moves'][number]",
    'const a = <Transaction>b',
  ])('in %j', (source) => {
    expect(findCastsToTransaction(`\n${source}`)).toEqual([2])
  })
})

it.each(["const a = { type: 'deposit' } satisfies Transaction", 'const a: Transaction = b', 'const a = b as const'])(
  'no cast is found in %j',
  (source) => {
    expect(findCastsToTransaction(source)).toEqual([])
  },
)
