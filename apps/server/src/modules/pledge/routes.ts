import { ok, parseAmount, refused } from '@lode/kernel'
import { orderTypes } from '@lode/wire'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/mount.ts'
import { pageBeforeRow } from '../../platform/http/page.ts'
import type { Operators } from '../operators/index.ts'
import { readOrder, type ShowingOrders } from '../orders/index.ts'
import type { Plans } from '../plan/index.ts'
import type { PasswordHashing } from '../protection/index.ts'
import { collectProduction, orderPledge } from './commands.ts'
import { inBtc, listDays, listOwnDays, listRecords, readOverview } from './queries.ts'

type PledgeRoutes = {
  db: Database
  plans: Plans
  /** Used only for display. */
  operators: Operators
  hashing: PasswordHashing
  showing: ShowingOrders
  quotesAreTaken: () => boolean
}

export function mountPledge(
  mount: Mount,
  { db, plans, operators, hashing, showing, quotesAreTaken }: PledgeRoutes,
): void {
  const { decimals } = showing

  mount('pledge/overview', async ({ session }) =>
    ok(await readOverview(db, session.memberId, await plans.inForce(db), { plans, operators, orders: showing })),
  )

  mount(
    'pledge/order',
    async ({ session, input }) => {
      const { key, planVersion, termDays, password = null } = input
      const balancePart = parseAmount('BTN', decimals.BTN, input.balancePart)
      // A password that is not needed is refused, so that none is verified for nothing.
      if (!balancePart.ok || (password === null) !== (balancePart.value === 0n)) return refused('format')
      const order = { key, planVersion, termDays, password, balancePart: balancePart.value }
      const made = await orderPledge(
        { db, hashing, plans, decimals, session, quotesAreTaken },
        { ...order, quantity: BigInt(input.quantity) },
      )
      if (!made.ok) return made
      const shown = await readOrder(db, session.memberId, made.value, showing)
      if (shown?.type !== orderTypes.pledge) throw new Error(`order ${made.value} was made and is not there`)
      return ok(shown)
    },
    // Limited, because each call may cost a password verification.
    { limit: { kind: 'protecting', when: ({ password }) => password !== undefined } },
  )

  mount('pledge/records', async ({ session, input }) => {
    const page = pageBeforeRow(input)
    if (!page) return refused('format')
    const { status } = input
    return ok(await listRecords(db, session.memberId, { ...page, ...(status && { status }) }, decimals))
  })

  mount('pledge/days', async ({ session, input }) => {
    const page = pageBeforeDay(input)
    return page ? ok(await listOwnDays(db, session.memberId, page, decimals)) : refused('format')
  })

  mount('pledge/collect', async ({ session, input }) => {
    const collected = await collectProduction({ db, session }, input)
    return collected.ok ? ok({ amount: inBtc(BigInt(collected.value), decimals) }) : collected
  })

  mount('pool/days', async ({ input }) => {
    const page = pageBeforeDay(input)
    return page ? ok(await listDays(db, page, decimals)) : refused('format')
  })
}

function pageBeforeDay(input: Parameters<typeof pageBeforeRow>[0]): { before?: number; limit: number } | null {
  const page = pageBeforeRow(input)
  if (!page) return null
  const { before, limit } = page
  if (before === undefined) return { limit }
  return before <= MOST_DAYS ? { before: Number(before), limit } : null
}

/** The most that the database column can hold. */
const MOST_DAYS = 2n ** 31n - 1n
