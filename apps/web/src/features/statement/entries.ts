import type { TFunction } from 'i18next'
import { isZero } from '../../shared/format/index.ts'
import type { Account } from './use-statement.ts'

type Entry = {
  readonly name: string
  readonly amount: string
  /** What it does to what is held; none where it is only told beside. */
  readonly sign: '+' | '−' | null
}

export type Part = {
  readonly name: 'paidIn' | 'received' | 'spent' | 'held' | 'principal'
  readonly title: string
  /** Of all its entries, where they add up to something. */
  readonly sum: { readonly amount: string; readonly sign: '+' | null } | null
  readonly entries: readonly Entry[]
}

const entry =
  (sign: Entry['sign']) =>
  (name: string, amount: string): Entry => ({ name, amount, sign })

const isSomething = ({ amount }: Entry): boolean => !isZero(amount)

/** A statement's lines in one symbol, on the screen and in the file alike. Entries that are nothing are left out. */
export function partsOf(t: TFunction, account: Account): Part[] {
  const { symbol, paidIn, received, promotions, transferredOut, fees, held, principal } = account
  const [plus, minus, beside] = [entry('+'), entry('−'), entry(null)]
  const parts: Part[] = [
    {
      ...({ name: 'paidIn', title: t('statement.paidIn'), sum: { amount: paidIn.amount, sign: '+' } } as const),
      entries: [
        plus(t('statement.deposits'), paidIn.deposits),
        beside(t('statement.beforeRegistering'), paidIn.beforeRegistering),
        plus(t('statement.promotionsOnline'), paidIn.promotionsOnline),
        plus(t('statement.pledgesOnline'), paidIn.pledgesOnline),
      ],
    },
    {
      ...({ name: 'received', title: t('statement.received'), sum: { amount: received.amount, sign: '+' } } as const),
      entries: received.parts.map(({ type, amount }) => plus(t(`wallet.types.${type}`), amount)),
    },
    {
      ...({ name: 'spent', title: t('statement.left'), sum: null } as const),
      entries: [
        minus(t('statement.transferredOut'), transferredOut),
        minus(t('statement.fees'), fees),
        minus(t('statement.promotions'), promotions),
      ],
    },
    {
      ...({ name: 'held', title: t('statement.held'), sum: { amount: held.amount, sign: null } } as const),
      entries: [
        beside(t('wallet.available'), held.available),
        beside(t('wallet.frozenOut'), held.out),
        beside(t('wallet.frozenOrder'), held.order),
        beside(t('wallet.pledged'), held.pledged),
      ],
    },
  ]
  if (symbol === 'BTN')
    parts.push({
      ...({ name: 'principal', title: t('statement.principal'), sum: null } as const),
      entries: [
        beside(t('statement.everPledged'), principal.pledged),
        beside(t('statement.returned'), principal.returned),
      ],
    })
  return parts.map((part) => ({ ...part, entries: part.entries.filter(isSomething) })).filter(isTold)
}

/** What is held is told also where it is nothing: it is what all of it comes to. */
const isTold = ({ name, entries }: Part): boolean => name === 'held' || entries.length > 0

/** Whether anything has ever happened in it. */
export const isUsed = ({ paidIn, received }: Account): boolean => !isZero(paidIn.amount) || !isZero(received.amount)
