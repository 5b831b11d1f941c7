import type { TFunction } from 'i18next'
import { isZero } from '../../shared/format/index.ts'
import type { Account, Statement } from './use-statement.ts'

export type Sign = '+' | '−' | '='

type Entry = {
  readonly name: string
  readonly amount: string
  /** Its effect on the held amount; null if it has none. */
  readonly sign: '+' | '−' | null
}

export type Part = {
  readonly name: 'paidIn' | 'received' | 'spent' | 'takenOut' | 'held' | 'result' | 'principal'
  readonly title: string
  /** The term of the equation; null if the part is not a term. */
  readonly sum: { readonly amount: string; readonly sign: Sign | null } | null
  readonly entries: readonly Entry[]
  /** Shown below the entries. */
  readonly note?: string
}

const entry =
  (sign: Entry['sign']) =>
  (name: string, amount: string): Entry => ({ name, amount, sign })
const [plus, minus, beside] = [entry('+'), entry('−'), entry(null)]

const isSomething = ({ amount }: Entry): boolean => !isZero(amount)

/** A zero term has no sign. */
const term = (sign: Sign, amount: string) => ({ amount, sign: sign !== '=' && isZero(amount) ? null : sign })

type Figures = Readonly<Record<'paidIn' | 'received' | 'spent' | 'takenOut' | 'held', string>>

/** The equation, one term for each part: paid in + received − spent − taken out = held now. */
export const termsOf = (t: TFunction, { paidIn, received, spent, takenOut, held }: Figures) =>
  [
    { name: 'paidIn', title: t('statement.paidIn'), sum: term('+', paidIn) },
    { name: 'received', title: t('statement.received'), sum: term('+', received) },
    { name: 'spent', title: t('statement.spent'), sum: term('−', spent) },
    { name: 'takenOut', title: t('statement.takenOut'), sum: term('−', takenOut) },
    { name: 'held', title: t('statement.held'), sum: term('=', held) },
  ] as const

/** What was taken out plus what is held, compared with what was paid in. */
export function resultPart(t: TFunction, paidIn: string, result: Statement['total']['result']): Part {
  const { takenOutAndHeld, than, difference } = result
  return {
    name: 'result',
    title: t('statement.result'),
    sum: null,
    entries: [
      beside(t('statement.takenOutAndHeld'), takenOutAndHeld),
      beside(t('statement.paidIn'), paidIn),
      beside(t(`statement.than.${than}`), difference),
    ],
  }
}

/** A statement's lines in one asset, used by the screen and by the file. Zero entries are omitted. */
export function partsOf(t: TFunction, account: Account): Part[] {
  const { paidIn, received, spent, takenOut, held, principal, result } = account
  const entriesOf = {
    paidIn: [
      plus(t('statement.deposits'), paidIn.deposits),
      beside(t('statement.beforeRegistering'), paidIn.beforeRegistering),
      plus(t('statement.promotionsOnline'), paidIn.promotionsOnline),
      plus(t('statement.pledgesOnline'), paidIn.pledgesOnline),
    ],
    received: received.parts.map(({ type, amount }) => plus(t(`wallet.types.${type}`), amount)),
    spent: [
      minus(t('statement.promotionsFromBalance'), spent.promotionsFromBalance),
      minus(t('statement.promotionsOnline'), spent.promotionsOnline),
      minus(t('statement.transferFees'), spent.transferFees),
    ],
    takenOut: [minus(t('statement.arrived'), takenOut)],
    held: [
      beside(t('wallet.available'), held.available),
      beside(t('wallet.frozenOut'), held.out),
      beside(t('wallet.frozenOrder'), held.order),
      beside(t('wallet.pledged'), held.pledged),
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
  const aside = [
    beside(t('statement.everPledged'), principal.pledged),
    beside(t('statement.returned'), principal.returned),
  ].filter(isSomething)
  return [
    ...termsOf(t, figures).map((one) => ({
      ...one,
      entries: entriesOf[one.name].filter(isSomething),
      ...(one.name === 'held' && isFrozen && { note: t('statement.heldNote') }),
    })),
    resultPart(t, paidIn.amount, result),
    ...(aside.length > 0
      ? [{ name: 'principal', title: t('statement.principal'), sum: null, entries: aside } as const]
      : []),
  ]
}

/** Whether the account has ever had an entry. */
export const isUsed = ({ paidIn, received }: Account): boolean => !isZero(paidIn.amount) || !isZero(received.amount)
