import type { ScriptedAction } from './member-scripts.ts'

/**
 * The accounts that a viewer can use: accounts of the development wallet in interesting states. What other members do
 * is random. What these do is written here, so that every kind of event happens in a demo of any size.
 */
export type Role = {
  readonly name: string
  /**
   * The account's index in the development wallet. The second account, that wallet's default, stays free for a
   * registration.
   */
  readonly place: number
  readonly shows: string
  /** When it registers, as a fraction of all days, and its inviter: the first member, if none is named. */
  readonly joins: number
  readonly invitedBy?: string
  /** One in this many of the other members uses its invitation, counted from the second number. */
  readonly invites: readonly [everyOf: number, from: number] | null
  /** Its wallet gives the vault an unlimited allowance. All others approve exactly the amount of each payment. */
  readonly hasUnlimitedAllowance?: true
  actions(at: (part: number) => number): ScriptedAction[]
}

/** The fund password of every account that has one. */
export const CAST_PASSWORD = 'Quarry58'

const promotions = (days: readonly number[]): ScriptedAction[] =>
  days.map((day, step) => ({ day, kind: 'promotion', level: step + 1, method: 'online', ending: 'paid' }))

const collects = (days: readonly number[]): ScriptedAction[] => days.map((day) => ({ day, kind: 'collect' }))

