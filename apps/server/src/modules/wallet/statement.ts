import { type Asset, assets, formatAmount, least, units } from '@lode/kernel'
import { type DataOf, receivedTypes } from '@lode/wire'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { MemberBalances, MemberSum } from '../ledger/index.ts'
import { computeExactUsdtValue, computeUsdtValue, type ExactUsdtValue, type Holdings } from './rules.ts'

/** A member's totals in one asset, in smallest units. */
type AccountTotals = {
  readonly symbol: Asset
  readonly paidIn: {
    /** Credited to the balance; `beforeRegistering` is the part that arrived before the account was registered. */
    readonly deposits: bigint
    readonly beforeRegistering: bigint
    /** False credits that were undone. They are not counted in `deposits` any more. */
    readonly undone: bigint
    /** Paid on the chain for purchases, without passing through the balance. */
    readonly promotionsOnline: bigint
    readonly pledgesOnline: bigint
  }
  readonly received: ReadonlyMap<(typeof receivedTypes)[number], bigint>
  readonly spent: {
    readonly promotionsFromBalance: bigint
    readonly promotionsOnline: bigint
    /** Fees come on top of the transferred amount. They go to the pool, and part of a fee in BTN is burned. */
    readonly transferFees: bigint
    /** False credits that were undone and were no deposits. */
    readonly undone: bigint
  }
  /** The amount that arrived at the output address. */
  readonly takenOut: bigint
  /** All BTN ever pledged, and the part that has come back. It belonged to the member all the time. */
  readonly pledged: bigint
  readonly returned: bigint
  /** Available, frozen and pledged. */
  readonly held: bigint
}

type MemberHistory = {
  readonly sums: readonly MemberSum[]
  /** USDT. */
  readonly promotionsOnline: bigint
  readonly balances: MemberBalances
}

/**
 * Sorts a member's confirmed log lines into paid in, received, spent and taken out. Every change of what the member
 * holds counts in exactly one of these, so that they add up to what is held:
 *
 *     paid in + received − spent − taken out = held
 *
 * A promotion paid online passes no account of the member: it counts as paid in and as spent, which cancel out.
 * Freezing, unfreezing, pledging and returning move money between the member's own accounts and count in none of them.
 */
export function computeAccounts(history: MemberHistory): AccountTotals[] {
  return assets.map((symbol) => {
    const account = computeAccount(symbol, history)
    const { available, frozenOut, frozenOrder, pledged } = history.balances[symbol]
    const { paidIn, received, spent, takenOut, held } = computeFigures(account)
    const left = paidIn + received - spent - takenOut
    if (left !== held || held !== available + frozenOut + frozenOrder + pledged)
      throw new Error(`a statement in ${symbol} does not add up to the balances: ${left}, ${held}`)
    return account
  })
}

const sum = (amounts: Iterable<bigint>): bigint => Array.from(amounts).reduce((all, amount) => all + amount, 0n)

const figureNames = ['paidIn', 'received', 'spent', 'takenOut', 'held'] as const
/** The terms of the equation above computeAccounts(), in the same sequence. */
type Figures<Value = bigint> = { readonly [Name in (typeof figureNames)[number]]: Value }

const computeFigures = ({ paidIn, received, spent, takenOut, held }: AccountTotals): Figures => ({
  paidIn: paidIn.deposits + paidIn.promotionsOnline + paidIn.pledgesOnline,
  received: sum(received.values()),
  spent: sum(Object.values(spent)),
  takenOut,
  held,
})

const mapFigures = <Value>(compute: (name: keyof Figures) => Value): Figures<Value> => ({
  paidIn: compute('paidIn'),
  received: compute('received'),
  spent: compute('spent'),
  takenOut: compute('takenOut'),
  held: compute('held'),
})

const changeOfHeld = ({ amount, fee }: MemberSum): bigint => amount - fee

function computeAccount(symbol: Asset, { sums, balances, ...history }: MemberHistory): AccountTotals {
  const own = sums.filter(({ asset }) => asset === symbol)
  const sumOfType = (type: MemberSum['type']): bigint => sum(own.filter((one) => one.type === type).map(changeOfHeld))
  const promotionsOnline = symbol === 'USDT' ? history.promotionsOnline : 0n
  const returned = sumOfType('pledgeReturn')
  // Postings to `pledged` have no log line. What was pledged is still there or has been returned.
  const pledged = balances[symbol].pledged + returned
  const pledgesFromBalance = -sumOfType('createPledge')
  const beforeRegistering = sumOfType('suspenseCredit')
  const credited = sumOfType('transferIn') + beforeRegistering
  const allUndone = -sumOfType('reversal')
  const undone = least(allUndone, credited)
  const fees = sum(own.filter(({ type }) => type === 'transferOut').map(({ fee }) => fee))
  return {
    symbol,
    paidIn: {
      deposits: credited - undone,
      beforeRegistering,
      undone,
      promotionsOnline,
      pledgesOnline: pledged - pledgesFromBalance,
    },
    received: new Map(receivedTypes.map((type) => [type, sumOfType(type)])),
    spent: {
      promotionsFromBalance: -sumOfType('upLevelByBalance'),
      promotionsOnline,
      transferFees: fees,
      undone: allUndone - undone,
    },
    takenOut: -sumOfType('transferOut') - fees,
    pledged,
    returned,
    held: sum(own.map(changeOfHeld)) + balances[symbol].pledged,
  }
}

