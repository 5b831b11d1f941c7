import { POOL_DAYS } from './fill-pool.ts'

/** A member as seen in the loaded pools, see `fill-pool.ts`. Both have the same history in a pool of any size. */
export type Reader = { readonly id: number; readonly what: string }

/** A member with a full team of five layers and rewards, and one with a pledge. */
export const readers: readonly Reader[] = [
  { id: 17, what: 'buyer' },
  { id: 22, what: 'pledger' },
]

type Read = { readonly path: string; readonly parameters?: Readonly<Record<string, string>>; readonly isOpen?: true }

const DAY_MS = 86_400_000
const dateBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

/**
 * Every read of the API, as a screen of the app calls it, but `share/card`: the loaded members have no valid invitation
 * codes.
 */
export const reads: readonly Read[] = [
  { path: 'account/profile' },
  { path: 'account/home' },
  { path: 'account/income', parameters: { period: 'all' } },
  { path: 'account/sessions' },
  { path: 'account/security-log' },
  { path: 'wallet/assets' },
  { path: 'wallet/log', parameters: { symbol: 'USDT' } },
  { path: 'wallet/log', parameters: { symbol: 'BTN', limit: '100' } },
  { path: 'wallet/statement' },
  { path: 'wallet/period', parameters: { from: dateBefore(POOL_DAYS), to: dateBefore(1) } },
  { path: 'wallet/sent', parameters: { symbol: 'USDT' } },
  { path: 'promotion/overview' },
  { path: 'promotion/rewards' },
  { path: 'pledge/overview' },
  { path: 'pledge/records' },
  { path: 'pledge/days' },
  { path: 'transfer/terms' },
  { path: 'order/list', parameters: { type: '1' } },
  { path: 'order/list', parameters: { type: '2' } },
  { path: 'order/list', parameters: { type: '3' } },
  { path: 'order/payments' },
  { path: 'team/overview' },
  { path: 'team/net' },
  { path: 'team/invitations' },
  { path: 'partner/status' },
  { path: 'notice/list' },
  { path: 'help/list', parameters: { lang: 'en' } },
  { path: 'pool/figures', isOpen: true },
  { path: 'pool/days', isOpen: true },
  { path: 'pool/next-day', isOpen: true },
  { path: 'pool/chain', isOpen: true },
  { path: 'pool/payments', isOpen: true },
  { path: 'pool/announcements', isOpen: true },
  { path: 'plan/current', isOpen: true },
  { path: 'plan/history', isOpen: true },
]

export const nameOfRead = ({ path, parameters = {} }: Read): string =>
  [path, ...Object.values(parameters).filter((value) => !value.includes('-'))].join(' ')
