import { createHash } from 'node:crypto'

/** Numbers from the first to the last, both included. */
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

/** The hash before the first seal. */
export const BEGINNING = '00'.repeat(32)

/**
 * SHA-256 over two kinds of lines, joined by line feeds: one of the seal itself, and one of every transaction that it seals, in
 * the order of their numbers.
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

/** As PostgreSQL writes and reads a multirange of whole numbers. */
export const rangesText = (ranges: readonly Range[]): string =>
  `{${ranges.map(({ first, last }) => `[${first},${last + 1n})`).join(',')}}`

export function readRanges(text: string): Range[] {
  return Array.from(text.matchAll(/\[(-?\d+),(-?\d+)\)/g), ([, first = '', end = '']) => ({
    first: BigInt(first),
    last: BigInt(end) - 1n,
  }))
}

/** Ascending numbers as ranges without gaps. */
export function rangesOf(ids: readonly bigint[]): Range[] {
  const ranges: { first: bigint; last: bigint }[] = []
  for (const id of ids) {
    const newest = ranges.at(-1)
    if (newest && newest.last + 1n === id) newest.last = id
    else ranges.push({ first: id, last: id })
  }
  return ranges
}

/** The same numbers in fewer ranges, with up to `gap` others in between: for reading them at once. */
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
