import type { Asset } from '@lode/kernel'
import { type Language, languages } from '@lode/wire'
import { Random } from '../sim/random.ts'
import { cast, type Role, type RoleName } from './cast.ts'

/**
 * Who registers when, invited by whom, and what each member does on which day. All of it is drawn from the seed in
 * advance, so that the same seed gives the same demo. Most members only register; some hundreds buy a level; about a
 * hundred pledge.
 */
export type DemoSize = { readonly seed: number; readonly members: number; readonly days: number }

/** The size of the real demo. */
export const fullSize: DemoSize = { seed: 1, members: 2_000, days: 120 }

export type PaymentMethod = 'online' | 'balance' | 'mixed'

/** An action of a member, with its outcome. Actions that end `open` or `held` stay so. */
export type ScriptedAction = { readonly day: number } & (
  | { readonly kind: 'deposit'; readonly asset: Asset; readonly amount: string }
  | {
      readonly kind: 'promotion'
      readonly level: number
      readonly method: PaymentMethod
      readonly ending: 'paid' | 'cancelled' | 'expired' | 'open'
    }
  | {
      readonly kind: 'pledge'
      readonly quantity: number
      readonly termDays: number
      readonly method: PaymentMethod
      readonly ending: 'paid' | 'cancelled' | 'expired' | 'open'
    }
  | {
      readonly kind: 'transfer'
      readonly asset: Asset
      readonly amount: string
      readonly ending: 'paid' | 'cancelled' | 'rejected' | 'held'
    }
  | { readonly kind: 'collect' | 'claim' | 'apply' | 'collectAsPartner' }
)

export type MemberScript = {
  /** In order of registration, which decides the places in the tree. */
  readonly index: number
  readonly role: RoleName | null
  readonly joins: number
  /** Null for the first member. */
  readonly sponsor: number | null
  readonly lang: Language
  readonly hasPassword: boolean
  readonly actions: readonly ScriptedAction[]
}

/** With this many members, three have the five full layers that a partner needs. */
export const hasPartners = ({ members }: DemoSize): boolean => members >= 1_900

const partnerActions: ReadonlySet<ScriptedAction['kind']> = new Set(['apply', 'collectAsPartner'])

/** Below 1: more members register later than at the beginning. */
const GROWTH = 0.8

export function drawMemberScripts(size: DemoSize): MemberScript[] {
  const lastDay = size.days - 1
  const at = (part: number): number => Math.round(part * size.days)
  const dayOf = ({ joins }: Role): number => Math.min(lastDay, Math.floor(joins * size.days))
  const named = cast.map((role: Role) => ({ role, joins: dayOf(role) }))
  const others = Array.from({ length: Math.max(0, size.members - named.length) }, (_, number) => ({
    role: null,
    number,
    joins: Math.floor(lastDay * (number / size.members) ** GROWTH),
  }))
  const newcomers = [...named, ...others].toSorted((one, other) => one.joins - other.joins)
  const indexOf = new Map(newcomers.flatMap(({ role }, index) => (role ? [[role.name, index] as const] : [])))
  return newcomers.map((newcomer, index): MemberScript => {
    if (newcomer.role) {
      const { name, joins } = { name: newcomer.role.name as RoleName, joins: newcomer.joins }
      return {
        index,
        role: name,
        joins,
        sponsor: index === 0 ? null : (indexOf.get(newcomer.role.invitedBy ?? 'first') ?? 0),
        lang: 'en',
        hasPassword: name !== 'new',
        actions: newcomer.role.actions(at).filter(({ kind }) => hasPartners(size) || !partnerActions.has(kind)),
      }
    }
    const random = new Random(size.seed, 'life', newcomer.number)
    const earlier = newcomers.findLastIndex(({ joins }) => joins < newcomer.joins)
    return {
      index,
      role: null,
      joins: newcomer.joins,
      lang: random.pick(languages),
      sponsor: drawSponsor(newcomer.number, earlier, indexOf, random),
      ...drawActions(newcomer.joins, lastDay, random, makeMarketBuying(size, newcomer.number)),
    }
  })
}

/**
 * The inviter: a member of the cast who invites many, if it has registered; otherwise any member from before today,
 * usually a recent one.
 */
function drawSponsor(number: number, earlier: number, indexOf: ReadonlyMap<string, number>, random: Random): number {
  const inviter = cast.find(({ invites }) => invites !== null && number % invites[0] === invites[1])
  const known = inviter && indexOf.get(inviter.name)
  if (known !== undefined && known <= Math.max(earlier, LAST_FIRST_DAY_INDEX)) return known
  return earlier < 1 ? 0 : random.between(random.chance(0.6) ? Math.floor(earlier * 0.7) : 0, earlier)
}

/** The cast members of the first day, who are there before the others. */
const LAST_FIRST_DAY_INDEX = cast.filter(({ joins }) => joins === 0).length - 1

