import type { RouteName } from '@lode/wire'

/** Every read whose answer an order can change: orders, levels, balances, the team. */
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
  'account/profile',
  'team/overview',
] as const satisfies RouteName[]
