import { type DayNumber, units } from '@lode/kernel'
import type { Transaction } from '../ledger/index.ts'
import { orderLogLine, type PledgeRow, type Purchase } from '../orders/index.ts'

/**
 * The ledger transaction that locks the BTN of a pledge. The BTN comes from the frozen balance, from the online
 * payment, or from both.
 */
export function pledgePosting({ order, paid }: Purchase<PledgeRow>): Transaction {
  const { id, memberId: member, amount, balancePart } = order
  const to = { kind: 'pledged', member } as const
  const from = { kind: 'frozenOrder', member, line: orderLogLine(order) } as const
  const fromBalance = { asset: 'BTN', amount: units('BTN', balancePart), from, to } as const
  if (!paid) return { type: 'pledgeByBalance', member, key: `order:${id}:settle`, moves: [fromBalance] }
  const online = { asset: 'BTN', amount: units('BTN', amount - balancePart), from: 'custody:vault', to } as const
  const { key, terms } = paid
  return { type: 'pledgePaid', key, terms, moves: balancePart > 0n ? [fromBalance, online] : [online] }
}

/** The ledger transaction that returns the BTN at the end of the term. */
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

/** The ledger transaction that moves a day's production to the account from which dividends are paid. */
export const dayClosePosting = (day: DayNumber, amount: bigint): Transaction => ({
  type: 'dividendClose',
  key: `day:${day}:dividend`,
  moves: [{ asset: 'BTC', amount: units('BTC', amount), from: 'dividend:funded', to: 'dividend:payable' }],
})

/** The ledger transaction that pays a member's collected dividends into the balance. */
export const dividendPosting = (operation: string, member: bigint, amount: bigint): Transaction => ({
  type: 'pointReward',
  member,
  key: `collect:${operation}`,
  moves: [dividendMove(operation, member, amount)],
})

/** The ledger transaction that pays the remaining dividend when the pledge ends. */
export const finalDividendPosting = (id: string, member: bigint, amount: bigint): Transaction => ({
  type: 'pledgeRest',
  key: `pledge:${id}:rest`,
  moves: [dividendMove(id, member, amount)],
})

const dividendMove = (operation: string, member: bigint, amount: bigint) =>
  ({
    asset: 'BTC',
    amount: units('BTC', amount),
    from: 'dividend:payable',
    to: { kind: 'available', member, line: { type: 'pointReward', operation } },
  }) as const