// ---- display --------------------------------------------------------------------------------------------------------

type Statement = Omit<DataOf<'wallet/statement'>, 'at'>

/**
 * Formats the statement: each asset in whole coins, and the total of all assets in USDT. An asset without a price is
 * left out of the total and listed in `without`; it does not count as zero.
 */
export function formatStatement(
  accounts: readonly AccountTotals[],
  balances: MemberBalances,
  prices: Holdings['prices'],
  decimals: Decimals,
): Statement {
  const valued = accounts.map((account) => ({
    symbol: account.symbol,
    values: computeUsdtFigures(account, prices, decimals),
  }))
  const total = roundToCents(valued.flatMap(({ values }) => values ?? []))
  const format = (cents: bigint): string => formatAmount(units('USDT', cents), CENT_PLACES)
  return {
    accounts: accounts.map((account) => formatAccount(account, balances, decimals)),
    total: {
      ...mapFigures((name) => format(total[name])),
      result: compareWithPaidIn(total, format),
      without: valued.filter(({ values }) => values === null).map(({ symbol }) => symbol),
    },
  }
}

const USDT_PRICE = { price: '1' }

/** Null if there is no usable price. An account with only zeros is worth zero even without a price. */
function computeUsdtFigures(
  account: AccountTotals,
  prices: Holdings['prices'],
  decimals: Decimals,
): Figures<ExactUsdtValue> | null {
  const { symbol } = account
  const figures = computeFigures(account)
  if (figureNames.every((name) => figures[name] === 0n)) return mapFigures(() => ({ value: 0n, places: 0 }))
  const price = symbol === 'USDT' ? USDT_PRICE : prices[symbol]
  if (!price || figureNames.some((name) => computeUsdtValue(symbol, figures[name], price, decimals) === null))
    return null
  return mapFigures((name) => computeExactUsdtValue(symbol, figures[name], price, decimals))
}

const CENT_PLACES = 2

/**
 * Adds up the figures and rounds them to cents so that the equation still holds. Each is off by less than a cent. If
 * all were rounded down, the two sides could differ by a cent or two. `held` is rounded down, as on the wallet page.
 * Where the equation needs a cent more, the figure with the largest remainder on that side is rounded up.
 */
export function roundToCents(valued: readonly Figures<ExactUsdtValue>[]): Figures {
  const places = Math.max(CENT_PLACES, ...valued.map(({ held }) => held.places))
  const cent = 10n ** BigInt(places - CENT_PLACES)
  const exact = mapFigures((name) =>
    sum(valued.map((one) => one[name].value * 10n ** BigInt(places - one[name].places))),
  )
  const cents = { ...mapFigures((name) => exact[name] / cent) }
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

function compareWithPaidIn({ paidIn, takenOut, held }: Figures, format: (amount: bigint) => string) {
  const takenOutAndHeld = takenOut + held
  const than = takenOutAndHeld > paidIn ? 'more' : takenOutAndHeld < paidIn ? 'less' : 'same'
  return {
    takenOutAndHeld: format(takenOutAndHeld),
    than,
    difference: format(takenOutAndHeld > paidIn ? takenOutAndHeld - paidIn : paidIn - takenOutAndHeld),
  } as const
}

function formatAccount(
  account: AccountTotals,
  balances: MemberBalances,
  decimals: Decimals,
): Statement['accounts'][number] {
  const { symbol, paidIn, received, spent, pledged, returned } = account
  const format = (value: bigint): string => formatAmount(units(symbol, value), decimals[symbol])
  const figures = computeFigures(account)
  const balance = balances[symbol]
  return {
    symbol,
    paidIn: {
      amount: format(figures.paidIn),
      deposits: format(paidIn.deposits),
      beforeRegistering: format(paidIn.beforeRegistering),
      undone: format(paidIn.undone),
      promotionsOnline: format(paidIn.promotionsOnline),
      pledgesOnline: format(paidIn.pledgesOnline),
    },
    received: {
      amount: format(figures.received),
      parts: Array.from(received)
        .filter(([, amount]) => amount > 0n)
        .map(([type, amount]) => ({ type, amount: format(amount) })),
    },
    spent: {
      amount: format(figures.spent),
      promotionsFromBalance: format(spent.promotionsFromBalance),
      promotionsOnline: format(spent.promotionsOnline),
      transferFees: format(spent.transferFees),
      undone: format(spent.undone),
    },
    takenOut: format(figures.takenOut),
    held: {
      amount: format(figures.held),
      available: format(balance.available),
      out: format(balance.frozenOut),
      order: format(balance.frozenOrder),
      pledged: format(balance.pledged),
    },
    principal: { pledged: format(pledged), returned: format(returned) },
    result: compareWithPaidIn(figures, format),
  }
}
