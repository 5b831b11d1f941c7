import { type DayNumber, ok, type Result, refused } from '@lode/kernel'
import type { Database } from '../../platform/db/database.ts'
import { change, type Pool, TWO } from './chain.ts'
import { NO_OPERATORS, presentChain, type Question } from './decide.ts'
import type { BodyOf, Operator } from './decision.ts'
import { LONGEST_PAUSE_HOURS, PAYOUTS } from './pause.ts'

const WEEK_HOURS = 7 * 24

/** The same whoever types it: the keys are in order. */
export const ceremonyQuestion = (operators: readonly Operator[]): Question<'init'> => ({
  verb: 'init',
  subject: 'operators',
  terms: { number: 1, operators: operators.toSorted((one, other) => (one.key < other.key ? -1 : 1)) },
  needed: operators.length,
  validHours: WEEK_HOURS,
})

/** In words why the operators cannot be changed so. */
export async function changeQuestion(
  db: Database,
  pool: Pool,
  verb: 'add' | 'remove',
  operator: Operator,
): Promise<Result<Question<'add' | 'remove'>, string>> {
  const chain = await presentChain(db, pool)
  if (!chain.ok) return chain
  if (!chain.value) return refused(NO_OPERATORS)
  const { operators, head } = chain.value
  const changed = change(operators, { verb, operator })
  if (!changed.ok) return refused(`That cannot be: ${changed.error}.`)
  const terms = { number: head.number + 1, before: head.hash, operator }
  return ok({ verb, subject: 'operators', terms, needed: TWO, validHours: WEEK_HOURS })
}

/** By the operators of now, or in words why nobody can. */
export async function publishQuestion(
  db: Database,
  pool: Pool,
  { version, plan, starts }: { version: number } & Pick<BodyOf<'publish'>, 'plan' | 'starts'>,
): Promise<Result<Question<'publish'>, string>> {
  const chain = await presentChain(db, pool)
  if (!chain.ok) return chain
  if (!chain.value) return refused(NO_OPERATORS)
  const terms = { plan, starts, under: chain.value.head.hash }
  return ok({ verb: 'publish', subject: `plan:${version}`, terms, needed: TWO, validHours: WEEK_HOURS })
}

/** What a day may share out, in smallest units of BTC, beyond the most of the plan. */
export const dayQuestion = (day: DayNumber, amount: bigint): Question<'approve-day'> => ({
  verb: 'approve-day',
  subject: daySubject(day),
  terms: { symbol: 'BTC', amount: String(amount) },
  needed: TWO,
  validHours: WEEK_HOURS,
})

export const daySubject = (day: DayNumber): string => `day:${day}`

/** `until` is a time of the database's. One operator is enough, and a pause is never added to. */
export const pauseQuestion = (until: Date, note: string): Question<'pause'> => ({
  verb: 'pause',
  subject: PAYOUTS,
  terms: { until: until.toISOString(), note },
  needed: 1,
  validHours: LONGEST_PAUSE_HOURS,
  alwaysNew: true,
})

export const resumeQuestion = (note: string | undefined): Question<'resume'> => ({
  verb: 'resume',
  subject: PAYOUTS,
  terms: note === undefined ? {} : { note },
  needed: TWO,
  validHours: WEEK_HOURS,
})

type Transfer = Pick<Question<'reject'>['terms'], 'symbol' | 'amount' | 'address'>

/** It counts for as long as anything could hold the transfer: a member may lock transfers for 30 days. */
export const approvalQuestion = (id: string, transfer: Transfer): Question<'approve'> => ({
  verb: 'approve',
  subject: `transfer:${id}`,
  terms: transfer,
  needed: TWO,
  validHours: 31 * 24,
})

export const rejectionQuestion = (id: string, transfer: Transfer, note: string | undefined): Question<'reject'> => ({
  verb: 'reject',
  subject: `transfer:${id}`,
  terms: { ...transfer, ...(note === undefined ? {} : { note }) },
  needed: TWO,
  validHours: WEEK_HOURS,
})
