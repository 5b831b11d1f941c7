import { type DayNumber, ok, type Result, refused } from '@lode/kernel'
import type { Database } from '../../platform/db/database.ts'
import type { BodyOf, Operator } from './decision.ts'
import { changeOperators, type PoolIdentity, SIGNATURES_NEEDED } from './operator-chain.ts'
import { MAX_PAUSE_HOURS, PAYOUTS_SUBJECT } from './pause.ts'
import { NO_OPERATORS, type Proposal, readValidChain } from './sign-decision.ts'

const WEEK_HOURS = 7 * 24

/** The operators are sorted by key, so that the text is the same on every machine. */
export const proposeCeremony = (operators: readonly Operator[]): Proposal<'init'> => ({
  verb: 'init',
  subject: 'operators',
  terms: { number: 1, operators: operators.toSorted((one, other) => (one.key < other.key ? -1 : 1)) },
  needed: operators.length,
  validHours: WEEK_HOURS,
})

/** Returns the proposal, or why the operators cannot be changed in this way. */
export async function proposeOperatorChange(
  db: Database,
  pool: PoolIdentity,
  verb: 'add' | 'remove',
  operator: Operator,
): Promise<Result<Proposal<'add' | 'remove'>, string>> {
  const chain = await readValidChain(db, pool)
  if (!chain.ok) return chain
  if (!chain.value) return refused(NO_OPERATORS)
  const { operators, head } = chain.value
  const changed = changeOperators(operators, { verb, operator })
  if (!changed.ok) return refused(`The operators cannot be changed: ${changed.error}.`)
  const terms = { number: head.number + 1, before: head.hash, operator }
  return ok({ verb, subject: 'operators', terms, needed: SIGNATURES_NEEDED, validHours: WEEK_HOURS })
}

/** Returns the proposal for the present operators, or why no plan can be published now. */
export async function proposePlan(
  db: Database,
  pool: PoolIdentity,
  { version, ...planTerms }: { version: number } & Pick<BodyOf<'publish'>, 'plan' | 'starts' | 'decimals'>,
): Promise<Result<Proposal<'publish'>, string>> {
  const chain = await readValidChain(db, pool)
  if (!chain.ok) return chain
  if (!chain.value) return refused(NO_OPERATORS)
  const terms = { ...planTerms, under: chain.value.head.hash }
  return ok({ verb: 'publish', subject: `plan:${version}`, terms, needed: SIGNATURES_NEEDED, validHours: WEEK_HOURS })
}

/** Lets a day share out this amount, in smallest units of BTC, above the plan's daily limit. */
export const proposeDayApproval = (day: DayNumber, amount: bigint): Proposal<'approve-day'> => ({
  verb: 'approve-day',
  subject: daySubject(day),
  terms: { symbol: 'BTC', amount: String(amount) },
  needed: SIGNATURES_NEEDED,
  validHours: WEEK_HOURS,
})

export const daySubject = (day: DayNumber): string => `day:${day}`

/** `until` is a time of the database clock. One signature is enough, and a pause always begins a new decision. */
export const proposePause = (until: Date, note: string): Proposal<'pause'> => ({
  verb: 'pause',
  subject: PAYOUTS_SUBJECT,
  terms: { until: until.toISOString(), note },
  needed: 1,
  validHours: MAX_PAUSE_HOURS,
  alwaysNew: true,
})

export const proposeResume = (note: string | undefined): Proposal<'resume'> => ({
  verb: 'resume',
  subject: PAYOUTS_SUBJECT,
  terms: note === undefined ? {} : { note },
  needed: SIGNATURES_NEEDED,
  validHours: WEEK_HOURS,
})

/** The proof can only be set back, so that the signer looks everything up again. */
export const proposeProvingAgain = (note: string | undefined): Proposal<'prove-again'> => ({
  verb: 'prove-again',
  subject: 'proof',
  terms: note === undefined ? {} : { note },
  needed: SIGNATURES_NEEDED,
  validHours: WEEK_HOURS,
})

type TransferTerms = Pick<Proposal<'reject'>['terms'], 'symbol' | 'amount' | 'address'>

/** Valid for 31 days, longer than any hold with a fixed end: a transfer lock lasts 30 days at most. */
export const proposeApproval = (id: string, transfer: TransferTerms): Proposal<'approve'> => ({
  verb: 'approve',
  subject: `transfer:${id}`,
  terms: transfer,
  needed: SIGNATURES_NEEDED,
  validHours: 31 * 24,
})

export const proposeRejection = (
  id: string,
  transfer: TransferTerms,
  note: string | undefined,
): Proposal<'reject'> => ({
  verb: 'reject',
  subject: `transfer:${id}`,
  terms: { ...transfer, ...(note === undefined ? {} : { note }) },
  needed: SIGNATURES_NEEDED,
  validHours: WEEK_HOURS,
})

/** `note` may be missing for the second operator, who signs the first one's text. */
export const proposeRestoreAcknowledgment = (
  compared: Pick<BodyOf<'acknowledge-restore'>, 'journal' | 'lines' | 'block'>,
  note: string | undefined,
): Proposal<'acknowledge-restore'> => ({
  verb: 'acknowledge-restore',
  subject: `restore:${compared.journal}`,
  terms: { ...compared, ...(note === undefined ? {} : { note }) },
  needed: SIGNATURES_NEEDED,
  validHours: WEEK_HOURS,
})

/** One signature is enough: that of the operator who signed the decision first. */
export const proposeWithdrawal = (
  { id, textHash }: { readonly id: bigint; readonly textHash: string },
  check: NonNullable<Proposal['check']>,
): Proposal<'withdraw'> => ({
  verb: 'withdraw',
  subject: `decision:${id}`,
  terms: { text: textHash },
  needed: 1,
  validHours: 400 * 24,
  alwaysNew: true,
  check,
})
