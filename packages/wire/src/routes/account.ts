import * as z from 'zod/mini'
import { collectedParts, incomePeriods, receivedTypes, rewardFailures, sessionModes } from '../enums.ts'
import { address, addressTail, amount, asset, idempotencyKey, language, moment } from '../formats.ts'
import { memberRoute } from '../route.ts'
import { day } from './pledge.ts'
import { protection } from './protection.ts'

const riskVersion = z.int().check(z.minimum(1), z.maximum(1_000_000))

/** A sum of all assets in USDT. `without`: assets that are not counted, because they have no price. */
const inUsdt = z.object({ values: amount, without: z.array(asset) })

const home = z.object({
  at: moment,
  /** What the member holds: available, frozen and pledged. The same values as `wallet/assets`. */
  have: z.object({
    items: z.array(z.object({ symbol: asset, amount, values: z.nullable(amount) })),
    total: inUsdt,
    /** When the oldest of the used prices was set; null if none was used. */
    priceAt: z.nullable(moment),
  }),
  /**
   * What the pool has paid into the balance: dividends, rewards and airdrops, by the UTC day of their log lines.
   * `month` is the last 30 days, today included.
   */
  earned: z.object({
    items: z.array(z.object({ symbol: asset, today: amount, yesterday: amount, month: amount, all: amount })),
    /** At present prices. */
    total: z.object({ today: inUsdt, yesterday: inUsdt, month: inUsdt, all: inUsdt }),
    /** When the oldest of the used prices was set; null if none was used. */
    priceAt: z.nullable(moment),
  }),
  /** What `account/collect` would pay into the balance. Dividends are in BTC, the other parts in USDT. */
  collect: z.array(z.object({ part: z.enum(collectedParts), symbol: asset, amount })),
  /**
   * The first day of the member's earliest pledge, while none of the member's pledges has had a closed day. Null before
   * the first pledge and after that day.
   */
  countsFrom: z.nullable(day),
  /**
   * The last closed day: the BTC that it shared out, the effective pledges of all members and of this member, and what
   * this member got. `amount` is `shared` × `effective` ÷ `totalEffective`, rounded for each of the member's `pledges`.
   */
  last: z.nullable(
    z.object({
      day,
      closedAt: moment,
      shared: amount,
      totalEffective: amount,
      effective: amount,
      pledges: z.int(),
      amount,
    }),
  ),
  /** What is done before the first pledge; null after it. Prices are those of the plan in force, null without a plan. */
  steps: z.nullable(
    z.object({
      fundPassword: z.boolean(),
      money: z.boolean(),
      level: z.boolean(),
      /** USDT: the price of the first level. */
      price: z.nullable(amount),
      /** BTN: a pledge must be more than this. */
      pledgeAbove: z.nullable(amount),
    }),
  ),
})

/** Missed rewards: how many, and their USDT, which went to the mining fund. */
const missed = { count: z.int(), amount }

const receivedSum = z.object({ symbol: asset, amount, values: z.nullable(amount) })

const income = z.object({
  at: moment,
  period: z.enum(incomePeriods),
  /** The first and the last day, UTC. For all income `from` is the day of the first income, or today without any. */
  from: day,
  to: day,
  /** All symbols at present prices. */
  total: inUsdt,
  /** What was paid into the balance in the period. `values` are in USDT at present prices, null without a price. */
  symbols: z.array(receivedSum),
  /** The same by the type of log line; types without income are left out. */
  sources: z.array(z.extend(receivedSum, { type: z.enum(receivedTypes) })),
  /** The prices in USDT of the symbols that were received, and their times. */
  prices: z.array(z.object({ symbol: asset, price: amount, at: moment })),
  /** Whether a bar is a day or a calendar month. */
  step: z.enum(['day', 'month']),
  /**
   * One for each day or month of the period, oldest first, also if it is empty. `day` is its first day. Symbols without
   * income are left out.
   */
  bars: z.array(z.object({ day, total: inUsdt, symbols: z.array(receivedSum) })),
  /** Rewards of the period that the member missed, in all and by reason. */
  missed: z.object({ ...missed, reasons: z.array(z.object({ reason: z.enum(rewardFailures), ...missed })) }),
})

export const accountRoutes = {
  'account/profile': memberRoute('GET', '/account/profile', {
    summary: 'The profile of the signed-in member',
    request: {},
    data: z.object({
      account: address,
      mode: z.enum(sessionModes),
      level: z.int(),
      activated: z.boolean(),
      /** Whether operators made the member a sharing expert, and a partner. */
      expert: z.boolean(),
      partner: z.boolean(),
      /** Since when operators have disabled the member, and why, as they wrote it. Null if they have not. */
      disabled: z.nullable(z.object({ since: moment, reason: z.nullable(z.string()) })),
      /** Null for the first member, who has no inviter. */
      inviterTail: z.nullable(addressTail),
      inviteCode: z.string(),
      lang: language,
      /** The previous sign-in; null on the first. */
      lastLoginAt: z.nullable(moment),
      registeredAt: moment,
      protection,
      /** The version of the risk explanation to accept, and when this member accepted it. */
      risk: z.object({ version: riskVersion, acceptedAt: z.nullable(moment) }),
    }),
    exit: true,
  }),

  'account/home': memberRoute('GET', '/account/home', {
    keptBy: 'client',
    summary: 'What the member has, earned and can collect, the share of the last day, and the first steps',
    request: {},
    data: home,
    exit: true,
  }),

  'account/income': memberRoute('GET', '/account/income', {
    summary: 'What the pool paid into the member’s balance in a period, by source, symbol and day, and what was missed',
    request: { period: z.enum(incomePeriods) },
    data: income,
    exit: true,
  }),

  'account/collect': memberRoute('POST', '/account/collect', {
    summary: 'Collect all waiting dividends, Thanksgiving rewards and partner rewards into the balance',
    request: { key: idempotencyKey },
    /**
     * Each part is collected by itself. `failed`: this part could not be collected now; the others were, and another
     * call collects the rest.
     */
    data: z.object({
      parts: z.array(z.object({ part: z.enum(collectedParts), symbol: asset, amount, failed: z.boolean() })),
    }),
    refusals: ['collect-nothing', 'key-conflict'],
    exit: true,
  }),

  'account/lang': memberRoute('POST', '/account/lang', {
    summary: 'Choose the language of the interface',
    request: { lang: language },
    data: z.object({ lang: language }),
  }),

  'account/accept-risk': memberRoute('POST', '/account/accept-risk', {
    summary: 'The member has read the explanation of risks, in this version, and accepts it',
    request: { version: riskVersion },
    data: z.object({ version: riskVersion, acceptedAt: moment }),
    refusals: ['risk-changed'],
  }),

  'account/logout': memberRoute('POST', '/account/logout', {
    summary: 'End this session',
    request: {},
    data: z.object({}),
    exit: true,
  }),
}
