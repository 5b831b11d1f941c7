import { isZero } from '../../shared/format/index.ts'
import type { TextFunction } from '../../shared/i18n/index.ts'
import type { AccountStatement, PeriodAccount, Statement } from './use-statement.ts'

export type StatementSign = '+' | '−' | '='

type StatementEntry = {
  readonly name: string
  readonly amount: string
  /** Its effect on the held amount. Null if it only explains or compares amounts that are counted elsewhere. */
  readonly sign: '+' | '−' | null
}

export type StatementPart = {
  readonly name: 'opening' | 'closing' | 'paidIn' | 'received' | 'spent' | 'takenOut' | 'held' | 'result' | 'principal'
  readonly title: string
  /** The term of the equation; null if the part is not a term. */
  readonly sum: { readonly amount: string; readonly sign: StatementSign | null } | null
  readonly entries: readonly StatementEntry[]
  /** Shown below the entries. */
  readonly note?: string
}

const entry =
  (sign: StatementEntry['sign']) =>
  (name: string, amount: string): StatementEntry => ({ name, amount, sign })
const [plus, minus, unsigned] = [entry('+'), entry('−'), entry(null)]

const isNotZero = ({ amount }: StatementEntry): boolean => !isZero(amount)

/** A zero term has no sign. */
const term = (sign: StatementSign, amount: string) => ({ amount, sign: sign !== '=' && isZero(amount) ? null : sign })

type EquationAmounts = Readonly<Record<'paidIn' | 'received' | 'spent' | 'takenOut' | 'held', string>>

/** The equation, one term for each part: paid in + received − spent − taken out = held now. */
export const buildEquation = (t: TextFunction, { paidIn, received, spent, takenOut, held }: EquationAmounts) =>
  [
    { name: 'paidIn', title: t('statement.paidIn'), sum: term('+', paidIn) },
    { name: 'received', title: t('statement.received'), sum: term('+', received) },
    { name: 'spent', title: t('statement.spent'), sum: term('−', spent) },
    { name: 'takenOut', title: t('statement.takenOut'), sum: term('−', takenOut) },
    { name: 'held', title: t('statement.held'), sum: term('=', held) },
  ] as const

/** The part that compares taken out plus held with paid in. */
export function buildResultPart(t: TextFunction, paidIn: string, result: Statement['total']['result']): StatementPart {
  const { takenOutAndHeld, than, difference } = result
  return {
    name: 'result',
    title: t('statement.result'),
    sum: null,
    entries: [
      unsigned(t('statement.takenOutAndHeld'), takenOutAndHeld),
      unsigned(t('statement.paidIn'), paidIn),
      unsigned(t(`statement.than.${than}`), difference),
    ],
  }
}

/** A statement's lines in one asset, used by the screen and by the file. Zero entries are omitted. */
export function buildStatementParts(t: TextFunction, account: AccountStatement): StatementPart[] {
  const { paidIn, received, spent, takenOut, held, principal, result } = account
  const entriesByPart = {
    ...buildFlowEntries(t, account),
    held: [
      unsigned(t('wallet.available'), held.available),
      unsigned(t('wallet.frozenOut'), held.out),
      unsigned(t('wallet.frozenOrder'), held.order),
      unsigned(t('wallet.pledged'), held.pledged),
    ],
  }
  const figures = {
    paidIn: paidIn.amount,
    received: received.amount,
    spent: spent.amount,
    takenOut,
    held: held.amount,
  }
  const isFrozen = [held.out, held.order, held.pledged].some((amount) => !isZero(amount))
  const principalEntries = [
    unsigned(t('statement.everPledged'), principal.pledged),
    unsigned(t('statement.returned'), principal.returned),
  ].filter(isNotZero)
  return [
    ...buildEquation(t, figures).map((one) => ({
      ...one,
      entries: entriesByPart[one.name].filter(isNotZero),
      ...(one.name === 'held' && isFrozen && { note: t('statement.heldNote') }),
    })),
    buildResultPart(t, paidIn.amount, result),
    ...(principalEntries.length > 0
      ? [{ name: 'principal', title: t('statement.principal'), sum: null, entries: principalEntries } as const]
      : []),
  ]
}

type FlowName = 'paidIn' | 'received' | 'spent' | 'takenOut'

/** The entries of what was paid in, received, spent and taken out. */
function buildFlowEntries(
  t: TextFunction,
  { paidIn, received, spent, takenOut }: Pick<PeriodAccount, FlowName>,
): Record<FlowName, StatementEntry[]> {
  return {
    paidIn: [
      plus(t('statement.deposits'), paidIn.deposits),
      unsigned(t('statement.beforeRegistering'), paidIn.beforeRegistering),
      unsigned(t('statement.undone'), paidIn.undone),
      plus(t('statement.promotionsOnline'), paidIn.promotionsOnline),
      plus(t('statement.pledgesOnline'), paidIn.pledgesOnline),
    ],
    received: received.parts.map(({ type, amount }) => plus(t(`wallet.types.${type}`), amount)),
    spent: [
      minus(t('statement.promotionsFromBalance'), spent.promotionsFromBalance),
      minus(t('statement.promotionsOnline'), spent.promotionsOnline),
      minus(t('statement.transferFees'), spent.transferFees),
      minus(t('statement.undoneCredits'), spent.undone),
    ],
    takenOut: [minus(t('statement.arrived'), takenOut)],
  }
}

/** The lines of a period in one asset: opening + paid in + received − spent − taken out = closing. */
export function buildPeriodParts(t: TextFunction, account: PeriodAccount): StatementPart[] {
  const { opening, closing, paidIn, received, spent, takenOut } = account
  const entries = buildFlowEntries(t, account)
  const figures = { paidIn: paidIn.amount, received: received.amount, spent: spent.amount, takenOut, held: closing }
  return [
    { name: 'opening', title: t('statement.opening'), sum: { amount: opening, sign: null }, entries: [] },
    ...buildEquation(t, figures).map(
      (one): StatementPart =>
        one.name === 'held'
          ? { ...one, name: 'closing', title: t('statement.closing'), entries: [] }
          : { ...one, entries: entries[one.name].filter(isNotZero) },
    ),
  ]
}

/** Whether something was held or changed in the period. */
export const hasPeriodEntries = ({ opening, paidIn, received }: PeriodAccount): boolean =>
  [opening, paidIn.amount, received.amount].some((amount) => !isZero(amount))

/** Whether the account has ever had an entry. */
export const hasEntries = ({ paidIn, received }: AccountStatement): boolean =>
  !isZero(paidIn.amount) || !isZero(received.amount)
