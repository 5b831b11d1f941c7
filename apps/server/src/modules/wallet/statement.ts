import { type Asset, assets, formatAmount, units } from '@lode/kernel'
import { type DataOf, receivedTypes } from '@lode/wire'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { MemberBalances, MemberSum } from '../ledger/index.ts'
import { type ExactWorth, exactWorth, type Holdings, worth } from './rules.ts'

/** A member's whole history in one symbol, in smallest units. */
type Account = {
  readonly symbol: Asset
  readonly paidIn: {
    /** Credited to the balance; and of it what had come before the account was registered. */
    readonly deposits: bigint
    readonly beforeRegistering: bigint
    /** Paid on the chain for what was bought, without passing the balance. */
    readonly promotionsOnline: bigint
    readonly pledgesOnline: bigint
  }
  readonly received: ReadonlyMap<(typeof receivedTypes)[number], bigint>
  readonly spent: {
    readonly promotionsFromBalance: bigint
    readonly promotionsOnline: bigint
    /** They come on top of what is transferred, and stay with the pool. */
    readonly transferFees: bigint
  }
  /** What arrived at the output address. */
  readonly takenOut: bigint
  /** All that was ever pledged, and what of it has come back. It was the member's all the time. */
  readonly pledged: bigint
  readonly returned: bigint
  /** Balance, on its way out, put aside and pledged. */
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
 * The books of one member, as what was paid in, received, spent and taken out. Every posting on an account of the
 * member counts in exactly one of these, so that they add up to what is held:
 *
 *     paid in + received − spent − taken out = held
 *
 * A promotion paid online passes no account of the member: it counts as paid in and as spent, which cancel out. What is
 * put aside, released, pledged and returned moves from one account of the member to another and counts in none of them.
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

/** What waits to be claimed is not held yet: it is received when it is claimed. */
const isHeld = ({ kind }: MemberSum): boolean => kind !== 'agentUnclaimed'

function accountOf(symbol: Asset, { sums, fees, ...history }: History): Account {
  const own = sums.filter((one) => one.asset === symbol && isHeld(one))
  const of = (which: (one: MemberSum) => boolean): bigint => sum(own.filter(which).map(({ amount }) => amount))
  const under = (type: MemberSum['type']): bigint => of((one) => one.type === type)
  const promotionsOnline = symbol === 'USDT' ? history.promotionsOnline : 0n
  const pledged = of(({ kind, amount }) => kind === 'pledged' && amount > 0n)
  // Of a pledge that was paid for in part from the balance, that part left what was put aside for it.
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

// ---- as it is shown ----------------------------------------------------------------------------------------------------

type Statement = Omit<DataOf<'wallet/statement'>, 'at'>

/**
 * In whole coins; and all symbols together in USDT. A symbol without a price is left out of that and named, not counted
 * as zero.
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

/** Null where there is no usable price. Nothing is worth nothing, also without a price. */
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
 * The sum of these figures in cents, each off by less than a cent, so that they still add up. Cut off one by one, they
 * might miss each other by a cent or two. What is held is cut off, as the wallet shows it; of the others, the one with
 * the largest remainder goes up to the next cent where the equation needs it.
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
