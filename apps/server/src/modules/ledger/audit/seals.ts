import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { digestsBetween } from '../digest.ts'
import { BEGINNING, type Range, readRanges, type Seal, SealHash, sizeOf, spans } from '../seal-chain.ts'
import type { Findings } from './findings.ts'

const PAGE = 500
/** The lowest bigint, so that the first page includes a seal with any number. */
const FIRST = -9_223_372_036_854_775_808n
/** How many transactions are read at once. */
const WINDOW = 20_000n
const GAP = 1_000n

export type SealsFound = {
  readonly seals: bigint
  readonly newest: Seal | null
  readonly sealed: bigint
  readonly unsealed: bigint
  readonly oldestUnsealed: Date | null
  /** Whether the chain has the seal that the caller gave; null if none was given. */
  readonly givenFound: boolean | null
}

/** Checks that the chain is unbroken, that every hash is right, and that nothing was sealed twice or inserted later. */
export async function auditSeals(inside: Database, findings: Findings, given: string | null): Promise<SealsFound> {
  const chain = new Chain(findings, given)
  for (let after = FIRST; ; ) {
    const page = await readSeals(inside, after)
    const last = page.at(-1)
    if (!last) break
    for (const group of inGroups(page)) await checkHashes(inside, findings, group)
    for (const seal of page) chain.take(seal)
    after = last.number
  }
  return chain.end(inside)
}

async function readSeals(inside: Database, after: bigint): Promise<Seal[]> {
  const { rows } = await sql<Row>`
    select number, previous, transactions, complete, last_given, made_by,
           (extract(epoch from sealed_at) * 1000000)::bigint as sealed_at, hash
    from lode.ledger_seal where number > ${after} order by number limit ${PAGE}`.execute(inside)
  return rows.map((row) => ({
    number: row.number,
    previous: row.previous.toString('hex'),
    transactions: readRanges(row.transactions),
    complete: row.complete,
    lastGiven: row.last_given,
    madeBy: BigInt(row.made_by),
    sealedAt: row.sealed_at,
    hash: row.hash.toString('hex'),
  }))
}

type Row = {
  number: bigint
  previous: Buffer
  transactions: string
  complete: bigint
  last_given: bigint
  made_by: string
  sealed_at: bigint
  hash: Buffer
}

/** Groups neighboring seals, so that one query reads their transactions. */
function inGroups(seals: readonly Seal[]): Seal[][] {
  const groups: Seal[][] = []
  let size = WINDOW
  for (const seal of seals) {
    if (size >= WINDOW) {
      groups.push([])
      size = 0n
    }
    groups.at(-1)?.push(seal)
    size += sizeOf(seal.transactions)
  }
  return groups
}

async function checkHashes(inside: Database, findings: Findings, group: readonly Seal[]): Promise<void> {
  const digests = new Map<bigint, Buffer>()
  for (const span of spans(
    group.flatMap(({ transactions }) => transactions),
    GAP,
  ))
    for (const { first, last } of inWindows(span)) {
      const { rows } = await digestsBetween(first, last).execute(inside)
      for (const { id, digest } of rows) digests.set(id, digest)
    }
  for (const seal of group) {
    const hash = new SealHash(seal)
    for (const { first, last } of seal.transactions) {
      // Protects against a range that was widened by hand: it would take too long to go through number by number.
      if (last - first > WINDOW * 10n) break
      for (let id = first; id <= last; id += 1n) {
        const digest = digests.get(id)
        if (digest) hash.add(id, digest)
      }
    }
    if (hash.end() !== seal.hash)
      findings.add('a seal does not fit what it sealed', `seal ${seal.number}: ${span(seal)}`)
  }
}

function inWindows({ first, last }: Range): Range[] {
  if (last - first > WINDOW * 100n) return []
  const windows: Range[] = []
  for (let from = first; from <= last; from += WINDOW)
    windows.push({ first: from, last: from + WINDOW - 1n < last ? from + WINDOW - 1n : last })
  return windows
}

const span = ({ transactions }: Seal): string =>
  `transactions ${transactions[0]?.first ?? '?'} to ${transactions.at(-1)?.last ?? '?'}`

/** Follows the chain of seals. It keeps only the seals above `complete` in memory. */
class Chain {
  readonly #findings: Findings
  readonly #given: string | null
  #newest: Seal | null = null
  #open: Range[] = []
  #sealed = 0n
  #givenFound: boolean

  constructor(findings: Findings, given: string | null) {
    this.#findings = findings
    this.#given = given
    this.#givenFound = given === BEGINNING
  }

  take(seal: Seal): void {
    const before = this.#newest
    const at = `seal ${seal.number}`
    const continues = seal.number === (before?.number ?? 0n) + 1n && seal.previous === (before?.hash ?? BEGINNING)
    if (!continues) this.#findings.add('the chain of seals is broken', at)
    const complete = before?.complete ?? 0n
    const again = seal.transactions.some(
      (range) => range.first <= complete || this.#open.some((other) => overlap(range, other)),
    )
    if (again) this.#findings.add('a transaction was sealed twice', at)
    if (seal.complete < complete || seal.complete > seal.lastGiven) this.#findings.add('a seal contradicts itself', at)
    if (seal.hash === this.#given) this.#givenFound = true

    this.#sealed += sizeOf(seal.transactions)
    this.#open = [...this.#open, ...seal.transactions].filter(({ last }) => last > seal.complete)
    this.#newest = seal
  }

  async end(inside: Database): Promise<SealsFound> {
    const complete = this.#newest?.complete ?? 0n
    const { rows } = await sql<{ late: bigint; early: bigint; unsealed: bigint; oldest: Date | null }>`
      with tail as (
        select posted_at, id <@ ${rangesLiteral(this.#open)}::int8multirange as sealed
        from lode.ledger_transaction where id > ${complete}
      )
      select (select count(*) from lode.ledger_transaction where id <= ${complete}) as early,
             count(*) filter (where sealed) as late,
             count(*) filter (where not sealed) as unsealed, min(posted_at) filter (where not sealed) as oldest from tail`.execute(
      inside,
    )
    const [count] = rows
    if (!count) throw new Error('an aggregate was not answered')
    const present = count.early + count.late
    if (present !== this.#sealed)
      this.#findings.add(
        'sealed transactions are missing, or others slipped in among them',
        `${this.#sealed} sealed, ${present} there`,
      )
    if (this.#given !== null && !this.#givenFound)
      this.#findings.add('the seal that was asked for is not in the chain', this.#given)
    return {
      seals: this.#newest?.number ?? 0n,
      newest: this.#newest,
      sealed: this.#sealed,
      unsealed: count.unsealed,
      oldestUnsealed: count.oldest,
      givenFound: this.#given === null ? null : this.#givenFound,
    }
  }
}

const overlap = (one: Range, other: Range): boolean => one.first <= other.last && other.first <= one.last
const rangesLiteral = (ranges: readonly Range[]): string =>
  `{${ranges.map(({ first, last }) => `[${first},${last}]`).join(',')}}`
