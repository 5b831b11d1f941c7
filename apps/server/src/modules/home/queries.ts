import { type Asset, formatAmount } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { sql } from 'kysely'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { loadPrices } from '../custody/index.ts'
import {
  airdropsSql,
  balancesSql,
  type MemberBalances,
  parseBalances,
  type ReceivedDay,
  receivedDaysSql,
} from '../ledger/index.ts'
import { duePartnerRewardSql } from '../partner/index.ts'
import { levelAt, type Plans } from '../plan/index.ts'
import { countsFromSql, dueDividendsSql, formatBtn, type LastShare, lastShareSql } from '../pledge/index.ts'
import { formatCollectable, formatEarned, formatHave, formatLastShare, MONTH_DAYS } from './rules.ts'

type HomeOptions = { readonly decimals: Decimals; readonly priceMaxAgeSeconds: number; readonly plans: Plans }

/**
 * Everything of the member's own part of the home page, in two statements; a third one reads a plan version that this
 * process has not read before. The member's figures are from one statement, so they agree with each other: what was
 * collected in between is not shown both as held and as waiting.
 */
export async function readHome(
  db: Database,
  member: bigint,
  { decimals, priceMaxAgeSeconds, plans }: HomeOptions,
): Promise<DataOf<'account/home'>> {
  const row = await readHomeRow(db, member)
  const prices = await loadPrices(db, priceMaxAgeSeconds)
  const balances = parseBalances(row.balances)
  const all = { USDT: BigInt(row.usdt_in_all), BTN: BigInt(row.btn_in_all), BTC: BigInt(row.btc_in_all) }
  return {
    at: row.now.toISOString(),
    have: formatHave(balances, prices, decimals),
    earned: formatEarned({ today: row.today, days: row.received, all }, prices, decimals),
    collect: formatCollectable(
      {
        dividends: BigInt(row.due_dividends),
        thanksgiving: balances.USDT.agentUnclaimed,
        partner: BigInt(row.due_partner_reward),
      },
      decimals,
    ),
    countsFrom: row.counts_from,
    last: row.last && formatLastShare(row.last, decimals),
    steps: row.has_pledged ? null : await readSteps(db, row, { balances, decimals, plans }),
  }
}

type HomeRow = {
  now: Date
  today: number
  level: number
  plan_version: number | null
  has_password: boolean
  has_pledged: boolean
  balances: { id: string; balance: string }[]
  received: ReceivedDay[]
  usdt_in_all: string
  btn_in_all: string
  btc_in_all: string
  due_dividends: string
  due_partner_reward: string
  counts_from: number | null
  last: LastShare | null
}

/**
 * The work does not grow with the member's history. Totals come from tallies, days from the kept sums of the last 30
 * days, and pledges are read only while they run or are not settled.
 */
async function readHomeRow(db: Database, member: bigint): Promise<HomeRow> {
  const { rows } = await buildHomeQuery(member).execute(db)
  const [row] = rows
  if (!row) throw new Error('the session has no member')
  return row
}

export const buildHomeQuery = (member: bigint) => sql<HomeRow>`
  select lode.now() as now, lode.day_of(lode.now()) as today, member.level, lode.plan_in_force() as plan_version,
         (own.chosen_at is not null or own.reset_ends_at <= lode.now()) is true as has_password,
         exists (select from lode.pledge where member_id = member.id) as has_pledged,
         ${balancesSql(member)} as balances,
         ${receivedDaysSql(member, MONTH_DAYS)} as received,
         coalesce(tally.income, 0) + coalesce(partner_paid.paid, 0) as usdt_in_all,
         ${airdropsSql(member)} as btn_in_all,
         coalesce(dividends.paid, 0) as btc_in_all,
         ${dueDividendsSql(member)} as due_dividends,
         ${duePartnerRewardSql(member)} as due_partner_reward,
         ${countsFromSql(member)} as counts_from,
         ${lastShareSql(member)} as last
  from lode.member
  left join lode.protection own on own.member_id = member.id
  left join lode.promotion_tally tally on tally.member_id = member.id
  left join lode.partner_paid on partner_paid.member_id = member.id
  left join lode.dividend_tally dividends on dividends.member_id = member.id
  where member.id = ${member}`

type StepsContext = Pick<HomeOptions, 'decimals' | 'plans'> & { readonly balances: MemberBalances }

async function readSteps(
  db: Database,
  row: HomeRow,
  { balances, decimals, plans }: StepsContext,
): Promise<DataOf<'account/home'>['steps']> {
  const plan = row.plan_version === null ? undefined : await plans.byVersion(db, row.plan_version)
  const holds = (asset: Asset): boolean => {
    const { available, frozenOut, frozenOrder } = balances[asset]
    return available + frozenOut + frozenOrder > 0n
  }
  return {
    fundPassword: row.has_password,
    money: row.level > 0 || holds('USDT') || holds('BTN'),
    level: row.level > 0,
    price: plan ? formatAmount(levelAt(plan, 1).price, decimals.USDT) : null,
    pledgeAbove: plan ? formatBtn(plan.pledgeAbove, decimals) : null,
  }
}
