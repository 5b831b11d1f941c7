import { ok, parseAmount, type Result, refused } from '@lode/kernel'
import { getAddress, isAddress } from 'viem'
import type { ChainConfig } from '../../platform/config/config.ts'
import { decimalsOf } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Mount } from '../../platform/http/mount.ts'
import type { Session } from '../../platform/http/session.ts'
import type { Operators } from '../operators/index.ts'
import type { Plans } from '../plan/index.ts'
import type { PasswordHashing } from '../protection/index.ts'
import { cancelTransfer, orderTransfer } from './commands.ts'
import { readTerms, readTransfer } from './queries.ts'

type TransferRoutes = {
  db: Database
  chain: ChainConfig
  plans: Plans
  operators: Operators
  hashing: PasswordHashing
}

export function mountTransfer(mount: Mount, { db, chain, plans, operators, hashing }: TransferRoutes): void {
  const decimals = decimalsOf(chain.contracts)
  const context = { plans, operators, decimals }

  /**
   * The stored answer of a repeated command is only the order's id. The response shows the order as it is now: a
   * member who presses again after a broken connection wants to know where the money is.
   */
  async function withOrder<E>(session: Session, result: Result<string, E>) {
    if (!result.ok) return result
    const order = await readTransfer(db, session, result.value, context)
    if (!order) throw new Error(`order ${result.value} was made, but cannot be read`)
    return ok(order)
  }

  mount('transfer/terms', async ({ session }) => {
    const plan = await plans.inForce(db)
    return plan ? ok(await readTerms(db, session, plan, context)) : refused('plan-none')
  })

  mount(
    'transfer/order',
    async ({ session, input }) => {
      const { key, planVersion, symbol, password, address } = input
      const amount = parseAmount(symbol, decimals[symbol], input.amount)
      if (!amount.ok || amount.value === 0n || !isAddress(address)) return refused('format')
      const order = { key, planVersion, address: getAddress(address), asset: symbol, amount: amount.value, password }
      return withOrder(session, await orderTransfer({ db, hashing, plans, session }, order))
    },
    // Limited, because each call may cost a password verification.
    { limit: { kind: 'protecting' } },
  )

  mount('transfer/cancel', async ({ session, input }) =>
    withOrder(session, await cancelTransfer({ db, session }, input)),
  )
}
