import { addDays, type DayNumber, dayOf, ok, parseAmount, refused, startOfDay } from '@lode/kernel'
import type { Hex } from 'viem'
import type { ChainConfig } from '../../platform/config/config.ts'
import { decimalsOf } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/mount.ts'
import type { Plans } from '../plan/index.ts'
import { readAssets, readLog, readPeriod, readStatement } from './queries.ts'
import { listUnseenReports, reportDeposit } from './reported-deposits.ts'

/** After every line of the log. */
const END_OF_TIME = new Date('2200-01-01T00:00:00Z')

const readDay = (calendarDay: string): DayNumber => dayOf(new Date(`${calendarDay}T00:00:00Z`))

type WalletRoutesOptions = { chain: ChainConfig; db: Database; plans: Plans }

export function mountWallet(mount: Mount, { chain, db, plans }: WalletRoutesOptions): void {
  const decimals = decimalsOf(chain.contracts)
  const { priceMaxAgeSeconds } = chain

  mount('wallet/assets', async ({ session }) =>
    ok(await readAssets(db, session, { decimals, priceMaxAgeSeconds, plan: await plans.inForce(db) })),
  )

  mount('wallet/log', async ({ input, page, session }) => {
    const { symbol, type, status, tx, from, to } = input
    const within = (from || to) && {
      from: from ? startOfDay(readDay(from)) : new Date(0),
      until: to ? startOfDay(addDays(readDay(to), 1)) : END_OF_TIME,
    }
    const filters = { ...(type && { type }), ...(status && { status }), ...(tx && { tx }), ...(within && { within }) }
    return ok(await readLog(db, session, { symbol, ...page, ...filters }, decimals))
  })

  mount(
    'wallet/report-sent',
    async ({ session, input: { symbol, amount, tx } }) => {
      const reported = parseAmount(symbol, decimals[symbol], amount)
      if (!reported.ok || reported.value === 0n) return refused('format')
      await reportDeposit(db, session, { asset: symbol, amount: reported.value, tx: tx as Hex })
      return ok({ tx })
    },
    { limit: { kind: 'depositReports' } },
  )

  mount('wallet/sent', async ({ session, input }) => ok(await listUnseenReports(db, session, input.symbol, decimals)))

  mount('wallet/statement', async ({ session }) =>
    ok(await readStatement(db, session, { decimals, priceMaxAgeSeconds })),
  )

  mount('wallet/period', async ({ session, input: { from, to } }) => {
    const period = { from: readDay(from), to: readDay(to) }
    if (period.to < period.from) return refused('format')
    return ok({ from, to, ...(await readPeriod(db, session, period, decimals)) })
  })
}
