import { setTimeout as sleep } from 'node:timers/promises'
import type { Asset, DayNumber } from '@lode/kernel'
import { type LocalAccount, parseUnits } from 'viem'
import { Random } from '../sim/random.ts'
import { mapConcurrently, Refusal } from './call-route.ts'
import { CAST_PASSWORD } from './cast.ts'
import type { Chain, Quote } from './chain.ts'
import type { Member } from './member.ts'
import { type DemoSize, hasPartners, type PaymentMethod, type ScriptedAction } from './member-scripts.ts'
import type { PoolDatabase } from './pool-database.ts'
import type { DayPrices } from './prices.ts'
import { type OperatorActions, scheduledDecisions } from './scheduled-decisions.ts'

export type World = {
  readonly size: DemoSize
  readonly chain: Chain
  readonly database: PoolDatabase
  readonly members: readonly Member[]
  readonly operatorActions: OperatorActions
  /** The price of each level, in USDT. */
  readonly levelPrices: readonly string[]
  /** The coins' prices by day. */
  readonly dayPrices: readonly DayPrices[]
  /** Sells the BTN that the operators put on the market. */
  readonly market: LocalAccount
}

type MemberAction = { readonly member: Member; readonly action: ScriptedAction }
type ActionOfKind<Kind extends ScriptedAction['kind']> = Extract<ScriptedAction, { kind: Kind }>
type Payment = { readonly member: Member; readonly asset: Asset; readonly quote: Quote }

const CONCURRENCY = 8
const DECIMALS: Record<Asset, number> = { USDT: 6, BTN: 18, BTC: 8 }

/** Runs one day, in an order in which no two dependent actions happen at the same time. The clocks are at noon. */
export async function runDay(world: World, day: number, date: DayNumber): Promise<void> {
  const { database, chain, members } = world
  await database.waitUntilPosted(await chain.mineUntilFinal())
  await database.runJobs(['close-days', 'return-pledges'])

  await register(
    world,
    members.filter(({ script }) => script.joins === day),
  )
  const actions = members.flatMap((member) =>
    member.script.actions.filter((deed) => deed.day === day).map((deed): MemberAction => ({ member, action: deed })),
  )
  await signIn(actions)
  const payments = await placeOrders(world, actions)
  const prices = world.dayPrices[day]
  if (prices) await chain.setPrices(prices)
  await fundDividend(world, day, date)
  for (const { member, action } of actions) if (action.kind === 'deposit') await deposit(world, member, action)
  for (const { member, asset, quote } of payments) {
    await fundWallet(world, member, asset, BigInt(quote.amount))
    await chain.pay(member.wallet, asset, quote)
  }
  await database.waitUntilPosted(await chain.mineUntilFinal())

  for (const { member, action: deed } of actions) await collectOrApply(member, deed)
  const transfers = await transferOut(world, actions)
  await runScheduledDecisions(world, day)
  await waitUntilPaid(world, [...transfers, ...(await database.readOpenTreasuryPayments())])
  for (const member of members) member.forgetSession()
}

/**
 * Registers members one after the other, because their order decides their places. The messages are signed in advance.
 */
async function register({ database, members }: World, newcomers: readonly Member[]): Promise<void> {
  const invitationOf = ({ script }: Member): string | null => members[script.sponsor ?? 0]?.code ?? null
  // The command line created the first member.
  let left = newcomers.filter(({ script }) => script.sponsor !== null)
  while (left.length > 0) {
    const invited = left.flatMap((member) => {
      const code = invitationOf(member)
      return code === null ? [] : [{ member, code }]
    })
    if (invited.length === 0) throw new Error('The new members were invited by nobody who is registered')
    await mapConcurrently(invited, CONCURRENCY, ({ member, code }) => member.signRegistration(code))
    for (const { member, code } of invited) await member.register(code)
    const codes = await database.inviteCodesOf(invited.map(({ member }) => member.wallet.address))
    for (const { member } of invited) member.code = codes.get(member.wallet.address.toLowerCase()) ?? null
    left = left.filter((member) => !member.isSignedIn)
  }
  const first = newcomers.find(({ script }) => script.sponsor === null)
  await first?.signIn()
  await mapConcurrently(newcomers, 2, (member) => member.completeRegistration())
}

async function signIn(actions: readonly MemberAction[]): Promise<void> {
  const acting = actions.filter(({ member, action }) => action.kind !== 'deposit' && !member.isSignedIn)
  await mapConcurrently(Array.from(new Set(acting.map(({ member }) => member))), CONCURRENCY, (member) => {
    const isLeaving =
      member.script.role === 'disabled' && acting.some((one) => one.member === member && one.action.kind === 'transfer')
    return member.signIn({ exit: isLeaving })
  })
}

