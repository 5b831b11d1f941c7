import { setTimeout as sleep } from 'node:timers/promises'
import type { Asset, DayNumber } from '@lode/kernel'
import { type LocalAccount, parseUnits } from 'viem'
import { Random } from '../sim/random.ts'
import { eachOf, Refusal } from './ask.ts'
import type { Books } from './books.ts'
import { appointments, type Office } from './calendar.ts'
import { CAST_PASSWORD } from './cast.ts'
import type { Chain, Quote } from './chain.ts'
import { type Deed, hasPartners, type Method, type Size } from './lives.ts'
import type { Member } from './member.ts'
import type { DayPrices } from './prices.ts'

export type World = {
  readonly size: Size
  readonly chain: Chain
  readonly books: Books
  readonly members: readonly Member[]
  readonly office: Office
  /** The price of each level, in USDT. */
  readonly levelPrices: readonly string[]
  /** The coins' prices by day. */
  readonly dayPrices: readonly DayPrices[]
  /** Sells the BTN that the operators put on the market. */
  readonly market: LocalAccount
}

type Doing = { readonly member: Member; readonly deed: Deed }
type Of<Kind extends Deed['kind']> = Extract<Deed, { kind: Kind }>
type Payment = { readonly member: Member; readonly asset: Asset; readonly quote: Quote }

const AT_ONCE = 8
const DECIMALS: Record<Asset, number> = { USDT: 6, BTN: 18, BTC: 8 }

/** Runs one day, in an order in which no two dependent actions happen at the same time. The clocks are at noon. */
export async function liveThrough(world: World, day: number, date: DayNumber): Promise<void> {
  const { books, chain, members } = world
  await books.postedUpTo(await chain.goOn())
  await books.work(['close-days', 'return-pledges'])

  await register(
    world,
    members.filter(({ life }) => life.joins === day),
  )
  const doing = members.flatMap((member) =>
    member.life.deeds.filter((deed) => deed.day === day).map((deed): Doing => ({ member, deed })),
  )
  await signIn(doing)
  const payments = await order(world, doing)
  const prices = world.dayPrices[day]
  if (prices) await chain.setPrices(prices)
  await fund(world, day, date)
  for (const { member, deed } of doing) if (deed.kind === 'deposit') await deposit(world, member, deed)
  for (const { member, asset, quote } of payments) {
    await provide(world, member, asset, BigInt(quote.amount))
    await chain.pay(member.wallet, asset, quote)
  }
  await books.postedUpTo(await chain.goOn())

  for (const { member, deed } of doing) await take(member, deed)
  const transfers = await transferOut(world, doing)
  await decide(world, day)
  await untilPaid(world, [...transfers, ...(await books.openTreasuryPayments())])
  for (const member of members) member.leave()
}

/**
 * Registers members one after the other, because their order decides their places. The messages are signed in advance.
 */
async function register({ books, members }: World, comers: readonly Member[]): Promise<void> {
  const invitationOf = ({ life }: Member): string | null => members[life.sponsor ?? 0]?.code ?? null
  // The command line created the first member.
  let left = comers.filter(({ life }) => life.sponsor !== null)
  while (left.length > 0) {
    const invited = left.flatMap((member) => {
      const code = invitationOf(member)
      return code === null ? [] : [{ member, code }]
    })
    if (invited.length === 0) throw new Error('Those who come were invited by nobody who is there')
    await eachOf(invited, AT_ONCE, ({ member, code }) => member.prepare(code))
    for (const { member, code } of invited) await member.register(code)
    const codes = await books.codesOf(invited.map(({ member }) => member.wallet.address))
    for (const { member } of invited) member.code = codes.get(member.wallet.address.toLowerCase()) ?? null
    left = left.filter((member) => !member.isSignedIn)
  }
  const first = comers.find(({ life }) => life.sponsor === null)
  await first?.signIn()
  await eachOf(comers, 2, (member) => member.settleIn())
}

async function signIn(doing: readonly Doing[]): Promise<void> {
  const acting = doing.filter(({ member, deed }) => deed.kind !== 'deposit' && !member.isSignedIn)
  await eachOf(Array.from(new Set(acting.map(({ member }) => member))), AT_ONCE, (member) => {
    const isLeaving =
      member.life.role === 'disabled' && acting.some((one) => one.member === member && one.deed.kind === 'transfer')
    return member.signIn({ exit: isLeaving })
  })
}

/** Makes the orders. Returns the payments for the chain, in the order of the members. */
async function order(world: World, doing: readonly Doing[]): Promise<Payment[]> {
  const planVersion = await world.books.planInForce()
  const buying = doing.flatMap(({ member, deed }) =>
    deed.kind === 'promotion' || deed.kind === 'pledge' ? [{ member, deed }] : [],
  )
  const payments = new Map<(typeof buying)[number], Payment>()
  const make = async (one: (typeof buying)[number]): Promise<void> => {
    const { member, deed } = one
    const made =
      deed.kind === 'promotion'
        ? await member.press('promotion/order', {
            planVersion,
            level: deed.level,
            ...fromBalance(deed.method, Number(world.levelPrices[deed.level])),
          })
        : await member.press('pledge/order', {
            planVersion,
            quantity: String(deed.quantity),
            termDays: deed.termDays,
            ...fromBalance(deed.method, deed.quantity),
          })
    if (deed.ending === 'cancelled') await member.press('order/cancel', { id: made.id })
    if (deed.ending === 'paid' && made.quote) payments.set(one, { member, asset: made.symbol, quote: made.quote })
  }
  const isOnline = ({ deed }: (typeof buying)[number]): boolean => deed.method === 'online'
  await eachOf(buying.filter(isOnline), AT_ONCE, make)
  // A payment from the balance settles at once, and its rewards depend on the order. So these run one by one.
  for (const one of buying) if (!isOnline(one)) await make(one)
  return buying.flatMap((one) => payments.get(one) ?? [])
}