/** In order of registration within a day. The first three below the first member are those who invite most. */
export const cast = [
  {
    name: 'first',
    place: 0,
    joins: 0,
    invites: [50, 7],
    shows: 'the pool’s first member, and a partner: everybody is below it, its part of every promotion is collected',
    actions: (at) => [
      ...promotions([0, 1, 2, 3, 4]),
      { day: 0, kind: 'pledge', quantity: 700_000, termDays: 180, method: 'online', ending: 'paid' },
      { day: at(0.72), kind: 'apply' },
      ...[0.8, 0.9].map((part): ScriptedAction => ({ day: at(part), kind: 'collectAsPartner' })),
      ...collects([at(0.4), at(0.8)]),
    ],
  },
  {
    name: 'new',
    place: 2,
    joins: 1,
    invitedBy: 'activated',
    invites: null,
    shows: 'registered yesterday and has nothing yet: the explanation of risks, the first steps, every list empty',
    actions: () => [],
  },
  {
    name: 'activated',
    place: 3,
    joins: 0.1,
    invites: [10, 3],
    shows:
      'level 1: a team, rewards that came and rewards that were missed and why, a pledge, an order that waits for its payment',
    actions: (at) => [
      // Deposited before it was a member. The pool kept the money and credited it at registration.
      { day: at(0.05), kind: 'deposit', asset: 'USDT', amount: '160' },
      { day: at(0.11), kind: 'promotion', level: 1, method: 'online', ending: 'expired' },
      { day: at(0.14), kind: 'promotion', level: 1, method: 'mixed', ending: 'paid' },
      { day: at(0.2), kind: 'pledge', quantity: 11_000, termDays: 90, method: 'balance', ending: 'paid' },
      ...collects([at(0.5), at(0.9)]),
      { day: at(1), kind: 'promotion', level: 2, method: 'online', ending: 'open' },
    ],
  },
  {
    name: 'expert',
    place: 4,
    joins: 0,
    invites: [10, 2],
    hasUnlimitedAllowance: true,
    shows:
      'a sharing expert: Thanksgiving rewards that it claimed and some that wait to be; the only one that gave an unlimited allowance',
    actions: (at) => [
      ...promotions([0, 1, 2, 3]),
      { day: 1, kind: 'pledge', quantity: 500_000, termDays: 360, method: 'online', ending: 'paid' },
      ...[0.3, 0.5, 0.7, 0.85].map((part): ScriptedAction => ({ day: at(part), kind: 'claim' })),
    ],
  },
  {
    name: 'ready',
    place: 5,
    joins: 0,
    invites: [5, 0],
    shows: 'level 5 with five full layers: everything that a partner needs, and has not applied',
    // Its first promotion is not before its first invitee's, so it missed a reward.
    actions: (at) => [
      ...promotions([1, at(0.1), at(0.2), at(0.35), at(0.5)]),
      { day: at(0.1), kind: 'pledge', quantity: 600_000, termDays: 360, method: 'online', ending: 'paid' },
    ],
  },
  {
    name: 'applicant',
    place: 8,
    joins: 0,
    invites: [5, 1],
    shows: 'five full layers, and an application for partnership that waits for the operators',
    actions: (at) => [
      ...promotions([0, at(0.1), at(0.2), at(0.35), at(0.5)]),
      { day: at(0.2), kind: 'pledge', quantity: 600_000, termDays: 180, method: 'online', ending: 'paid' },
      { day: at(0.98), kind: 'apply' },
    ],
  },
  {
    name: 'pledger',
    place: 6,
    joins: 0,
    invitedBy: 'expert',
    invites: null,
    shows:
      'pledges of every term, running and ended, failed and open ones; a production every day, some of it to collect',
    actions: (at) => [
      // One promotion while its inviter, the expert, still claims, and one after the expert's last claim.
      ...promotions([0, 1, at(0.25), at(0.95)]),
      { day: 0, kind: 'pledge', quantity: 50_000, termDays: 30, method: 'online', ending: 'paid' },
      { day: 1, kind: 'pledge', quantity: 12_000, termDays: 30, method: 'balance', ending: 'paid' },
      { day: 5, kind: 'pledge', quantity: 50_000, termDays: 360, method: 'mixed', ending: 'paid' },
      { day: at(0.2), kind: 'pledge', quantity: 300_000, termDays: 90, method: 'online', ending: 'paid' },
      { day: at(0.3), kind: 'pledge', quantity: 25_000, termDays: 180, method: 'mixed', ending: 'cancelled' },
      { day: at(0.4), kind: 'pledge', quantity: 400_000, termDays: 180, method: 'online', ending: 'paid' },
      { day: at(0.6), kind: 'pledge', quantity: 90_000, termDays: 90, method: 'online', ending: 'expired' },
      ...collects([0.1, 0.25, 0.4, 0.55, 0.7, 0.8, 0.9].map(at)),
      { day: at(1), kind: 'pledge', quantity: 15_000, termDays: 30, method: 'online', ending: 'open' },
    ],
  },
  {
    name: 'disabled',
    place: 7,
    joins: 0.15,
    invites: null,
    shows: 'disabled by the operators: signs in to take its assets out and for nothing else, which it has begun',
    actions: (at) => [
      { day: at(0.15), kind: 'deposit', asset: 'USDT', amount: '400' },
      { day: at(0.2), kind: 'promotion', level: 1, method: 'balance', ending: 'paid' },
      // Not reviewed, so that it continues by itself after three days.
      { day: at(0.75), kind: 'transfer', asset: 'USDT', amount: '60', ending: 'held' },
      { day: at(1), kind: 'transfer', asset: 'USDT', amount: '100', ending: 'held' },
    ],
  },
  {
    name: 'sender',
    place: 9,
    joins: 0,
    invitedBy: 'ready',
    invites: null,
    shows:
      'transfers out in every symbol: arrived, cancelled, refused by an operator with the reason, and one under review',
    actions: (at) => [
      ...promotions([0, at(0.1), at(0.2), at(0.3), at(0.4)]),
      { day: at(0.1), kind: 'pledge', quantity: 700_000, termDays: 90, method: 'online', ending: 'paid' },
      { day: 1, kind: 'deposit', asset: 'USDT', amount: '30000' },
      { day: 2, kind: 'deposit', asset: 'BTC', amount: '0.5' },
      { day: 3, kind: 'deposit', asset: 'BTN', amount: '40000' },
      { day: at(0.2), kind: 'transfer', asset: 'USDT', amount: '250', ending: 'paid' },
      { day: at(0.3), kind: 'transfer', asset: 'BTN', amount: '5000', ending: 'paid' },
      { day: at(0.4), kind: 'transfer', asset: 'BTC', amount: '0.05', ending: 'paid' },
      { day: at(0.5), kind: 'transfer', asset: 'USDT', amount: '500', ending: 'cancelled' },
      { day: at(0.6), kind: 'transfer', asset: 'USDT', amount: '6000', ending: 'rejected' },
      { day: at(1), kind: 'transfer', asset: 'USDT', amount: '7500', ending: 'held' },
    ],
  },
] as const satisfies readonly Role[]

export type RoleName = (typeof cast)[number]['name']
