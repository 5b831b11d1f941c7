import { ok, parseAmount, refused } from '@lode/kernel'
import { orderTypes } from '@lode/wire'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/mount.ts'
import type { Operators } from '../operators/index.ts'
import { type OrderDisplayOptions, type PurchaseContext, readOrder } from '../orders/index.ts'
import type { Plans } from '../plan/index.ts'
import type { PasswordHashing } from '../protection/index.ts'
import { collectProduction, orderPledge } from './commands.ts'
import { formatBtc, listDays, listMemberDays, listRecords, readOverview } from './queries.ts'

type PledgeRoutesOptions = {
  db: Database
  plans: Plans
  /** Used only to show what the next day waits for. */
  operators: Operators
  hashing: PasswordHashing
  showing: OrderDisplayOptions
  onlineRefusal: PurchaseContext['onlineRefusal']
}

export function mountPledge(
  mount: Mount,
  { db, plans, operators, hashing, showing, onlineRefusal }: PledgeRoutesOptions,
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
      // A password is required if a part is paid from the balance. Otherwise it is refused, not verified for nothing.
      if (!balancePart.ok || (password === null) !== (balancePart.value === 0n)) return refused('format')
      const order = { key, planVersion, termDays, password, balancePart: balancePart.value }
      const made = await orderPledge(
        { db, hashing, plans, decimals, session, onlineRefusal },
        { ...order, quantity: BigInt(input.quantity) },
      )
      if (!made.ok) return made
      const shown = await readOrder(db, session.memberId, made.value, showing)
      if (shown?.type !== orderTypes.pledge) throw new Error(`order ${made.value} was just made and cannot be read`)
      return ok(shown)
    },
    // A call with a password is rate-limited, because it may run a slow password verification.
    { limit: { kind: 'protecting', when: ({ password }) => password !== undefined } },
  )

  mount('pledge/records', async ({ session, input, page }) => {
    const { status } = input
    return ok(await listRecords(db, session.memberId, { ...page, ...(status && { status }) }, decimals))
  })

  mount('pledge/days', async ({ session, page }) => ok(await listMemberDays(db, session.memberId, page, decimals)))

  mount('pledge/collect', async ({ session, input }) => {
    const collected = await collectProduction({ db, session }, input)
    return collected.ok ? ok({ amount: formatBtc(BigInt(collected.value), decimals) }) : collected
  })

  mount('pool/days', async ({ page }) => ok(await listDays(db, page, decimals)), { limit: { kind: 'publicReads' } })
}
