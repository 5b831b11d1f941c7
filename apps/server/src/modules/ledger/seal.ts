import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { digestsBetween } from './digest.ts'
import { FIRST_PREVIOUS_HASH, formatRanges, mergeRanges, type Seal, SealHash, toRanges } from './seal-chain.ts'

/**
 * Sealing: a chain of hashes over all ledger transactions. If an operator notes a seal outside the database, a later
 * audit can prove that nothing before it was changed, not even by a person with full write access to the database.
 *
 * It would be wrong to seal simply all transactions with a number above the last sealed one. A number is drawn before
 * its transaction commits, so a lower number can appear after a higher one was sealed. It would never be sealed.
 *
 *     number   1   2   3   4   5   6   7   8          5 belongs to a transaction that has not committed
 *              ■   ■   ■   ■   ·   ■   ■   ·          6 and 7 are sealed; 8 is too young
 *                          ↑                          complete = 4: everything up to here is sealed
 *
 * So the query for unsealed rows reads all numbers above `complete` that no seal has yet. `complete` moves up when no
 * lower number can appear any more. How a seal knows that: every posting transaction locks accounts, and so gets its
 * PostgreSQL transaction id, before it draws a number. A seal first reads the last number drawn (`lastGiven`) and then
 * gets its own PostgreSQL transaction id (`madeBy`). Once all PostgreSQL transactions up to that id have ended, each
 * number up to `lastGiven` has either appeared or never will.
 *
 * The delay only keeps seals small: it lets neighboring transactions commit, so that a seal has a few ranges instead of
 * a thousand gaps. No transaction would be missed without it.
 */
export type SealingOptions = {
  /** Transactions younger than this wait for the next seal. */
  readonly delaySeconds?: number
  /** The most transactions in one seal. */
  readonly limit?: number
}

const SEALING_DELAY_SECONDS = 10
const MAX_TRANSACTIONS = 5_000
/** Ranges that are at most this many numbers apart are read by one query. */
const MAX_GAP = 1_000n
/** The advisory lock that lets one sealing run at a time. */
const SEALING_LOCK = 5_346_101

/** Makes the next seal and returns how many transactions it holds. Returns 0 if there is nothing to seal. */
export function sealNext(db: Database, options: SealingOptions = {}): Promise<number> {
  const { delaySeconds = SEALING_DELAY_SECONDS, limit = MAX_TRANSACTIONS } = options
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${SEALING_LOCK})`.execute(trx)
    // This must come before the transaction gets its id. So each number up to `lastGiven` was drawn under a lower id.
    const lastGiven = await readLastGiven(trx)
    const newest = await readNewestSeal(trx)
    const { madeBy, sealedAt, decided } = await readSealPosition(trx)

    const unsealed = await readUnsealed(trx, newest.complete, delaySeconds, limit + 1)
    const taken = unsealed.slice(0, limit).filter(({ ripe }) => ripe)
    if (taken.length === 0) return 0
    const ids = taken.map(({ id }) => id)
    const firstLeftOut = unsealed.find(({ ripe }, index) => !ripe || index === limit)

    const seal = {
      number: newest.number + 1n,
      previous: newest.hash,
      transactions: toRanges(ids),
      complete: nextComplete(newest.complete, decided, firstLeftOut?.id),
      lastGiven,
      madeBy,
      sealedAt,
    }
    const hash = await computeSealHash(trx, seal, new Set(ids))
    // Passes the time that is in the hash. If a test shifts the clock meanwhile, lode.now() returns another time here.
    await sql`
      select lode.add_seal(${seal.number}, ${hexToBytes(seal.previous)}, ${formatRanges(seal.transactions)}, ${seal.complete},
                           ${lastGiven}, pg_current_xact_id(),
                           timestamptz 'epoch' + ${sealedAt}::bigint * interval '1 microsecond', ${hexToBytes(hash)})`.execute(
      trx,
    )
    return ids.length
  })
}

/** Seals everything that is old enough, one seal after another. */
export async function sealAll(db: Database, options: SealingOptions = {}): Promise<number> {
  let sealed = 0
  for (;;) {
    const more = await sealNext(db, options)
    if (more === 0) return sealed
    sealed += more
  }
}

async function readLastGiven(trx: Database): Promise<bigint> {
  const { rows } = await sql<{ last: bigint; assigned: boolean }>`
    select last_value as last, pg_current_xact_id_if_assigned() is not null as assigned
    from lode.ledger_transaction_id`.execute(trx)
  const [row] = rows
  if (!row || row.assigned) throw new Error('a seal must be made before its database transaction writes anything')
  return row.last
}

async function readNewestSeal(trx: Database): Promise<Pick<Seal, 'number' | 'hash' | 'complete'>> {
  const { rows } = await sql<{ number: bigint; hash: Buffer; complete: bigint }>`
    select number, hash, complete from lode.ledger_seal order by number desc limit 1`.execute(trx)
  const [newest] = rows
  return newest
    ? { ...newest, hash: newest.hash.toString('hex') }
    : { number: 0n, hash: FIRST_PREVIOUS_HASH, complete: 0n }
}

/** `decided`: every number up to this one has either appeared or never will. */
async function readSealPosition(trx: Database): Promise<{ madeBy: bigint; sealedAt: bigint; decided: bigint }> {
  const { rows } = await sql<{ made_by: bigint; sealed_at: bigint; decided: bigint }>`
    select pg_current_xact_id()::text::bigint as made_by,
           (extract(epoch from lode.now()) * 1000000)::bigint as sealed_at,
           coalesce((select last_given from lode.ledger_seal
                     where made_by < pg_snapshot_xmin(pg_current_snapshot())
                     order by number desc limit 1), 0) as decided`.execute(trx)
  const [row] = rows
  if (!row) throw new Error('the database did not return the sealing position')
  return { madeBy: row.made_by, sealedAt: row.sealed_at, decided: row.decided }
}

/** `limit` is one more than a seal holds, so that the caller finds the first transaction that the seal leaves out. */
async function readUnsealed(trx: Database, complete: bigint, delaySeconds: number, limit: number) {
  const { rows } = await sql<{ id: bigint; ripe: boolean }>`
    select id, posted_at <= lode.now() - make_interval(secs => ${delaySeconds}) as ripe
    from lode.ledger_transaction
    where id > ${complete}
      and not id <@ (select coalesce(range_agg(transactions), '{}')
                     from lode.ledger_seal where upper(transactions) > ${complete})
    order by id limit ${limit}`.execute(trx)
  return rows
}

function nextComplete(before: bigint, decided: bigint, firstLeftOut: bigint | undefined): bigint {
  const reached = firstLeftOut !== undefined && firstLeftOut <= decided ? firstLeftOut - 1n : decided
  return reached > before ? reached : before
}

async function computeSealHash(trx: Database, seal: Omit<Seal, 'hash'>, ids: ReadonlySet<bigint>): Promise<string> {
  const hash = new SealHash(seal)
  let found = 0
  for (const { first, last } of mergeRanges(seal.transactions, MAX_GAP)) {
    const { rows } = await digestsBetween(first, last).execute(trx)
    for (const { id, digest } of rows) {
      if (!ids.has(id)) continue
      hash.add(id, digest)
      found += 1
    }
  }
  if (found !== ids.size) throw new Error('a transaction disappeared while it was being sealed')
  return hash.end()
}

const hexToBytes = (hex: string): Buffer => Buffer.from(hex, 'hex')
