import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { digestsBetween } from '../digest.ts'
import {
  countNumbers,
  FIRST_PREVIOUS_HASH,
  mergeRanges,
  type NumberRange,
  parseRanges,
  type Seal,
  SealHash,
} from '../seal-chain.ts'
import type { Findings } from './findings.ts'
import { MAX_BIGINT } from './ranges.ts'

const SEALS_PER_PAGE = 500
/** The seals whose hashes one step computes. */
const SEALS_PER_STEP = 20n
/** How many transactions are read at once. */
const TRANSACTIONS_PER_WINDOW = 20_000n
const MAX_GAP = 1_000n

export type SealsReport = {
  readonly seals: bigint
  readonly newest: Seal | null
  readonly sealed: bigint
  readonly unsealed: bigint
  readonly oldestUnsealed: Date | null
  /** Whether the chain has the seal that the caller gave; null if none was given. */
  readonly givenFound: boolean | null
}

/** Where reading the chain begins: after this seal, which is null at the beginning of the chain. */
export type ChainStart = {
  readonly seal: Seal | null
  /** Transactions above `complete` that this seal or an earlier one has. */
  readonly aboveComplete: readonly NumberRange[]
}

export const BEGINNING: ChainStart = { seal: null, aboveComplete: [] }

/** The hash of seal 1, which tells one ledger from another; null while nothing is sealed. */
export async function readFirstHash(trx: Database): Promise<string | null> {
  const [seal] = await readSeals(trx, { first: 1n, last: 1n })
  return seal?.hash ?? null
}

/** Returns the start after the seal with this number; null if there is no such seal. */
export async function findChainStart(trx: Database, number: bigint): Promise<ChainStart | null> {
  if (number === 0n) return BEGINNING
  const [seal] = await readSeals(trx, { first: number, last: number })
  if (!seal) return null
  const { rows } = await sql<{ transactions: string }>`
    select transactions from lode.ledger_seal
    where upper(transactions) > ${seal.complete} and number <= ${number}`.execute(trx)
  const aboveComplete = rows
    .flatMap(({ transactions }) => parseRanges(transactions))
    .filter(({ last }) => last > seal.complete)
    .map(({ first, last }) => ({ first: first > seal.complete ? first : seal.complete + 1n, last }))
  return { seal, aboveComplete }
}

/**
 * Checks that the chain is unbroken, and that nothing was sealed twice or inserted later: after `start` up to the seal
 * `upTo`, or to the end of the chain and of the ledger if it is null. auditSealHashes() compares the hashes.
 */
export async function auditSealChain(
  trx: Database,
  findings: Findings,
  given: string | null,
  { start, upTo }: { readonly start: ChainStart; readonly upTo: bigint | null },
): Promise<SealsReport> {
  const chain = new SealChainAudit(findings, given, start)
  let first = start.seal ? start.seal.number + 1n : -MAX_BIGINT
  for (;;) {
    const page = await readSeals(trx, { first, last: upTo ?? MAX_BIGINT })
    const newest = page.at(-1)
    if (!newest) break
    for (const seal of page) chain.addSeal(seal)
    if (newest.number === MAX_BIGINT) break
    first = newest.number + 1n
  }
  return chain.finish(trx, upTo === null)
}

/** Checks that the hashes of these seals are those of their transactions. */
export async function auditSealHashes(trx: Database, findings: Findings, numbers: NumberRange): Promise<void> {
  for (const group of groupSeals(await readSeals(trx, numbers))) await checkHashes(trx, findings, group)
}

/** Divides the seals of a range into parts for auditSealHashes(). */
export async function divideSeals(trx: Database, { first, last }: NumberRange): Promise<NumberRange[]> {
  const { rows } = await sql<{ first: bigint; last: bigint }>`
    select min(number) as first, max(number) as last from (
      select number, (row_number() over (order by number) - 1) / ${SEALS_PER_STEP}::bigint as step
      from lode.ledger_seal where number between ${first} and ${last}
    ) as numbered
    group by step order by step`.execute(trx)
  return rows
}

async function readSeals(trx: Database, { first, last }: NumberRange): Promise<Seal[]> {
  const { rows } = await sql<SealRow>`
    select number, previous, transactions, complete, last_given, made_by,
           (extract(epoch from sealed_at) * 1000000)::bigint as sealed_at, hash
    from lode.ledger_seal where number between ${first} and ${last} order by number limit ${SEALS_PER_PAGE}`.execute(
    trx,
  )
  return rows.map((row) => ({
    number: row.number,
    previous: row.previous.toString('hex'),
    transactions: parseRanges(row.transactions),
    complete: row.complete,
    lastGiven: row.last_given,
    madeBy: BigInt(row.made_by),
    sealedAt: row.sealed_at,
    hash: row.hash.toString('hex'),
  }))
}