/** Makes the orders. Returns the payments for the chain, in the order of the members. */
async function placeOrders(world: World, actions: readonly MemberAction[]): Promise<Payment[]> {
  const planVersion = await world.database.readPlanInForce()
  const buying = actions.flatMap(({ member, action }) =>
    action.kind === 'promotion' || action.kind === 'pledge' ? [{ member, deed: action }] : [],
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
  await mapConcurrently(buying.filter(isOnline), CONCURRENCY, make)
  // A payment from the balance settles at once, and its rewards depend on the order. So these run one by one.
  for (const one of buying) if (!isOnline(one)) await make(one)
  return buying.flatMap((one) => payments.get(one) ?? [])
}

function fromBalance(method: PaymentMethod, whole: number): { balancePart: string; password?: string } {
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
async function fundDividend({ database, chain, size }: World, day: number, date: DayNumber): Promise<void> {
  const random = new Random(size.seed, 'funding', day)
  if (random.chance(QUIET_DAYS)) return
  const mined = (await database.readPowerSold()) * random.between(MINED_PER_TH.least, MINED_PER_TH.most)
  if (mined > 0) await chain.fundDividend(date, BigInt(mined), random.hex32())
}

async function deposit(world: World, member: Member, { asset, amount }: ActionOfKind<'deposit'>): Promise<void> {
  const units = parseUnits(amount, DECIMALS[asset])
  await fundWallet(world, member, asset, units)
  await world.chain.deposit(member.wallet, asset, units)
}

/**
 * Gives a member what it is about to pay, if its wallet lacks it. The cast's wallets were filled at the start of the
 * chain.
 */
async function fundWallet(
  { chain, market }: World,
  { script, wallet }: Member,
  asset: Asset,
  amount: bigint,
): Promise<void> {
  if (script.role !== null) return
  switch (asset) {
    case 'USDT':
      return chain.giveUsdt(wallet.address, amount)
    case 'BTN':
      return chain.sellBtn(market, wallet.address, amount)
    case 'BTC':
      throw new Error('Only members of the cast pay in BTC')
  }
}

async function collectOrApply(member: Member, { kind }: ScriptedAction): Promise<void> {
  switch (kind) {
    case 'collect':
      return ignoreNothingToCollect(member.press('pledge/collect', {}))
    case 'claim':
      return ignoreNothingToCollect(member.press('promotion/claim', {}))
    case 'collectAsPartner':
      return ignoreNothingToCollect(member.press('partner/collect', {}))
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
async function ignoreNothingToCollect(taking: Promise<unknown>): Promise<void> {
  await taking.catch((error: unknown) => {
    if (!(error instanceof Refusal) || !NOTHING_TO_COLLECT.has(error.reason)) throw error
  })
}

const NOTHING_TO_COLLECT: ReadonlySet<string | undefined> = new Set(['collect-nothing', 'claim-nothing'])

/** Returns the ids of the transfers that the signer has to pay today. */
async function transferOut({ database, operatorActions }: World, actions: readonly MemberAction[]): Promise<string[]> {
  const toBePaid: string[] = []
  for (const { member, action } of actions) {
    if (action.kind !== 'transfer') continue
    // A transfer from a new browser is held for a day, during which it can be canceled.
    if (action.ending === 'cancelled') await member.signIn({ elsewhere: true })
    const { planVersion, address } = await member.call('transfer/terms', {})
    const { asset: symbol, amount } = action
    const { id } = await member.press('transfer/order', {
      planVersion,
      address,
      symbol,
      amount,
      password: CAST_PASSWORD,
    })
    switch (action.ending) {
      case 'paid':
        toBePaid.push(id)
        break
      case 'cancelled':
        await member.press('transfer/cancel', { id })
        break
      case 'rejected':
        await operatorActions.decideByOne('transfer', 'reject', id, 'Please ask for it in two parts.')
        await database.runJobs(['apply-decisions'])
        break
      case 'held':
        break
    }
  }
  return toBePaid
}

async function waitUntilPaid({ database, chain }: World, payouts: readonly string[]): Promise<void> {
  for (let tries = 0; (await database.countUnpaid(payouts)) > 0; tries += 1) {
    if (tries > 1_000) throw new Error(`The signer does not pay ${payouts}`)
    await sleep(20)
    await database.waitUntilPosted(await chain.mineUntilFinal())
  }
}

async function runScheduledDecisions({ database, operatorActions, size }: World, day: number): Promise<void> {
  const due = scheduledDecisions.filter(
    ({ on, needsPartners }) => Math.round(on * size.days) === day && (!needsPartners || hasPartners(size)),
  )
  for (const { what } of due) await what(operatorActions)
  if (due.length > 0) await database.runJobs(['apply-decisions'])
}
