import { createHash } from 'node:crypto'

/** Transaction numbers from `first` to `last`, both included. */
export type NumberRange = { readonly first: bigint; readonly last: bigint }

export type Seal = {
  readonly number: bigint
  /** The hash of the seal before. */
  readonly previous: string
  readonly transactions: readonly NumberRange[]
  /** Every transaction up to this number is sealed; see `seal.ts`. */
  readonly complete: bigint
  /** The last transaction number that was drawn before this seal was made. */
  readonly lastGiven: bigint
  /** The PostgreSQL transaction id under which the seal was made. */
  readonly madeBy: bigint
  /** Microseconds since 1970. */
  readonly sealedAt: bigint
  readonly hash: string
}

/** The `previous` hash of the first seal. */
export const FIRST_PREVIOUS_HASH = '00'.repeat(32)

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
    const fields = [number, previous, formatRanges(transactions), complete, lastGiven, madeBy, sealedAt]
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
export const formatRanges = (ranges: readonly NumberRange[]): string =>
  `{${ranges.map(({ first, last }) => `[${first},${last + 1n})`).join(',')}}`

export function parseRanges(text: string): NumberRange[] {
  return Array.from(text.matchAll(/\[(-?\d+),(-?\d+)\)/g), ([, first = '', end = '']) => ({
    first: BigInt(first),
    last: BigInt(end) - 1n,
  }))
}

/** Turns ascending numbers into ranges without gaps. */
export function toRanges(ids: readonly bigint[]): NumberRange[] {
  const ranges: { first: bigint; last: bigint }[] = []
  for (const id of ids) {
    const newest = ranges.at(-1)
    if (newest && newest.last + 1n === id) newest.last = id
    else ranges.push({ first: id, last: id })
  }
  return ranges
}

/** Merges ranges that are at most `gap` numbers apart, so that fewer queries read them. */
export function mergeRanges(ranges: readonly NumberRange[], gap: bigint): NumberRange[] {
  const merged: { first: bigint; last: bigint }[] = []
  for (const range of ranges.toSorted((one, other) => (one.first < other.first ? -1 : 1))) {
    const newest = merged.at(-1)
    if (!newest || range.first > newest.last + gap) merged.push({ ...range })
    else if (range.last > newest.last) newest.last = range.last
  }
  return merged
}

export const countNumbers = (ranges: readonly NumberRange[]): bigint =>
  ranges.reduce((size, { first, last }) => size + last - first + 1n, 0n)
