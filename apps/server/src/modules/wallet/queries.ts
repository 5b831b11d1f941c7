import type { Asset } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import type { Address, Hex } from 'viem'
import { readClock } from '../../platform/clock/clock.ts'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { inOneMoment } from '../../platform/db/one-moment.ts'
import { cutPage, oneBeyond } from '../../platform/http/page.ts'
import { incomingOf, incomingSum, prices } from '../custody/index.ts'
import { balances, feesPaid, type LogLine, lastChanges, logLines, memberSums } from '../ledger/index.ts'
import { promotionsPaidOnline } from '../orders/index.ts'
import type { Plan } from '../plan/index.ts'
import { paidTransfers, readQuotas } from '../transfer/index.ts'
import { postedLine, seenLine, walletOf } from './rules.ts'
import { accountsOf, statementOf } from './statement.ts'

type Holder = { readonly memberId: bigint; readonly account: Address }

type Terms = { readonly decimals: Decimals; readonly priceMaxAgeSeconds: number; readonly plan: Plan | null }

export async function readAssets(
  db: Database,
  holder: Holder,
  { decimals, priceMaxAgeSeconds, plan }: Terms,
): Promise<DataOf<'wallet/assets'>> {
  // The worker moves a deposit from incoming to the ledger in one transaction, so both are read in one snapshot.
  const holdings = await inOneMoment(db, async (moment) => ({
    balances: await balances(moment, holder.memberId),
    incoming: {
      USDT: await incomingSum(moment, holder.account, 'USDT'),
      BTN: await incomingSum(moment, holder.account, 'BTN'),
      BTC: await incomingSum(moment, holder.account, 'BTC'),
    },
  }))
  const shown = {
    ...holdings,
    lastChanges: await lastChanges(db, holder.memberId),
    prices: await prices(db, priceMaxAgeSeconds),
    quotas: plan && (await readQuotas(db, holder.memberId, plan)),
  }
  return { ...walletOf(shown, decimals), at: (await readClock(db)).toISOString() }
}

type LogPage = {
  readonly symbol: Asset
  readonly type?: LogLine['type']
  readonly status?: LogLine['status']
  readonly tx?: string
  readonly before?: bigint
  readonly limit: number
}

/** Incoming deposits are few, so all of them stand at the head of the first page. `limit` does not count them. */
export async function readLog(
  db: Database,
  holder: Holder,
  page: LogPage,
  decimals: Decimals,
): Promise<DataOf<'wallet/log'>> {
  const { symbol, tx, limit } = page
  const { seen, posted } = await inOneMoment(db, async (moment) => ({
    seen: mayHaveSeen(page) ? await incomingOf(moment, holder.account, symbol, tx as Hex | undefined) : [],
    posted: await booked(moment, holder.memberId, page),
  }))
  const { page: shown, next } = cutPage(posted, limit, ({ id }) => id)
  const paidBy = await paidTransfers(
    db,
    shown.filter(({ type }) => type === 'transferOut').map(({ operation }) => operation),
  )
  return {
    lines: [
      ...seen.map((deposit) => seenLine(deposit, symbol, decimals)),
      ...shown.map((line) => postedLine(line, symbol, decimals, paidBy)),
    ],
    next,
  }
}

const mayHaveSeen = ({ before, type = 'transferIn', status = 'confirming' }: LogPage): boolean =>
  before === undefined && type === 'transferIn' && status === 'confirming'

async function booked(db: Database, member: bigint, { symbol, tx, limit, ...filters }: LogPage): Promise<LogLine[]> {
  const query = { ...filters, member, asset: symbol, limit: oneBeyond(limit) }
  if (tx === undefined) return logLines(db, query)
  // A chain transaction brings a deposit, and the index by operation covers only deposits.
  if (filters.type !== undefined && filters.type !== 'transferIn') return []
  return logLines(db, { ...query, type: 'transferIn', operationPrefix: `${tx}:` })
}

/** The totals of a member's whole history, read in one snapshot so that they add up to the balances. */
export async function readStatement(
  db: Database,
  { memberId }: Holder,
  { decimals, priceMaxAgeSeconds }: Omit<Terms, 'plan'>,
): Promise<DataOf<'wallet/statement'>> {
  const { at, ...history } = await inOneMoment(db, async (moment) => ({
    at: await readClock(moment),
    sums: await memberSums(moment, memberId),
    fees: await feesPaid(moment, memberId),
    promotionsOnline: await promotionsPaidOnline(moment, memberId),
    balances: await balances(moment, memberId),
  }))
  const shown = statementOf(accountsOf(history), history.balances, await prices(db, priceMaxAgeSeconds), decimals)
  return { at: at.toISOString(), ...shown }
}
