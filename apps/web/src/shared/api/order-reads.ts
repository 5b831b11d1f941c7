import type { RouteName } from '@lode/wire'

/** Whatever tells of orders and of what comes of them: levels, balances, the team. */
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