type SealRow = {
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
function groupSeals(seals: readonly Seal[]): Seal[][] {
  const groups: Seal[][] = []
  let size = TRANSACTIONS_PER_WINDOW
  for (const seal of seals) {
    if (size >= TRANSACTIONS_PER_WINDOW) {
      groups.push([])
      size = 0n
    }
    groups.at(-1)?.push(seal)
    size += countNumbers(seal.transactions)
  }
  return groups
}

async function checkHashes(trx: Database, findings: Findings, group: readonly Seal[]): Promise<void> {
  const digests = new Map<bigint, Buffer>()
  for (const span of mergeRanges(
    group.flatMap(({ transactions }) => transactions),
    MAX_GAP,
  ))
    for (const { first, last } of splitIntoWindows(span)) {
      const { rows } = await digestsBetween(first, last).execute(trx)
      for (const { id, digest } of rows) digests.set(id, digest)
    }
  for (const seal of group) {
    const hash = new SealHash(seal)
    for (const { first, last } of seal.transactions) {
      // If an attacker has widened this range, going through it number by number would take too long.
      if (last - first > TRANSACTIONS_PER_WINDOW * 10n) break
      for (let id = first; id <= last; id += 1n) {
        const digest = digests.get(id)
        if (digest) hash.add(id, digest)
      }
    }
    if (hash.end() !== seal.hash)
      findings.add('a seal does not match its transactions', `seal ${seal.number}: ${describeTransactions(seal)}`)
  }
}

function splitIntoWindows({ first, last }: NumberRange): NumberRange[] {
  if (last - first > TRANSACTIONS_PER_WINDOW * 100n) return []
  const windows: NumberRange[] = []
  for (let from = first; from <= last; from += TRANSACTIONS_PER_WINDOW)
    windows.push({
      first: from,
      last: from + TRANSACTIONS_PER_WINDOW - 1n < last ? from + TRANSACTIONS_PER_WINDOW - 1n : last,
    })
  return windows
}

const describeTransactions = ({ transactions }: Seal): string =>
  `transactions ${transactions[0]?.first ?? '?'} to ${transactions.at(-1)?.last ?? '?'}`

/** Checks seal after seal. It keeps only the sealed ranges above `complete` in memory. */
class SealChainAudit {
  readonly #findings: Findings
  readonly #given: string | null
  readonly #start: ChainStart
  #newest: Seal | null
  #aboveComplete: readonly NumberRange[]
  #sealed = 0n
  #givenFound: boolean

  constructor(findings: Findings, given: string | null, start: ChainStart) {
    this.#findings = findings
    this.#given = given
    this.#givenFound = given === FIRST_PREVIOUS_HASH
    this.#start = start
    this.#newest = start.seal
    this.#aboveComplete = start.aboveComplete
  }

  addSeal(seal: Seal): void {
    const before = this.#newest
    const at = `seal ${seal.number}`
    const continuesChain =
      seal.number === (before?.number ?? 0n) + 1n && seal.previous === (before?.hash ?? FIRST_PREVIOUS_HASH)
    if (!continuesChain) this.#findings.add('the chain of seals is broken', at)
    const complete = before?.complete ?? 0n
    const isSealedTwice = seal.transactions.some(
      (range) => range.first <= complete || this.#aboveComplete.some((other) => doOverlap(range, other)),
    )
    if (isSealedTwice) this.#findings.add('a transaction was sealed twice', at)
    if (seal.complete < complete || seal.complete > seal.lastGiven) this.#findings.add('a seal contradicts itself', at)
    if (seal.hash === this.#given) this.#givenFound = true

    this.#sealed += countNumbers(seal.transactions)
    this.#aboveComplete = [...this.#aboveComplete, ...seal.transactions].filter(({ last }) => last > seal.complete)
    this.#newest = seal
  }

  /** Compares the number of sealed transactions with those that exist. Reads what is not sealed only at the end. */
  async finish(trx: Database, isEnd: boolean): Promise<SealsReport> {
    const complete = this.#newest?.complete ?? 0n
    const after = this.#start.seal?.complete ?? -MAX_BIGINT
    const upTo = isEnd ? MAX_BIGINT : (mergeRanges(this.#aboveComplete, 0n).at(-1)?.last ?? complete)
    const { rows } = await sql<{ late: bigint; early: bigint; unsealed: bigint; oldest: Date | null }>`
      with tail as (
        select posted_at, id <@ ${rangesLiteral(this.#aboveComplete)}::int8multirange as sealed
        from lode.ledger_transaction where id > ${complete} and id <= ${upTo}
      )
      select (select count(*) from lode.ledger_transaction where id > ${after} and id <= ${complete}) as early,
             count(*) filter (where sealed) as late,
             count(*) filter (where not sealed) as unsealed, min(posted_at) filter (where not sealed) as oldest from tail`.execute(
      trx,
    )
    const [count] = rows
    if (!count) throw new Error('the database did not return the counts')
    const present = count.early + count.late
    const expected = this.#sealed + countNumbers(this.#start.aboveComplete)
    if (present !== expected)
      this.#findings.add(
        'sealed transactions are missing, or others were inserted among them',
        `${expected} were sealed, ${present} exist`,
      )
    if (this.#given !== null && !this.#givenFound)
      this.#findings.add('the given seal is not in the chain of seals', this.#given)
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

const doOverlap = (one: NumberRange, other: NumberRange): boolean => one.first <= other.last && other.first <= one.last
const rangesLiteral = (ranges: readonly NumberRange[]): string =>
  `{${ranges.map(({ first, last }) => `[${first},${last}]`).join(',')}}`