function fromBalance(method: Method, whole: number): { balancePart: string; password?: string } {
  switch (method) {
    case 'online':
      return { balancePart: '0' }
    case 'mixed':
      return { balancePart: String(Math.floor(whole * 0.4)), password: CAST_PASSWORD }
    case 'balance':
      return { balancePart: String(whole), password: CAST_PASSWORD }
  }
}

/**
 * What one TH/s mines in a day, in the smallest units of BTC: about 0.0000005 BTC on average over all days. Some days
 * have no production.
 */
const MINED_PER_TH = { least: 40, most: 68 }
const QUIET_DAYS = 0.08

/** Funds what the computing power sold so far has mined. */
async function fund({ books, chain, size }: World, day: number, date: DayNumber): Promise<void> {
  const random = new Random(size.seed, 'funding', day)
  if (random.chance(QUIET_DAYS)) return
  const mined = (await books.powerSold()) * random.between(MINED_PER_TH.least, MINED_PER_TH.most)
  if (mined > 0) await chain.fundDividend(date, BigInt(mined), random.hex32())
}

async function deposit(world: World, member: Member, { asset, amount }: Of<'deposit'>): Promise<void> {
  const units = parseUnits(amount, DECIMALS[asset])
  await provide(world, member, asset, units)
  await world.chain.deposit(member.wallet, asset, units)
}

/**
 * Gives a member what it is about to pay, if its wallet lacks it. The cast's wallets were filled at the start of the
 * chain.
 */
async function provide(
  { chain, market }: World,
  { life, wallet }: Member,
  asset: Asset,
  amount: bigint,
): Promise<void> {
  if (life.role !== null) return
  switch (asset) {
    case 'USDT':
      return chain.giveUsdt(wallet.address, amount)
    case 'BTN':
      return chain.sellBtn(market, wallet.address, amount)
    case 'BTC':
      throw new Error('Only members of the cast pay in BTC')
  }
}

async function take(member: Member, { kind }: Deed): Promise<void> {
  switch (kind) {
    case 'collect':
      return orNothing(member.press('pledge/collect', {}))
    case 'claim':
      return orNothing(member.press('promotion/claim', {}))
    case 'collectAsPartner':
      return orNothing(member.press('partner/collect', {}))
    case 'apply':
      return void (await member.press('partner/apply', {}))
    case 'deposit':
    case 'promotion':
    case 'pledge':
    case 'transfer':
      return
  }
}

/** A day can have no production, and then there is nothing to collect. */
async function orNothing(taking: Promise<unknown>): Promise<void> {
  await taking.catch((error: unknown) => {
    if (!(error instanceof Refusal) || !NOTHING.has(error.reason)) throw error
  })
}

const NOTHING: ReadonlySet<string | undefined> = new Set(['collect-nothing', 'claim-nothing'])

/** Returns the ids of the transfers that the signer has to pay today. */
async function transferOut({ books, office }: World, doing: readonly Doing[]): Promise<string[]> {
  const toBePaid: string[] = []
  for (const { member, deed } of doing) {
    if (deed.kind !== 'transfer') continue
    // A transfer from a new browser is held for a day, during which it can be canceled.
    if (deed.ending === 'cancelled') await member.signIn({ elsewhere: true })
    const { planVersion, address } = await member.as('transfer/terms', {})
    const { asset: symbol, amount } = deed
    const { id } = await member.press('transfer/order', {
      planVersion,
      address,
      symbol,
      amount,
      password: CAST_PASSWORD,
    })
    switch (deed.ending) {
      case 'paid':
        toBePaid.push(id)
        break
      case 'cancelled':
        await member.press('transfer/cancel', { id })
        break
      case 'rejected':
        await office.decideAlone('transfer', 'reject', id, 'Please ask for it in two parts.')
        await books.work(['apply-decisions'])
        break
      case 'held':
        break
    }
  }
  return toBePaid
}

async function untilPaid({ books, chain }: World, payouts: readonly string[]): Promise<void> {
  for (let tries = 0; (await books.unpaid(payouts)) > 0; tries += 1) {
    if (tries > 1_000) throw new Error(`The signer does not pay ${payouts}`)
    await sleep(20)
    await books.postedUpTo(await chain.goOn())
  }
}

async function decide({ books, office, size }: World, day: number): Promise<void> {
  const due = appointments.filter(
    ({ on, needsPartners }) => Math.round(on * size.days) === day && (!needsPartners || hasPartners(size)),
  )
  for (const { what } of due) await what(office)
  if (due.length > 0) await books.work(['apply-decisions'])
}
