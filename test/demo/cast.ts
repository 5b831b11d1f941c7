import type { Deed } from './lives.ts'

/**
 * Those whom one can be: accounts of the development wallet at points from which there is something to see. What the others do is drawn;
 * what these do is written here, so that every kind of thing happens in a world of any size.
 */
export type Role = {
  readonly name: string
  /** Its place in the development wallet. The second, which that wallet chooses by itself, is left to whoever wants to register. */
  readonly place: number
  readonly shows: string
  /** When it comes, as a part of all days, and who invites it: the first member, where nobody is named. */
  readonly joins: number
  readonly invitedBy?: string
  /** One in so many of the others comes by its invitation, counted from the second number. */
  readonly invites: readonly [everyOf: number, from: number] | null
  /** Its wallet lets the vault take any amount. Everybody else approves exactly what each payment takes. */
  readonly hasUnlimitedAllowance?: true
  deeds(at: (part: number) => number): Deed[]
}

/** The fund password of everybody who has one. */
export const CAST_PASSWORD = 'Lode2026'

const climb = (days: readonly number[]): Deed[] =>
  days.map((day, step) => ({ day, kind: 'promotion', level: step + 1, method: 'online', ending: 'paid' }))

const collects = (days: readonly number[]): Deed[] => days.map((day) => ({ day, kind: 'collect' }))

/** In the order of coming, where several come on one day: the first three below the first member are those who invite most. */
export const cast = [
  {
    name: 'first',
    place: 0,
    joins: 0,
    invites: [50, 7],
    shows: 'the pool’s first member, and a partner: everybody is below it, its part of every promotion is collected',
    deeds: (at) => [
      ...climb([0, 1, 2, 3, 4]),
      { day: 0, kind: 'pledge', quantity: 700_000, termDays: 180, method: 'online', ending: 'paid' },
      { day: at(0.72), kind: 'apply' },
      ...[0.8, 0.9].map((part): Deed => ({ day: at(part), kind: 'collectAsPartner' })),
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
    deeds: () => [],
  },
  {
    name: 'activated',
    place: 3,
    joins: 0.1,
    invites: [10, 3],
    shows:
      'level 1: a team, rewards that came and rewards that were missed and why, a pledge, an order that waits for its payment',
    deeds: (at) => [
      // Before it was a member: the pool kept it, and it was there with the registration.
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
    deeds: (at) => [
      ...climb([0, 1, 2, 3]),
      { day: 1, kind: 'pledge', quantity: 500_000, termDays: 360, method: 'online', ending: 'paid' },
      ...[0.3, 0.5, 0.7, 0.85].map((part): Deed => ({ day: at(part), kind: 'claim' })),
    ],
  },
  {
    name: 'ready',
    place: 5,
    joins: 0,
    invites: [5, 0],
    shows: 'level 5 with five full layers: everything that a partner needs, and has not applied',
    // Not before the first whom it invites, so that it missed a reward.
    deeds: (at) => [
      ...climb([1, at(0.1), at(0.2), at(0.35), at(0.5)]),
      { day: at(0.1), kind: 'pledge', quantity: 600_000, termDays: 360, method: 'online', ending: 'paid' },
    ],
  },
  {
    name: 'applicant',
    place: 8,
    joins: 0,
    invites: [5, 1],
    shows: 'five full layers, and an application for partnership that waits for the operators',
    deeds: (at) => [
      ...climb([0, at(0.1), at(0.2), at(0.35), at(0.5)]),
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
    deeds: (at) => [
      // One while the expert, by whom it was invited, still claims, and one after it has for the last time.
      ...climb([0, 1, at(0.25), at(0.95)]),
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
    deeds: (at) => [
      { day: at(0.15), kind: 'deposit', asset: 'USDT', amount: '400' },
      { day: at(0.2), kind: 'promotion', level: 1, method: 'balance', ending: 'paid' },
      // Reviewed by nobody, so that it goes on by itself after three days.
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
    deeds: (at) => [
      ...climb([0, at(0.1), at(0.2), at(0.3), at(0.4)]),
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
