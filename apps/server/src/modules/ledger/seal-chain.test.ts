import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countNumbers,
  FIRST_PREVIOUS_HASH,
  formatRanges,
  mergeRanges,
  parseRanges,
  SealHash,
  toRanges,
} from './seal-chain.ts'

const ascending = fc.uniqueArray(fc.bigInt({ min: 1n, max: 500n })).map((ids) => ids.toSorted((a, b) => Number(a - b)))

describe('ranges', () => {
  it('contain exactly the numbers that they were made from', () => {
    fc.assert(
      fc.property(ascending, (ids) => {
        const ranges = toRanges(ids)
        const held = ranges.flatMap(({ first, last }) =>
          Array.from({ length: Number(last - first) + 1 }, (_, n) => first + BigInt(n)),
        )
        expect(held).toEqual(ids)
        expect(countNumbers(ranges)).toBe(BigInt(ids.length))
      }),
    )
  })

  it('have the same text form as in PostgreSQL', () => {
    expect(formatRanges(toRanges([1n, 2n, 3n, 7n]))).toBe('{[1,4),[7,8)}')
    fc.assert(
      fc.property(ascending, (ids) => {
        expect(parseRanges(formatRanges(toRanges(ids)))).toEqual(toRanges(ids))
      }),
    )
  })

  it('are merged into wider ranges without losing a number', () => {
    fc.assert(
      fc.property(ascending, fc.bigInt({ min: 0n, max: 50n }), (ids, gap) => {
        const wide = mergeRanges(toRanges(ids), gap)
        for (const id of ids) expect(wide.filter(({ first, last }) => first <= id && id <= last)).toHaveLength(1)
      }),
    )
  })
})

describe('a seal', () => {
  const seal = {
    number: 1n,
    previous: FIRST_PREVIOUS_HASH,
    transactions: toRanges([1n, 2n]),
    complete: 0n,
    lastGiven: 2n,
    madeBy: 700n,
    sealedAt: 1_763_164_800_000_000n,
  }
  const hashOf = (changed: Partial<typeof seal>, digests = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]) => {
    const hash = new SealHash({ ...seal, ...changed })
    digests.forEach((digest, index) => {
      hash.add(BigInt(index + 1), digest)
    })
    return hash.end()
  }

  it('has the documented hash', () => {
    // printf 'seal 1 00…00 {[1,3)} 0 2 700 1763164800000000\n1 0101…\n2 0202…' | sha256sum
    expect(hashOf({})).toBe('11f5d01a54b3ac6bc34b2abbac36d1e01b1f865d9ca30674c045479771420aec')
  })

  it('changes with each of its fields and with every transaction', () => {
    const changes: Partial<typeof seal>[] = [
      { number: 2n },
      { previous: '11'.repeat(32) },
      { transactions: toRanges([1n, 3n]) },
      { complete: 1n },
      { lastGiven: 3n },
      { madeBy: 701n },
      { sealedAt: 1n },
    ]
    const hashes = changes.map((change) => hashOf(change))
    hashes.push(hashOf({}, [Buffer.alloc(32, 1), Buffer.alloc(32, 3)]), hashOf({}, [Buffer.alloc(32, 1)]))
    expect(new Set([...hashes, hashOf({})]).size).toBe(hashes.length + 1)
  })
})
