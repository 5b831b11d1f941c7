import type { CallOptions } from './call-plan.ts'
import { openPoolCaller } from './open-pool-caller.ts'
import { findOnlyFunder } from './vault-roles.ts'
import type { PoolContext } from './with-database.ts'

export const openFunder = (context: PoolContext, options: CallOptions): ReturnType<typeof openPoolCaller> =>
  openPoolCaller(context, options, {
    role: 'funder',
    findHolder: (node) => findOnlyFunder(context.db, node, context.contracts.vault),
  })
