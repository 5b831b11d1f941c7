import { type DayNumber, dayNumber } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { post } from '../ledger/index.ts'
import { preparePartnerDay } from '../partner/index.ts'
import { loadDueDividends, recordDividendPayments } from './dividend-payments.ts'
import { type CloseDependencies, readNextDay } from './next-day.ts'
import { dayClosePosting, finalDividendPosting, returnPosting } from './postings.ts'
import { type ClosedDay, closeDay } from './rules.ts'

/** How many pledges one transaction settles or returns. Others wait a few hundred milliseconds for its locks. */
const BATCH = 200

/**
 * Closes every day that can be closed, in order, and after each day settles the pledges that ended with it. Each day is
 * one transaction, and so is each batch of ended pledges. A worker that was killed continues where it stopped.
 */
export async function closeDays(db: Database, dependencies: CloseDependencies): Promise<DayNumber[]> {
  const closed: DayNumber[] = []
  for (;;) {
    await settleEndedPledges(db)
    const day = await closeNextDay(db, dependencies)
    if (day === null) return closed
    closed.push(day)
  }
}

/** Closes the next day and returns it; null if that day cannot be closed yet. */
async function closeNextDay(db: Database, dependencies: CloseDependencies): Promise<DayNumber | null> {
  // The first check takes no lock. Otherwise new pledges would wait every minute for a day that cannot be closed.
  if ((await readNextDay(db, dependencies))?.closeState.state !== 'due') return null
  return db.transaction().execute(async (trx) => {
    const before = await lockNextDay(trx)
    const next = await readNextDay(trx, dependencies)
    if (next?.closeState.state !== 'due' || before?.day !== next.day) return null
    // Pledges whose last day was closed just now must be settled first.
    if (before.unsettled) return null
    const { most } = next.closeState
    const closed = closeDay(before, before, { funding: before.funding, most })
    const partnerShare = await preparePartnerDay(trx, next.day)
    faultPoint('worker:before-close-day')
    await postAll(trx, [
      ...(closed.shared > 0n ? [dayClosePosting(next.day, closed.shared)] : []),
      ...partnerShare.entries,
    ])
    const approvedBy = most > next.planMost ? (next.approval?.decision ?? null) : null
    await storeDay(trx, next.day, { planVersion: next.planVersion, approvedBy }, closed)
    await partnerShare.store()
    faultPoint('worker:after-close-day')
    return next.day
  })
}

async function lockNextDay(trx: Database) {
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
    from lode.lock_next_day()`.execute(trx)
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

type CloseBasis = { readonly planVersion: number; readonly approvedBy: bigint | null }

async function storeDay(
  trx: Database,
  day: DayNumber,
  { planVersion, approvedBy }: CloseBasis,
  { admitted, above, fromCarry, carry, freed, weight, quotient, perWeight, remainder }: ClosedDay,
): Promise<void> {
  const figures = [admitted, above, fromCarry, carry, freed, weight, quotient, perWeight, remainder]
  await sql`
    select lode.close_day(${day}, ${planVersion}, ${approvedBy},
      ${sql.join(figures.map((figure) => sql`${String(figure)}::numeric`))})`.execute(trx)
}

/** The place of a pledge in the order of ends. */
type PledgeEnd = { readonly endDay: number; readonly id: string }

/** Before the end of every pledge. */
const FIRST_END: PledgeEnd = { endDay: 0, id: '00000000-0000-0000-0000-000000000000' }

/** The last in the order of the database, in which the text of an id has the same order as the id. */
const lastEnd = (ends: readonly PledgeEnd[]): PledgeEnd =>
  ends.reduce((last, end) =>
    end.endDay > last.endDay || (end.endDay === last.endDay && end.id > last.id) ? end : last,
  )

/** Pays the rest of the dividend of every pledge whose last day is closed. Fractions of a unit go to other pledges. */
async function settleEndedPledges(db: Database): Promise<void> {
  let after = FIRST_END
  for (;;) {
    const settled = await db.transaction().execute(async (trx) => {
      const dues = await loadDueDividends(trx, sql`lode.lock_ended_pledges(${BATCH}, ${after.endDay}, ${after.id})`)
      if (dues.length === 0) return []
      const rests = dues.filter(({ due }) => due > 0n)
      const transactions = await postAll(
        trx,
        rests.map(({ id, member, due }) => finalDividendPosting(id, member, due)),
      )
      faultPoint('worker:before-settle-pledges')
      const transactionByRest = new Map(rests.map((rest, index) => [rest, transactions[index]]))
      await recordDividendPayments(trx, dues, {
        transactionOf: (due) => transactionByRest.get(due) ?? null,
        isFinal: true,
      })
      faultPoint('worker:after-settle-pledges')
      return dues
    })
    if (settled.length < BATCH) return
    after = lastEnd(settled)
  }
}

/** Returns the BTN of every pledge whose term is over by the clock. It waits for no close of a day and no block. */
export async function returnPledges(db: Database): Promise<number> {
  let count = 0
  let after = FIRST_END
  for (;;) {
    const returned = await db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ id: string; member_id: bigint; amount: string; endDay: number }>`
        select id, member_id, amount, end_day as "endDay"
        from lode.return_pledges(${BATCH}, ${after.endDay}, ${after.id})`.execute(trx)
      if (rows.length === 0) return []
      faultPoint('worker:before-return-pledges')
      await postAll(
        trx,
        rows.map(({ id, member_id: member, amount }) => returnPosting(id, member, BigInt(amount))),
      )
      faultPoint('worker:after-return-pledges')
      return rows
    })
    count += returned.length
    if (returned.length < BATCH) return count
    after = lastEnd(returned)
  }
}

/**
 * Posts all ledger transactions and returns their numbers. None can fail if the ledger is right, because the accounts
 * hold what is paid out of them.
 */
async function postAll(trx: Database, transactions: Parameters<typeof post>[1]): Promise<bigint[]> {
  const outcomes = await post(trx, transactions)
  return outcomes.map((posted, index) => {
    if (posted.outcome !== 'posted')
      throw new Error(`${transactions[index]?.key} could not be posted: ${posted.outcome}`)
    return posted.transaction
  })
}
