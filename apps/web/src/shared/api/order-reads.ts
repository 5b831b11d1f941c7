import type { RouteName } from '@lode/wire'

/** The reads that the app repeats after an order has changed: orders, levels, balances, the overview of the team. */
export const ORDER_READS = [
  'order/detail',
  'order/list',
  'order/payments',
  'promotion/overview',
  'promotion/rewards',
  'pledge/overview',
  'pledge/records',
  'wallet/assets',
  'wallet/log',
  'account/home',
  'account/income',
  'account/profile',
  'team/overview',
] as const satisfies RouteName[]
