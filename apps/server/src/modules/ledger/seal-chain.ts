import { createHash } from 'node:crypto'

/** Transaction numbers from `first` to `last`, both included. */
export type Range = { readonly first: bigint; readonly last: bigint }

export type Seal = {
  readonly number: bigint
  readonly previous: string
  readonly transactions: readonly Range[]
  readonly complete: bigint
  readonly lastGiven: bigint
  readonly madeBy: bigint
  /** Microseconds since 1970. */
  readonly sealedAt: bigint
  readonly hash: string
}

/** The `previous` hash of the first seal. */
export const BEGINNING = '00'.repeat(32)

/**
 * SHA-256 over lines that are joined by line feeds: first one line for the seal, then one line for each transaction
 * that it seals, in the order of their numbers.
 *
 *     seal <number> <previous hash> <transactions> <complete> <last given> <made by> <sealed at>
 *     <id> <digest>
 */
export class SealHash {
  readonly #hash = createHash('sha256')

  constructor(seal: Omit<Seal, 'hash'>) {
    const { number, previous, transactions, complete, lastGiven, madeBy, sealedAt } = seal
    const fields = [number, previous, rangesText(transactions), complete, lastGiven, madeBy, sealedAt]
    this.#hash.update(`seal ${fields.join(' ')}`)
  }

  add(id: bigint, digest: Buffer): void {
    this.#hash.update(`\n${id} ${digest.toString('hex')}`)
  }

  end(): string {
    return this.#hash.digest('hex')
  }
}

/** The text form of PostgreSQL's int8multirange. */
export const rangesText = (ranges: readonly Range[]): string =>
  `{${ranges.map(({ first, last }) => `[${first},${last + 1n})`).join(',')}}`

export function readRanges(text: string): Range[] {
  return Array.from(text.matchAll(/\[(-?\d+),(-?\d+)\)/g), ([, first = '', end = '']) => ({
    first: BigInt(first),
    last: BigInt(end) - 1n,
  }))
}

/** Turns ascending numbers into ranges without gaps. */
export function rangesOf(ids: readonly bigint[]): Range[] {
  const ranges: { first: bigint; last: bigint }[] = []
  for (const id of ids) {
    const newest = ranges.at(-1)
    if (newest && newest.last + 1n === id) newest.last = id
    else ranges.push({ first: id, last: id })
  }
  return ranges
}

/** Merges ranges that are at most `gap` numbers apart, so that fewer queries read them. */
export function spans(ranges: readonly Range[], gap: bigint): Range[] {
  const wide: { first: bigint; last: bigint }[] = []
  for (const range of ranges.toSorted((one, other) => (one.first < other.first ? -1 : 1))) {
    const newest = wide.at(-1)
    if (!newest || range.first > newest.last + gap) wide.push({ ...range })
    else if (range.last > newest.last) newest.last = range.last
  }
  return wide
}

export const sizeOf = (ranges: readonly Range[]): bigint =>
  ranges.reduce((size, { first, last }) => size + last - first + 1n, 0n)
