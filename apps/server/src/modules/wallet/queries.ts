import type { Asset, DayNumber } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import type { Address, Hex } from 'viem'
import { readClock } from '../../platform/clock/clock.ts'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { readInSnapshot } from '../../platform/db/read-in-snapshot.ts'
import { cutPage, rowsToRead } from '../../platform/http/page.ts'
import { loadIncoming, loadPrices, sumIncoming } from '../custody/index.ts'
import {
  type LogLine,
  type LogTime,
  readBalances,
  readBalancesAfter,
  readLastChanges,
  readLogLines,
  readMemberSums,
  readPeriodSums,
} from '../ledger/index.ts'
import { sumOnlinePayments, sumPromotionsPaidOnline } from '../orders/index.ts'
import type { Plan } from '../plan/index.ts'
import { readPaidTransfers, readQuotas } from '../transfer/index.ts'
import { formatIncomingLine, formatPostedLine, formatWallet } from './rules.ts'
import { computeAccounts, computePeriod, formatPeriod, formatStatement } from './statement.ts'

type Holder = { readonly memberId: bigint; readonly account: Address }

type DisplayOptions = { readonly decimals: Decimals; readonly priceMaxAgeSeconds: number; readonly plan: Plan | null }

export async function readAssets(
  db: Database,
  holder: Holder,
  { decimals, priceMaxAgeSeconds, plan }: DisplayOptions,
): Promise<DataOf<'wallet/assets'>> {
  // The worker moves a deposit from incoming to the ledger in one transaction, so both are read in one snapshot.
  const holdings = await readInSnapshot(db, async (snapshot) => ({
    balances: await readBalances(snapshot, holder.memberId),
    incoming: {
      USDT: await sumIncoming(snapshot, holder.account, 'USDT'),
      BTN: await sumIncoming(snapshot, holder.account, 'BTN'),
      BTC: await sumIncoming(snapshot, holder.account, 'BTC'),
    },
  }))
  const shown = {
    ...holdings,
    lastChanges: await readLastChanges(db, holder.memberId),
    prices: await loadPrices(db, priceMaxAgeSeconds),
    quotas: plan && (await readQuotas(db, holder.memberId, plan)),
  }
  return { ...formatWallet(shown, decimals), at: (await readClock(db)).toISOString() }
}

type LogQuery = {
  readonly symbol: Asset
  readonly type?: LogLine['type']
  readonly status?: LogLine['status']
  readonly tx?: string
  readonly within?: LogTime
  readonly before?: bigint
  readonly limit: number
}

/** All incoming deposits are at the head of the first page, because they are few. `limit` does not count them. */
export async function readLog(
  db: Database,
  holder: Holder,
  page: LogQuery,
  decimals: Decimals,
): Promise<DataOf<'wallet/log'>> {
  const { symbol, tx, limit } = page
  const { seen, posted } = await readInSnapshot(db, async (snapshot) => ({
    seen: includesIncoming(page)
      ? (await loadIncoming(snapshot, holder.account, symbol, tx as Hex | undefined)).filter(isWithin(page))
      : [],
    posted: await readPostedLines(snapshot, holder.memberId, page),
  }))
  const { page: shown, next } = cutPage(posted, limit, ({ id }) => id)
  const paidBy = await readPaidTransfers(
    db,
    shown.filter(({ type }) => type === 'transferOut').map(({ operation }) => operation),
  )
  const balances = await readBalancesAfter(db, { member: holder.memberId, asset: symbol }, shown)
  return {
    lines: [
      ...seen.map((deposit) => formatIncomingLine(deposit, symbol, decimals)),
      ...shown.map((line) => formatPostedLine(line, symbol, decimals, { paidBy, balanceAfter: balances.get(line.id) })),
    ],
    next,
  }
}

const includesIncoming = ({ before, type = 'transferIn', status = 'confirming' }: LogQuery): boolean =>
  before === undefined && type === 'transferIn' && status === 'confirming'

const isWithin =
  ({ within }: LogQuery) =>
  ({ seenAt }: { readonly seenAt: Date }): boolean =>
    within === undefined || (within.from <= seenAt && seenAt < within.until)

async function readPostedLines(
  db: Database,
  member: bigint,
  { symbol, tx, limit, ...filters }: LogQuery,
): Promise<LogLine[]> {
  const query = { ...filters, member, asset: symbol, limit: rowsToRead(limit) }
  if (tx === undefined) return readLogLines(db, query)
  // Only deposits can be found by their chain transaction, because the index by operation covers only deposits.
  if (filters.type !== undefined && filters.type !== 'transferIn') return []
  return readLogLines(db, { ...query, type: 'transferIn', operationPrefix: `${tx}:` })
}

/** The totals of a member's whole history, read in one snapshot so that they add up to the balances. */
export async function readStatement(
  db: Database,
  { memberId }: Holder,
  { decimals, priceMaxAgeSeconds }: Omit<DisplayOptions, 'plan'>,
): Promise<DataOf<'wallet/statement'>> {
  const { at, ...history } = await readInSnapshot(db, async (snapshot) => ({
    at: await readClock(snapshot),
    sums: await readMemberSums(snapshot, memberId),
    promotionsOnline: await sumPromotionsPaidOnline(snapshot, memberId),
    balances: await readBalances(snapshot, memberId),
  }))
  const shown = formatStatement(
    computeAccounts(history),
    history.balances,
    await loadPrices(db, priceMaxAgeSeconds),
    decimals,
  )
  return { at: at.toISOString(), ...shown }
}

/** The statement of the days from `from` to `to`, read in one snapshot so that it adds up to the balances. */
export async function readPeriod(
  db: Database,
  { memberId }: Holder,
  period: { readonly from: DayNumber; readonly to: DayNumber },
  decimals: Decimals,
): Promise<Pick<DataOf<'wallet/period'>, 'at' | 'accounts'>> {
  const { at, ...history } = await readInSnapshot(db, async (snapshot) => ({
    at: await readClock(snapshot),
    sums: await readPeriodSums(snapshot, memberId, period),
    online: await sumOnlinePayments(snapshot, memberId, period),
    balances: await readBalances(snapshot, memberId),
  }))
  return { at: at.toISOString(), accounts: formatPeriod(computePeriod(history), decimals) }
}
