import { type DayNumber, units } from '@lode/kernel'
import type { Transaction } from '../ledger/index.ts'
import { lineOf, type PledgeRow, type Purchase } from '../orders/index.ts'

/** Locks the BTN of a pledge, from wherever it was paid. */
export function pledgePosting({ order, paid }: Purchase<PledgeRow>): Transaction {
  const { id, memberId: member, amount, balancePart } = order
  const to = { kind: 'pledged', member } as const
  const from = { kind: 'frozenOrder', member, line: lineOf(order) } as const
  const aside = { asset: 'BTN', amount: units('BTN', balancePart), from, to } as const
  if (!paid) return { type: 'pledgeByBalance', member, key: `order:${id}:settle`, moves: [aside] }
  const online = { asset: 'BTN', amount: units('BTN', amount - balancePart), from: 'custody:vault', to } as const
  const { key, terms } = paid
  return { type: 'pledgePaid', key, terms, moves: balancePart > 0n ? [aside, online] : [online] }
}

/** Returns the BTN at the end of the term. */
export const returnPosting = (id: string, member: bigint, amount: bigint): Transaction => ({
  type: 'pledgeReturn',
  key: `pledge:${id}:return`,
  moves: [
    {
      asset: 'BTN',
      amount: units('BTN', amount),
      from: { kind: 'pledged', member },
      to: { kind: 'available', member, line: { type: 'pledgeReturn', operation: id } },
    },
  ],
})

/** Moves a day's production to the account from which dividends are paid. */
export const closePosting = (day: DayNumber, amount: bigint): Transaction => ({
  type: 'dividendClose',
  key: `day:${day}:dividend`,
  moves: [{ asset: 'BTC', amount: units('BTC', amount), from: 'dividend:funded', to: 'dividend:payable' }],
})

/** Pays a member's collected dividends into the balance. */
export const rewardPosting = (operation: string, member: bigint, amount: bigint): Transaction => ({
  type: 'pointReward',
  member,
  key: `collect:${operation}`,
  moves: [toMember(operation, member, amount)],
})

/** Pays the remaining dividend when the pledge ends. */
export const restPosting = (id: string, member: bigint, amount: bigint): Transaction => ({
  type: 'pledgeRest',
  key: `pledge:${id}:rest`,
  moves: [toMember(id, member, amount)],
})

const toMember = (operation: string, member: bigint, amount: bigint) =>
  ({
    asset: 'BTC',
    amount: units('BTC', amount),
    from: 'dividend:payable',
    to: { kind: 'available', member, line: { type: 'pointReward', operation } },
  }) as const
