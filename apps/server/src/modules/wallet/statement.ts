import { type Asset, assets, formatAmount, units } from '@lode/kernel'
import { type DataOf, receivedTypes } from '@lode/wire'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { MemberBalances, MemberSum } from '../ledger/index.ts'
import { type ExactWorth, exactWorth, type Holdings, worth } from './rules.ts'

/** A member's totals in one asset, in smallest units. */
type Account = {
  readonly symbol: Asset
  readonly paidIn: {
    /** Credited to the balance; `beforeRegistering` is the part that arrived before the account was registered. */
    readonly deposits: bigint
    readonly beforeRegistering: bigint
    /** Paid on the chain for purchases, without passing through the balance. */
    readonly promotionsOnline: bigint
    readonly pledgesOnline: bigint
  }
  readonly received: ReadonlyMap<(typeof receivedTypes)[number], bigint>
  readonly spent: {
    readonly promotionsFromBalance: bigint
    readonly promotionsOnline: bigint
    /** Fees come on top of the transferred amount, and stay with the pool. */
    readonly transferFees: bigint
  }
  /** The amount that arrived at the output address. */
  readonly takenOut: bigint
  /** All BTN ever pledged, and the part that has come back. It belonged to the member all the time. */
  readonly pledged: bigint
  readonly returned: bigint
  /** Available, frozen and pledged. */
  readonly held: bigint
}

type History = {
  readonly sums: readonly MemberSum[]
  readonly fees: { readonly [A in Asset]: bigint }
  /** USDT. */
  readonly promotionsOnline: bigint
  readonly balances: MemberBalances
}

/**
 * Sorts a member's postings into paid in, received, spent and taken out. Every posting on an account of the member
 * counts in exactly one of these, so that they add up to what is held:
 *
 *     paid in + received − spent − taken out = held
 *
 * A promotion paid online passes no account of the member: it counts as paid in and as spent, which cancel out.
 * Freezing, unfreezing, pledging and returning move money between the member's own accounts and count in none of them.
 */
export function accountsOf(history: History): Account[] {
  return assets.map((symbol) => {
    const account = accountOf(symbol, history)
    const { available, frozenOut, frozenOrder, pledged } = history.balances[symbol]
    const { paidIn, received, spent, takenOut, held } = figuresOf(account)
    const left = paidIn + received - spent - takenOut
    if (left !== held || held !== available + frozenOut + frozenOrder + pledged)
      throw new Error(`a statement in ${symbol} does not add up to the balances: ${left}, ${held}`)
    return account
  })
}

const sum = (amounts: Iterable<bigint>): bigint => Array.from(amounts).reduce((all, amount) => all + amount, 0n)

const figureNames = ['paidIn', 'received', 'spent', 'takenOut', 'held'] as const
/** The terms of the equation, in order. */
type Figures<Value = bigint> = { readonly [Name in (typeof figureNames)[number]]: Value }

const figuresOf = ({ paidIn, received, spent, takenOut, held }: Account): Figures => ({
  paidIn: paidIn.deposits + paidIn.promotionsOnline + paidIn.pledgesOnline,
  received: sum(received.values()),
  spent: sum(Object.values(spent)),
  takenOut,
  held,
})

const eachFigure = <Value>(of: (name: keyof Figures) => Value): Figures<Value> => ({
  paidIn: of('paidIn'),
  received: of('received'),
  spent: of('spent'),
  takenOut: of('takenOut'),
  held: of('held'),
})

/** An unclaimed reward is not held yet: it is received when it is claimed. */
const isHeld = ({ kind }: MemberSum): boolean => kind !== 'agentUnclaimed'

function accountOf(symbol: Asset, { sums, fees, ...history }: History): Account {
  const own = sums.filter((one) => one.asset === symbol && isHeld(one))
  const of = (which: (one: MemberSum) => boolean): bigint => sum(own.filter(which).map(({ amount }) => amount))
  const under = (type: MemberSum['type']): bigint => of((one) => one.type === type)
  const promotionsOnline = symbol === 'USDT' ? history.promotionsOnline : 0n
  const pledged = of(({ kind, amount }) => kind === 'pledged' && amount > 0n)
  // The part of a pledge that was paid from the balance left `frozenOrder`.
  const pledgesFromBalance = -under('createPledge')
  const beforeRegistering = under('suspenseCredit')
  return {
    symbol,
    paidIn: {
      deposits: under('transferIn') + beforeRegistering,
      beforeRegistering,
      promotionsOnline,
      pledgesOnline: pledged - pledgesFromBalance,
    },
    received: new Map(receivedTypes.map((type) => [type, under(type)])),
    spent: { promotionsFromBalance: -under('upLevelByBalance'), promotionsOnline, transferFees: fees[symbol] },
    takenOut: -under('transferOut') - fees[symbol],
    pledged,
    returned: under('pledgeReturn'),
    held: of(() => true),
  }
}

