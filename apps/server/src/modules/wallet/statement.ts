import { type Asset, assets, formatAmount, least, units } from '@lode/kernel'
import { type DataOf, receivedTypes } from '@lode/wire'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { MemberBalances, MemberSum, PeriodPart } from '../ledger/index.ts'
import type { OnlinePayments } from '../orders/index.ts'
import { computeExactUsdtValue, computeUsdtValue, type ExactUsdtValue, type Holdings } from './rules.ts'

/** Where a member's changes in one asset count, in smallest units. */
type Flows = {
  readonly paidIn: {
    /** Credited to the balance; `beforeRegistering` is the part that arrived before the account was registered. */
    readonly deposits: bigint
    readonly beforeRegistering: bigint
    /** False credits that were undone. They are not counted in `deposits` any more. Always 0 in a period. */
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
    /** False credits that were undone and were no deposits. In a period: all that were undone. */
    readonly undone: bigint
  }
  /** The amount that arrived at the output address. */
  readonly takenOut: bigint
}

/** A member's totals in one asset, in smallest units. */
type AccountTotals = Flows & {
  readonly symbol: Asset
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

const computeFigures = ({ held, ...flows }: AccountTotals): Figures => ({ ...sumFlows(flows), held })

const sumFlows = ({ paidIn, received, spent, takenOut }: Flows): Omit<Figures, 'held'> => ({
  paidIn: paidIn.deposits + paidIn.promotionsOnline + paidIn.pledgesOnline,
  received: sum(received.values()),
  spent: sum(Object.values(spent)),
  takenOut,
})

const mapFigures = <Value>(compute: (name: keyof Figures) => Value): Figures<Value> => ({
  paidIn: compute('paidIn'),
  received: compute('received'),
  spent: compute('spent'),
  takenOut: compute('takenOut'),
  held: compute('held'),
})

const changeOfHeld = ({ amount, fee }: MemberSum): bigint => amount - fee

const sumOfType = (own: readonly MemberSum[], type: MemberSum['type']): bigint =>
  sum(own.filter((one) => one.type === type).map(changeOfHeld))

function computeAccount(symbol: Asset, { sums, balances, promotionsOnline }: MemberHistory): AccountTotals {
  const own = sums.filter(({ asset }) => asset === symbol)
  const returned = sumOfType(own, 'pledgeReturn')
  // Postings to `pledged` have no log line. What was pledged is still there or has been returned.
  const pledged = balances[symbol].pledged + returned
  const pledgesFromBalance = -sumOfType(own, 'createPledge')
  return {
    symbol,
    ...computeFlows(own, {
      promotions: symbol === 'USDT' ? promotionsOnline : 0n,
      pledges: pledged - pledgesFromBalance,
    }),
    pledged,
    returned,
    held: sum(own.map(changeOfHeld)) + balances[symbol].pledged,
  }
}

/** Sorts the sums of one asset, and what was paid online in it. */
function computeFlows(own: readonly MemberSum[], online: OnlinePayments): Flows {
  const beforeRegistering = sumOfType(own, 'suspenseCredit')
  const credited = sumOfType(own, 'transferIn') + beforeRegistering
  const allUndone = -sumOfType(own, 'reversal')
  const undone = least(allUndone, credited)
  const fees = sum(own.filter(({ type }) => type === 'transferOut').map(({ fee }) => fee))
  return {
    paidIn: {
      deposits: credited - undone,
      beforeRegistering,
      undone,
      promotionsOnline: online.promotions,
      pledgesOnline: online.pledges,
    },
    received: new Map(receivedTypes.map((type) => [type, sumOfType(own, type)])),
    spent: {
      promotionsFromBalance: -sumOfType(own, 'upLevelByBalance'),
      promotionsOnline: online.promotions,
      transferFees: fees,
      undone: allUndone - undone,
    },
    takenOut: -sumOfType(own, 'transferOut') - fees,
  }
}

// ---- a period -------------------------------------------------------------------------------------------------------

type PeriodHistory = {
  readonly sums: Readonly<Record<PeriodPart, readonly MemberSum[]>>
  readonly online: Readonly<Record<PeriodPart, OnlinePayments>>
  readonly balances: MemberBalances
}

/** What a member held in one asset before and after a period, and what changed in it. */
type PeriodTotals = Flows & { readonly symbol: Asset; readonly opening: bigint; readonly closing: bigint }

/**
 * The statement of a period, in which opening + paid in + received − spent − taken out = closing. What changed before,
 * in and after the period must add up to the balances.
 */
export function computePeriod({ sums, online, balances }: PeriodHistory): PeriodTotals[] {
  return assets.map((symbol) => {
    const flowsOf = (part: PeriodPart): Flows =>
      computeFlows(
        sums[part].filter(({ asset }) => asset === symbol),
        {
          promotions: symbol === 'USDT' ? online[part].promotions : 0n,
          pledges: symbol === 'BTN' ? online[part].pledges : 0n,
        },
      )
    const within = countUndoneAsSpent(flowsOf('within'))
    const opening = changeBy(flowsOf('before'))
    const closing = opening + changeBy(within)
    const { available, frozenOut, frozenOrder, pledged } = balances[symbol]
    const held = closing + changeBy(flowsOf('after'))
    if (held !== available + frozenOut + frozenOrder + pledged)
      throw new Error(`a statement of a period in ${symbol} does not add up to the balances: ${held}`)
    return { symbol, ...within, opening, closing }
  })
}

/**
 * The false credit can be of an earlier period. If its undoing were taken off the deposits of this one, real deposits
 * would be missing.
 */
const countUndoneAsSpent = ({ paidIn, spent, ...others }: Flows): Flows => ({
  ...others,
  paidIn: { ...paidIn, deposits: paidIn.deposits + paidIn.undone, undone: 0n },
  spent: { ...spent, undone: spent.undone + paidIn.undone },
})

function changeBy(flows: Flows): bigint {
  const { paidIn, received, spent, takenOut } = sumFlows(flows)
  return paidIn + received - spent - takenOut
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
  const { symbol, pledged, returned } = account
  const format = (value: bigint): string => formatAmount(units(symbol, value), decimals[symbol])
  const figures = computeFigures(account)
  const balance = balances[symbol]
  return {
    symbol,
    ...formatFlows(account, format),
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

function formatFlows(flows: Flows, format: (value: bigint) => string) {
  const { paidIn, received, spent, takenOut } = flows
  const figures = sumFlows(flows)
  return {
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
    takenOut: format(takenOut),
  }
}

export const formatPeriod = (
  totals: readonly PeriodTotals[],
  decimals: Decimals,
): DataOf<'wallet/period'>['accounts'] =>
  totals.map(({ symbol, opening, closing, ...flows }) => {
    const format = (value: bigint): string => formatAmount(units(symbol, value), decimals[symbol])
    return { symbol, opening: format(opening), ...formatFlows(flows, format), closing: format(closing) }
  })
