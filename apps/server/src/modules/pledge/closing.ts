import { type DayNumber, dayNumber } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { post } from '../ledger/index.ts'
import { partnerDay } from '../partner/index.ts'
import { type Knowing, readNextDay } from './next-day.ts'
import { paidPledges, pledgeDues } from './paying.ts'
import { closePosting, restPosting, returnPosting } from './postings.ts'
import { type ClosedDay, closeDay } from './rules.ts'

/** How many pledges end in one transaction. Others wait some hundred milliseconds for it. */
const BATCH = 200

/**
 * Closes every day that can be closed, in order, and after each day settles the pledges that ended with it. A day, and
 * a batch of ended pledges, is one transaction, so a worker that is killed continues where it was.
 */
export async function closeDays(db: Database, knowing: Knowing): Promise<DayNumber[]> {
  const closed: DayNumber[] = []
  for (;;) {
    await settleEnded(db)
    const day = await closeNextDay(db, knowing)
    if (day === null) return closed
    closed.push(day)
  }
}

/** Null if the day must wait. */
async function closeNextDay(db: Database, knowing: Knowing): Promise<DayNumber | null> {
  // Checked without the lock first, so that new pledges do not wait every minute for a day that cannot be closed.
  if ((await readNextDay(db, knowing))?.standing.state !== 'due') return null
  return db.transaction().execute(async (inside) => {
    const before = await lockNextDay(inside)
    const next = await readNextDay(inside, knowing)
    if (next?.standing.state !== 'due' || before?.day !== next.day) return null
    // A pledge whose last day was closed just now must be settled first.
    if (before.unsettled) return null
    const { most } = next.standing
    const closed = closeDay(before, before, { funding: before.funding, most })
    const ofPartners = await partnerDay(inside, next.day)
    faultPoint('worker:before-close-day')
    await postAll(inside, [
      ...(closed.shared > 0n ? [closePosting(next.day, closed.shared)] : []),
      ...ofPartners.entries,
    ])
    const approvedBy = most > next.planMost ? (next.approval?.decision ?? null) : null
    await keepDay(inside, next.day, { planVersion: next.planVersion, approvedBy }, closed)
    await ofPartners.keep()
    faultPoint('worker:after-close-day')
    return next.day
  })
}

async function lockNextDay(inside: Database) {
  const { rows } = await sql<{
    next_day: number | null
    carry: string
    weight: string
    per_weight: string
    remainder: string
    started: string
    ended: string
    freed: string
    unsettled: boolean
    funding: string
  }>`
    select next_day, carry, weight, per_weight, remainder, started, ended, freed, unsettled, funding
    from lode.lock_next_day()`.execute(inside)
  const [row] = rows
  if (!row || row.next_day === null) return null
  return {
    day: dayNumber(row.next_day),
    carry: BigInt(row.carry),
    weight: BigInt(row.weight),
    perWeight: BigInt(row.per_weight),
    remainder: BigInt(row.remainder),
    started: BigInt(row.started),
    ended: BigInt(row.ended),
    freed: BigInt(row.freed),
    unsettled: row.unsettled,
    funding: BigInt(row.funding),
  }
}

type Grounds = { readonly planVersion: number; readonly approvedBy: bigint | null }

async function keepDay(
  inside: Database,
  day: DayNumber,
  { planVersion, approvedBy }: Grounds,
  { admitted, above, fromCarry, carry, freed, weight, quotient, perWeight, remainder }: ClosedDay,
): Promise<void> {
  const figures = [admitted, above, fromCarry, carry, freed, weight, quotient, perWeight, remainder]
  await sql`
    select lode.close_day(${day}, ${planVersion}, ${approvedBy},
      ${sql.join(figures.map((figure) => sql`${String(figure)}::numeric`))})`.execute(inside)
}

/** Pays the remaining dividend of every pledge whose last day is closed. Its fraction of a unit goes to the others. */
async function settleEnded(db: Database): Promise<void> {
  for (;;) {
    const settled = await db.transaction().execute(async (inside) => {
      const dues = await pledgeDues(inside, sql`lode.lock_ended_pledges(${BATCH})`)
      if (dues.length === 0) return 0
      const rests = dues.filter(({ due }) => due > 0n)
      const numbers = await postAll(
        inside,
        rests.map(({ id, member, due }) => restPosting(id, member, due)),
      )
      faultPoint('worker:before-settle-pledges')
      const numberOf = new Map(rests.map((rest, place) => [rest, numbers[place]]))
      await paidPledges(inside, dues, { postedAs: (due) => numberOf.get(due) ?? null, forGood: true })
      faultPoint('worker:after-settle-pledges')
      return dues.length
    })
    if (settled < BATCH) return
  }
}

/** Gives back the BTN of every pledge whose term is over. Only the clock decides; no close and no block is needed. */
export async function returnPledges(db: Database): Promise<number> {
  let returned = 0
  for (;;) {
    const now = await db.transaction().execute(async (inside) => {
      const { rows } = await sql<{ id: string; member_id: bigint; amount: string }>`
        select id, member_id, amount from lode.return_pledges(${BATCH})`.execute(inside)
      if (rows.length === 0) return 0
      faultPoint('worker:before-return-pledges')
      await postAll(
        inside,
        rows.map(({ id, member_id: member, amount }) => returnPosting(id, member, BigInt(amount))),
      )
      faultPoint('worker:after-return-pledges')
      return rows.length
    })
    returned += now
    if (now < BATCH) return returned
  }
}

/** If the ledger is right, none of these can fail: the accounts hold exactly what they pay. */
async function postAll(inside: Database, entries: Parameters<typeof post>[1]): Promise<bigint[]> {
  const outcomes = await post(inside, entries)
  return outcomes.map((posted, place) => {
    if (posted.outcome !== 'posted') throw new Error(`${entries[place]?.key} was ${posted.outcome}`)
    return posted.transaction
  })
}