// ---- display --------------------------------------------------------------------------------------------------------

type Statement = Omit<DataOf<'wallet/statement'>, 'at'>

/**
 * In whole coins, and all assets together in USDT. An asset without a price is left out of that total and named, not
 * counted as zero.
 */
export function statementOf(
  accounts: readonly Account[],
  balances: MemberBalances,
  prices: Holdings['prices'],
  decimals: Decimals,
): Statement {
  const valued = accounts.map((account) => ({ symbol: account.symbol, values: valuesOf(account, prices, decimals) }))
  const total = roundToCents(valued.flatMap(({ values }) => values ?? []))
  const shown = (cents: bigint): string => formatAmount(units('USDT', cents), CENT_PLACES)
  return {
    accounts: accounts.map((account) => accountShown(account, balances, decimals)),
    total: {
      ...eachFigure((name) => shown(total[name])),
      result: resultOf(total, shown),
      without: valued.filter(({ values }) => values === null).map(({ symbol }) => symbol),
    },
  }
}

const inUsdt = { price: '1' }

/** Null if there is no usable price. An account with only zeros is worth zero even without a price. */
function valuesOf(account: Account, prices: Holdings['prices'], decimals: Decimals): Figures<ExactWorth> | null {
  const { symbol } = account
  const figures = figuresOf(account)
  if (figureNames.every((name) => figures[name] === 0n)) return eachFigure(() => ({ value: 0n, places: 0 }))
  const price = symbol === 'USDT' ? inUsdt : prices[symbol]
  if (!price || figureNames.some((name) => worth(symbol, figures[name], price, decimals) === null)) return null
  return eachFigure((name) => exactWorth(symbol, figures[name], price, decimals))
}

const CENT_PLACES = 2

/**
 * Adds up these figures in cents, each off by less than a cent, so that the equation still holds. Rounded down one by
 * one, they could miss it by a cent or two. What is held is rounded down, as the wallet page shows it. Of the others,
 * the one with the largest remainder is rounded up where the equation needs it.
 */
export function roundToCents(valued: readonly Figures<ExactWorth>[]): Figures {
  const places = Math.max(CENT_PLACES, ...valued.map(({ held }) => held.places))
  const cent = 10n ** BigInt(places - CENT_PLACES)
  const exact = eachFigure((name) =>
    sum(valued.map((one) => one[name].value * 10n ** BigInt(places - one[name].places))),
  )
  const cents = { ...eachFigure((name) => exact[name] / cent) }
  let missing = cents.held + cents.spent + cents.takenOut - cents.paidIn - cents.received
  const adjustable = missing > 0n ? (['paidIn', 'received'] as const) : (['spent', 'takenOut'] as const)
  const byRemainder = adjustable.toSorted((one, other) => (exact[one] % cent < exact[other] % cent ? 1 : -1))
  for (const name of byRemainder) {
    if (missing === 0n) break
    cents[name] += 1n
    missing += missing > 0n ? -1n : 1n
  }
  return cents
}

function resultOf({ paidIn, takenOut, held }: Figures, shown: (amount: bigint) => string) {
  const has = takenOut + held
  const than = has > paidIn ? 'more' : has < paidIn ? 'less' : 'same'
  return { takenOutAndHeld: shown(has), than, difference: shown(has > paidIn ? has - paidIn : paidIn - has) } as const
}

function accountShown(account: Account, balances: MemberBalances, decimals: Decimals): Statement['accounts'][number] {
  const { symbol, paidIn, received, spent, pledged, returned } = account
  const shown = (value: bigint): string => formatAmount(units(symbol, value), decimals[symbol])
  const figures = figuresOf(account)
  const now = balances[symbol]
  return {
    symbol,
    paidIn: {
      amount: shown(figures.paidIn),
      deposits: shown(paidIn.deposits),
      beforeRegistering: shown(paidIn.beforeRegistering),
      promotionsOnline: shown(paidIn.promotionsOnline),
      pledgesOnline: shown(paidIn.pledgesOnline),
    },
    received: {
      amount: shown(figures.received),
      parts: Array.from(received)
        .filter(([, amount]) => amount > 0n)
        .map(([type, amount]) => ({ type, amount: shown(amount) })),
    },
    spent: {
      amount: shown(figures.spent),
      promotionsFromBalance: shown(spent.promotionsFromBalance),
      promotionsOnline: shown(spent.promotionsOnline),
      transferFees: shown(spent.transferFees),
    },
    takenOut: shown(figures.takenOut),
    held: {
      amount: shown(figures.held),
      available: shown(now.available),
      out: shown(now.frozenOut),
      order: shown(now.frozenOrder),
      pledged: shown(now.pledged),
    },
    principal: { pledged: shown(pledged), returned: shown(returned) },
    result: resultOf(figures, shown),
  }
}