const PROMOTED = 0.34
const WITH_PASSWORD = 0.3
const TERMS = [
  { days: 30, weight: 45 },
  { days: 90, weight: 25 },
  { days: 180, weight: 15 },
  { days: 360, weight: 15 },
] as const
/** Transfers out are made only on every fourth day, so that they are paid together. */
const PAYOUT_DAYS = 4

function drawActions(
  joins: number,
  lastDay: number,
  random: Random,
  buying: MarketBuying,
): { hasPassword: boolean; actions: ScriptedAction[] } {
  const hasPassword = random.chance(PROMOTED) && random.chance(WITH_PASSWORD)
  const isPromoted = hasPassword || random.chance(PROMOTED * (1 - WITH_PASSWORD))
  const actions: ScriptedAction[] = []
  if (random.chance(0.05)) {
    const ending = random.pick(['cancelled', 'expired'] as const)
    actions.push({ day: joins, kind: 'promotion', level: 1, method: 'online', ending })
  }
  if (!isPromoted) return { hasPassword, actions: actions }

  const isAtOnce = actions.length === 0 && random.chance(0.6)
  let day = joins + (isAtOnce && !hasPassword ? 0 : random.between(1, 15))
  const method = hasPassword ? random.pick(['online', 'balance', 'mixed'] as const) : 'online'
  if (hasPassword)
    actions.push({ day: joins, kind: 'deposit', asset: 'USDT', amount: String(random.between(150, 260)) })
  actions.push({ day, kind: 'promotion', level: 1, method, ending: 'paid' })
  if (hasPassword) actions.push(...drawPledges(day, random), ...drawTransfers(day, random))
  else actions.push(...drawMarketPledges(day, buying))
  for (let level = 2; level < 5 && random.chance(0.2); level += 1) {
    day += random.between(3, 25)
    actions.push({ day, kind: 'promotion', level, method: 'online', ending: 'paid' })
  }
  return { hasPassword, actions: actions.filter((deed) => deed.day <= lastDay) }
}

/** Pledges of the first level's airdrop. After the end of a term the member may pledge again. */
function drawPledges(promotedOn: number, random: Random): ScriptedAction[] {
  if (random.chance(0.35)) return []
  const actions: ScriptedAction[] = []
  let day = promotedOn + random.between(1, 6)
  for (;;) {
    const { days: termDays } = random.pickWeighted(TERMS)
    const quantity = random.between(10_001, 11_800)
    actions.push({ day, kind: 'pledge', quantity, termDays, method: 'balance', ending: 'paid' })
    for (let collected = day + 4; collected < day + termDays && random.chance(0.6); collected += random.between(7, 30))
      actions.push({ day: collected, kind: 'collect' })
    if (termDays > 90 || random.chance(0.5)) return actions
    day += termDays + random.between(1, 10)
  }
}

/** A member's choice to buy BTN: from its own random source, and never before the market has any. */
type MarketBuying = { readonly random: Random; readonly from: number }

/**
 * The day, as a fraction of all days, on which the operators put BTN on the market. Members can buy from the next day
 * on.
 */
export const MARKET_OPENS = 0.1
const BUYERS = 0.55
/** In BTN. At the demo's prices from 100 to 2,000 USDT; small purchases are more frequent. */
const BTN_BOUGHT = { least: 20_000, most: 400_000 }
const TERMS_OF_BUYERS = [
  { days: 30, weight: 10 },
  { days: 90, weight: 30 },
  { days: 180, weight: 35 },
  { days: 360, weight: 25 },
] as const

const makeMarketBuying = ({ seed, days }: DemoSize, number: number): MarketBuying => ({
  random: new Random(seed, 'buying', number),
  from: Math.round(MARKET_OPENS * days) + 1,
})

/** BTN bought on the market and pledged from the wallet: most of all pledged BTN. */
function drawMarketPledges(promotedOn: number, { random, from }: MarketBuying): ScriptedAction[] {
  if (!random.chance(BUYERS)) return []
  const day = Math.max(from, promotedOn + random.between(1, 8))
  const exponent = random.between(0, 1_000) / 1_000
  const quantity = Math.round((BTN_BOUGHT.least * (BTN_BOUGHT.most / BTN_BOUGHT.least) ** exponent) / 500) * 500
  const { days: termDays } = random.pickWeighted(TERMS_OF_BUYERS)
  const actions: ScriptedAction[] = [{ day, kind: 'pledge', quantity, termDays, method: 'online', ending: 'paid' }]
  if (random.chance(0.4)) actions.push({ day: day + random.between(6, 40), kind: 'collect' })
  return actions
}

/** Transfers out of what was paid in beyond the price. */
function drawTransfers(promotedOn: number, random: Random): ScriptedAction[] {
  if (random.chance(0.6)) return []
  const day = (Math.floor((promotedOn + 1) / PAYOUT_DAYS) + 1) * PAYOUT_DAYS
  const ending = random.chance(0.8) ? 'paid' : 'cancelled'
  return [{ day, kind: 'transfer', asset: 'USDT', amount: String(random.between(10, 40)), ending }]
}
