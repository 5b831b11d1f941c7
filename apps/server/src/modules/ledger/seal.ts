import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { digestsBetween } from './digest.ts'
import { BEGINNING, rangesOf, rangesText, type Seal, SealHash, spans } from './seal-chain.ts'

/**
 * Sealing: a chain of hashes over all ledger transactions. If an operator notes a seal outside the database, a later
 * audit can prove that nothing before it was changed, not even by a person with full write access to the database.
 *
 * It is not enough to seal all transactions with a number above the last sealed one. A number is drawn before its
 * transaction commits, so a lower number can appear after a higher one was sealed. It would be skipped forever.
 *
 *     number   1   2   3   4   5   6   7   8          5 belongs to a transaction that is still open
 *              ■   ■   ■   ■   ·   ■   ■   ·          6 and 7 are sealed; 8 is too young
 *                          ↑                          complete = 4: everything up to here is sealed
 *
 * So the query for unsealed rows reads all numbers above `complete`, except those in later seals. `complete` moves up
 * when no lower number can appear any more. Every posting transaction locks accounts, and so gets its PostgreSQL
 * transaction id, before it draws a number. A seal stores the last number drawn and then its own PostgreSQL transaction
 * id. Once every transaction up to that id has ended, each number up to that last one has either appeared or never
 * will.
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
const LIMIT = 5_000
/** One query reads across gaps of up to this many numbers. */
const GAP = 1_000n
/** The advisory lock that lets one sealing run at a time. */
const LOCK = 5_346_101

/** Makes the next seal and returns how many transactions it holds. Returns 0 if there is nothing to seal. */
export function sealNext(db: Database, options: SealingOptions = {}): Promise<number> {
  const { delaySeconds = SEALING_DELAY_SECONDS, limit = LIMIT } = options
  return db.transaction().execute(async (inside) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(inside)
    // Reads the last number before it gets a transaction id. So each number up to it was drawn under a lower id.
    const lastGiven = await readLastGiven(inside)
    const newest = await readNewest(inside)
    const { madeBy, sealedAt, decided } = await readMarks(inside)

    const unsealed = await readUnsealed(inside, newest.complete, delaySeconds, limit + 1)
    const taken = unsealed.slice(0, limit).filter(({ ripe }) => ripe)
    if (taken.length === 0) return 0
    const ids = taken.map(({ id }) => id)
    const left = unsealed.find(({ ripe }, index) => !ripe || index === limit)

    const seal = {
      number: newest.number + 1n,
      previous: newest.hash,
      transactions: rangesOf(ids),
      complete: completeAfter(newest.complete, decided, left?.id),
      lastGiven,
      madeBy,
      sealedAt,
    }
    const hash = await hashOf(inside, seal, new Set(ids))
    // Passes the time that was hashed. lode.now() could return another time by now.
    await sql`
      select lode.add_seal(${seal.number}, ${bytes(seal.previous)}, ${rangesText(seal.transactions)}, ${seal.complete},
                           ${lastGiven}, pg_current_xact_id(),
                           timestamptz 'epoch' + ${sealedAt}::bigint * interval '1 microsecond', ${bytes(hash)})`.execute(
      inside,
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

async function readLastGiven(inside: Database): Promise<bigint> {
  const { rows } = await sql<{ last: bigint; assigned: boolean }>`
    select last_value as last, pg_current_xact_id_if_assigned() is not null as assigned
    from lode.ledger_transaction_id`.execute(inside)
  const [row] = rows
  if (!row || row.assigned) throw new Error('a seal is made before anything else is written')
  return row.last
}

async function readNewest(inside: Database): Promise<Pick<Seal, 'number' | 'hash' | 'complete'>> {
  const { rows } = await sql<{ number: bigint; hash: Buffer; complete: bigint }>`
    select number, hash, complete from lode.ledger_seal order by number desc limit 1`.execute(inside)
  const [newest] = rows
  return newest ? { ...newest, hash: newest.hash.toString('hex') } : { number: 0n, hash: BEGINNING, complete: 0n }
}

async function readMarks(inside: Database): Promise<{ madeBy: bigint; sealedAt: bigint; decided: bigint }> {
  const { rows } = await sql<{ made_by: bigint; sealed_at: bigint; decided: bigint }>`
    select pg_current_xact_id()::text::bigint as made_by,
           (extract(epoch from lode.now()) * 1000000)::bigint as sealed_at,
           coalesce((select last_given from lode.ledger_seal
                     where made_by < pg_snapshot_xmin(pg_current_snapshot())
                     order by number desc limit 1), 0) as decided`.execute(inside)
  const [row] = rows
  if (!row) throw new Error('a row without a table was not answered')
  return { madeBy: row.made_by, sealedAt: row.sealed_at, decided: row.decided }
}

/** `limit` is one more than a seal holds. The extra row shows up to which number the seal is complete. */
async function readUnsealed(inside: Database, complete: bigint, delaySeconds: number, limit: number) {
  const { rows } = await sql<{ id: bigint; ripe: boolean }>`
    select id, posted_at <= lode.now() - make_interval(secs => ${delaySeconds}) as ripe
    from lode.ledger_transaction
    where id > ${complete}
      and not id <@ (select coalesce(range_agg(transactions), '{}')
                     from lode.ledger_seal where upper(transactions) > ${complete})
    order by id limit ${limit}`.execute(inside)
  return rows
}

function completeAfter(before: bigint, decided: bigint, left: bigint | undefined): bigint {
  const reached = left !== undefined && left <= decided ? left - 1n : decided
  return reached > before ? reached : before
}

async function hashOf(inside: Database, seal: Omit<Seal, 'hash'>, ids: ReadonlySet<bigint>): Promise<string> {
  const hash = new SealHash(seal)
  let found = 0
  for (const { first, last } of spans(seal.transactions, GAP)) {
    const { rows } = await digestsBetween(first, last).execute(inside)
    for (const { id, digest } of rows) {
      if (!ids.has(id)) continue
      hash.add(id, digest)
      found += 1
    }
  }
  if (found !== ids.size) throw new Error('a transaction went away while it was being sealed')
  return hash.end()
}

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')
