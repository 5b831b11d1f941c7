import type * as z from 'zod/mini'
import type { Route } from './route.ts'
import { accountRoutes } from './routes/account.ts'
import { clientRoutes } from './routes/client.ts'
import { helpRoutes } from './routes/help.ts'
import { noticeRoutes } from './routes/notice.ts'
import { orderRoutes } from './routes/order.ts'
import { partnerRoutes } from './routes/partner.ts'
import { planRoutes } from './routes/plan.ts'
import { pledgeRoutes } from './routes/pledge.ts'
import { poolRoutes } from './routes/pool.ts'
import { promotionRoutes } from './routes/promotion.ts'
import { protectionRoutes } from './routes/protection.ts'
import { shareRoutes } from './routes/share.ts'
import { signRoutes } from './routes/sign.ts'
import { teamRoutes } from './routes/team.ts'
import { transferRoutes } from './routes/transfer.ts'
import { walletRoutes } from './routes/wallet.ts'

/** The whole API. The server mounts exactly these routes, the app calls them, and OpenAPI is generated from them. */
export const routes = {
  ...signRoutes,
  ...accountRoutes,
  ...protectionRoutes,
  ...poolRoutes,
  ...planRoutes,
  ...walletRoutes,
  ...transferRoutes,
  ...orderRoutes,
  ...teamRoutes,
  ...promotionRoutes,
  ...partnerRoutes,
  ...pledgeRoutes,
  ...noticeRoutes,
  ...helpRoutes,
  ...shareRoutes,
  ...clientRoutes,
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
export type RequestOf<Name extends RouteName> = z.input<(typeof routes)[Name]['request']>
export type DataOf<Name extends RouteName> = z.output<(typeof routes)[Name]['data']>
/** The refusals that a route lists; its handler can return no other. */
export type RefusalOf<Name extends RouteName> = (typeof routes)[Name]['refusals'][number]
