import { type Asset, assets, formatAmount, units } from '@lode/kernel'
import { type DataOf, receivedTypes } from '@lode/wire'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { MemberBalances, MemberSum } from '../ledger/index.ts'
import { type Holdings, worth } from './rules.ts'

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
  /** Prices of promotions, online and from the balance. */
  readonly promotions: bigint
  /** What arrived at the output address, and the fees for it. */
  readonly transferredOut: bigint
  readonly fees: bigint
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
 * The books of one member, told as what was paid in, what was received and what left. Every posting of what the member holds counts in
 * exactly one of these, so that they add up to what is held:
 *
 *     paid in + received − promotions − transferred out − fees = held
 *
 * What is put aside, released, pledged and returned moves from one account of the member's to another and is in none of them.
 */
export function accountsOf(history: History): Account[] {
  return assets.map((symbol) => {
    const account = accountOf(symbol, history)
    const { available, frozenOut, frozenOrder, pledged } = history.balances[symbol]
    if (inAll(account) !== account.held || account.held !== available + frozenOut + frozenOrder + pledged)
      throw new Error(`a statement in ${symbol} does not add up to the balances: ${inAll(account)}, ${account.held}`)
    return account
  })
}

const sum = (amounts: Iterable<bigint>): bigint => Array.from(amounts).reduce((all, amount) => all + amount, 0n)

const paidInSum = ({ paidIn }: Account): bigint => paidIn.deposits + paidIn.promotionsOnline + paidIn.pledgesOnline
const receivedSum = ({ received }: Account): bigint => sum(received.values())

const inAll = (account: Account): bigint =>
  paidInSum(account) + receivedSum(account) - account.promotions - account.transferredOut - account.fees

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
      ...{ deposits: under('transferIn') + beforeRegistering, beforeRegistering },
      ...{ promotionsOnline, pledgesOnline: pledged - pledgesFromBalance },
    },
    received: new Map(receivedTypes.map((type) => [type, under(type)])),
    promotions: promotionsOnline - under('upLevelByBalance'),
    ...{ transferredOut: -under('transferOut') - fees[symbol], fees: fees[symbol] },
    ...{ pledged, returned: under('pledgeReturn') },
    held: of(() => true),
  }
}

// ---- as it is shown ----------------------------------------------------------------------------------------------------

type Statement = Omit<DataOf<'wallet/statement'>, 'at'>

const columns = {
  paidIn: paidInSum,
  received: receivedSum,
  transferredOut: ({ transferredOut }: Account) => transferredOut,
  held: ({ held }: Account) => held,
} as const
type Column = keyof typeof columns
const columnNames = Object.keys(columns) as Column[]

/** In whole coins, and in all in USDT. What has no price is left out of that and named: not counted as nothing. */
export function statementOf(
  accounts: readonly Account[],
  balances: MemberBalances,
  prices: Holdings['prices'],
  decimals: Decimals,
): Statement {
  const total: Record<Column, bigint> = { paidIn: 0n, received: 0n, transferredOut: 0n, held: 0n }
  const without: Asset[] = []
  for (const account of accounts) {
    const values = columnNames.map((name) => [name, inUsdt(account.symbol, columns[name](account))] as const)
    if (values.some(([, value]) => value === null)) without.push(account.symbol)
    else for (const [name, value] of values) total[name] += value ?? 0n
  }
  const usdt = (value: bigint): string => formatAmount(units('USDT', value), decimals.USDT)
  return {
    accounts: accounts.map((account) => accountShown(account, balances, decimals)),
    total: {
      ...{ paidIn: usdt(total.paidIn), received: usdt(total.received) },
      ...{ transferredOut: usdt(total.transferredOut), held: usdt(total.held) },
      ...{ net: netOf(total.paidIn, total.transferredOut, usdt), without },
    },
  }

  /** Nothing is worth nothing, also without a price. */
  function inUsdt(symbol: Asset, amount: bigint): bigint | null {
    if (symbol === 'USDT' || amount === 0n) return amount
    const price = prices[symbol]
    return price && worth(symbol, amount, price, decimals)
  }
}

const netOf = (paidIn: bigint, transferredOut: bigint, shown: (amount: bigint) => string) =>
  transferredOut > paidIn
    ? ({ direction: 'out', amount: shown(transferredOut - paidIn) } as const)
    : ({ direction: 'in', amount: shown(paidIn - transferredOut) } as const)

function accountShown(account: Account, balances: MemberBalances, decimals: Decimals): Statement['accounts'][number] {
  const { symbol, paidIn, received, promotions, transferredOut, fees, pledged, returned, held } = account
  const shown = (value: bigint): string => formatAmount(units(symbol, value), decimals[symbol])
  const now = balances[symbol]
  return {
    symbol,
    paidIn: {
      ...{ amount: shown(paidInSum(account)), deposits: shown(paidIn.deposits) },
      beforeRegistering: shown(paidIn.beforeRegistering),
      ...{ promotionsOnline: shown(paidIn.promotionsOnline), pledgesOnline: shown(paidIn.pledgesOnline) },
    },
    received: {
      amount: shown(receivedSum(account)),
      parts: Array.from(received)
        .filter(([, amount]) => amount > 0n)
        .map(([type, amount]) => ({ type, amount: shown(amount) })),
    },
    ...{ promotions: shown(promotions), transferredOut: shown(transferredOut), fees: shown(fees) },
    held: {
      ...{ amount: shown(held), available: shown(now.available), out: shown(now.frozenOut) },
      ...{ order: shown(now.frozenOrder), pledged: shown(now.pledged) },
    },
    principal: { pledged: shown(pledged), returned: shown(returned) },
    net: netOf(paidInSum(account), transferredOut, shown),
  }
}
