import { type DayNumber, ok, type Result, refused } from '@lode/kernel'
import type { Database } from '../../platform/db/database.ts'
import { change, type Pool, TWO } from './chain.ts'
import { NO_OPERATORS, presentChain, type Question } from './decide.ts'
import type { BodyOf, Operator } from './decision.ts'
import { LONGEST_PAUSE_HOURS, PAYOUTS } from './pause.ts'

const WEEK_HOURS = 7 * 24

/** The operators are sorted by key, so that the text is the same on every machine. */
export const ceremonyQuestion = (operators: readonly Operator[]): Question<'init'> => ({
  verb: 'init',
  subject: 'operators',
  terms: { number: 1, operators: operators.toSorted((one, other) => (one.key < other.key ? -1 : 1)) },
  needed: operators.length,
  validHours: WEEK_HOURS,
})

/** Returns the question, or why the operators cannot be changed in this way. */
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

/** Returns the question for the present operators, or why nobody can publish now. */
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

/** Lets a day share out this amount, in smallest units of BTC, above the plan's daily limit. */
export const dayQuestion = (day: DayNumber, amount: bigint): Question<'approve-day'> => ({
  verb: 'approve-day',
  subject: daySubject(day),
  terms: { symbol: 'BTC', amount: String(amount) },
  needed: TWO,
  validHours: WEEK_HOURS,
})

export const daySubject = (day: DayNumber): string => `day:${day}`

/** `until` is a time of the database clock. One signature is enough, and a pause always begins a new decision. */
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

/** Valid for 31 days, longer than anything can hold the transfer: a transfer lock lasts 30 days at most. */
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
