import type { Rows } from './books.ts'

/** The rows of pledges and days. Times are in milliseconds; a day is its number since 1970-01-01. */
export type ProductionBooks = {
  readonly pledges: readonly PledgeRow[]
  /** In order of the days. */
  readonly days: readonly DayRow[]
  readonly partnerDays: readonly PartnerDayRow[]
  /** The partners, and the day of each approval. */
  readonly partners: readonly { readonly member: bigint; readonly approvedDay: number }[]
  readonly partnersPaid: ReadonlyMap<bigint, bigint>
  readonly planStarts: readonly { readonly version: number; readonly startsAt: number }[]
  /** The operators' decisions about days, by id. */
  readonly dayDecisions: ReadonlyMap<bigint, DayDecision>
}

export type PledgeRow = {
  readonly id: string
  readonly member: bigint
  readonly amount: bigint
  readonly weight: bigint
  readonly start: number
  readonly end: number
  readonly paid: bigint
  readonly returnedAt: number | null
  readonly settledAt: number | null
}

/** The letters are explained in docs/production.md. */
export const LETTERS = ['F', 'X', 'T', 'C', 'Z', 'S', 'q', 'A', 'R'] as const
export type Letters = Readonly<Record<(typeof LETTERS)[number], bigint>>

export type DayRow = {
  readonly day: number
  readonly letters: Letters
  readonly plan: number
  readonly decision: bigint | null
  readonly closedAt: number
  /** `<transaction>:<log index>` of each of its fundings. */
  readonly fundings: readonly string[]
}

type PartnerDayRow = {
  readonly day: number
  readonly amount: bigint
  readonly partners: bigint
  readonly each: bigint
  readonly eachSoFar: bigint
  readonly rest: bigint
}

type DayDecision = { readonly subject: string; readonly verb: string; readonly amount: bigint }

export async function readProductionBooks(rows: Rows): Promise<ProductionBooks> {
  type Pledge = Record<'id' | 'member_id' | 'amount' | 'weight' | 'paid', string> &
    Record<'start_day' | 'end_day', number> &
    Record<'returned_at' | 'settled_at', Date | null>
  const pledges = await rows<Pledge>(`
    select id, member_id, amount, weight, start_day, end_day, paid, returned_at, settled_at from lode.pledge order by id`)
  type Day = Record<(typeof LETTERS)[number], string> & {
    day: number
    plan_version: number
    decision_id: string | null
    closed_at: Date
    fundings: string[]
  }
  const days = await rows<Day>(`
    select day, admitted as "F", above as "X", from_carry as "T", carry as "C", freed as "Z", weight as "S", quotient as q,
           per_weight as "A", remainder as "R", plan_version, decision_id, closed_at,
           array(select '0x' || encode(tx, 'hex') || ':' || log_index from lode.day_funding used
                 where used.day = production_day.day) as fundings
    from lode.production_day order by day`)
  type PartnerDay = Record<'amount' | 'partners' | 'quotient' | 'per_partner' | 'remainder', string> & { day: number }
  const partnerDays = await rows<PartnerDay>(`
    select day, amount, partners, quotient, per_partner, remainder from lode.partner_day order by day`)
  const partners = await rows<{ member_id: string; approved_day: number }>(
    'select member_id, approved_day from lode.partner',
  )
  const paid = await rows<{ member_id: string; paid: string }>('select member_id, paid from lode.partner_paid')
  const plans = await rows<{ version: number; starts_at: Date }>(
    'select version, starts_at from lode.plan order by version',
  )
  const decisions = await rows<{ id: string; subject: string; verb: string; amount: string }>(`
    select id, subject, verb, body::json->>'amount' as amount from lode.decision where subject like 'day:%'`)
  return {
    pledges: pledges.map((row) => ({
      id: row.id,
      member: BigInt(row.member_id),
      amount: BigInt(row.amount),
      weight: BigInt(row.weight),
      start: row.start_day,
      end: row.end_day,
      paid: BigInt(row.paid),
      returnedAt: row.returned_at?.getTime() ?? null,
      settledAt: row.settled_at?.getTime() ?? null,
    })),
    days: days.map((row) => ({
      day: row.day,
      plan: row.plan_version,
      closedAt: row.closed_at.getTime(),
      fundings: row.fundings.toSorted(),
      decision: row.decision_id === null ? null : BigInt(row.decision_id),
      letters: Object.fromEntries(LETTERS.map((letter) => [letter, BigInt(row[letter])])) as Letters,
    })),
    partnerDays: partnerDays.map((row) => ({
      day: row.day,
      amount: BigInt(row.amount),
      partners: BigInt(row.partners),
      each: BigInt(row.quotient),
      eachSoFar: BigInt(row.per_partner),
      rest: BigInt(row.remainder),
    })),
    partners: partners.map((row) => ({ member: BigInt(row.member_id), approvedDay: row.approved_day })),
    partnersPaid: new Map(paid.map((row) => [BigInt(row.member_id), BigInt(row.paid)])),
    planStarts: plans.map((row) => ({ version: row.version, startsAt: row.starts_at.getTime() })),
    dayDecisions: new Map(
      decisions.map(({ id, subject, verb, amount }) => [BigInt(id), { subject, verb, amount: BigInt(amount) }]),
    ),
  }
}
