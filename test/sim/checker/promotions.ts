import type { Acknowledged, GivenLevel } from '../acknowledged.ts'
import type { PlanFile } from '../stack/plan.ts'
import { appointmentFindings, isExpertBefore } from './appointments.ts'
import { ASSET_CODES, type Books, KIND, kindOf, type LedgerTransaction, TYPE } from './books.ts'
import { claimFindings } from './claims.ts'
import { accountLabel, describeMoves, type FindTransaction, hasExactMoves } from './moves.ts'
import type { MemberFigures, OrderRow } from './order-rows.ts'
import { type ExpectedPromotion, type ExpectedReward, PromotionModel, termsOf } from './promotion-model.ts'

type PromotionCheckInput = {
  readonly books: Books
  readonly chainId: number
  /** In the order of publication: the first is version 1. */
  readonly plans: readonly PlanFile[]
  readonly acknowledged: Acknowledged
}

/** Repeats all promotions by settlement number and compares every level, part, reward, reason and count. */
export function* promotionFindings({ books, chainId, plans, acknowledged }: PromotionCheckInput): Generator<string> {
  const model = new PromotionModel(books.people)
  const ledger = new Map(books.transactions.map((each) => [`${each.member} ${each.key}`, each]))
  const explained = new Set<bigint>()
  const find = (member: bigint, key: string): LedgerTransaction | undefined => {
    const found = ledger.get(`${member} ${key}`)
    if (found) explained.add(found.id)
    return found
  }
  for (const order of books.orders) {
    yield* termFindings(order, plans)
    yield* reserveFindings(order, find)
  }
  const toGive = Array.from(acknowledged.givenLevels)
  const settled = books.orders.filter(({ type, ended }) => type === 1 && ended === 'success')
  for (const order of settled.toSorted((one, other) => Number((one.settlement ?? 0n) - (other.settlement ?? 0n)))) {
    raiseLevelsUpTo(order.settlement, toGive, books, model)
    const plan = plans[order.plan - 1]
    if (!plan) continue
    if (order.level !== model.figuresOf(order.member).level + 1)
      yield `order ${order.id} brought member ${order.member} from ${model.figuresOf(order.member).level} to ${order.level}`
    const posted =
      order.paidBy === null
        ? find(order.member, `order:${order.id}:settle`)
        : find(0n, `chain:${chainId}:${order.paidBy}`)
    const expected = model.settle(order, plan, (member) => isExpertBefore(ledger, member, posted))
    yield* settlementFindings(books, order, expected, posted)
    yield* airdropFindings(books, order, posted, find(order.member, `order:${order.id}:airdrop`))
  }
  raiseLevelsUpTo(null, toGive, books, model)
  yield* appointmentFindings(books, plans, acknowledged, find)
  yield* claimFindings(books, model, explained)
  for (const { id, type, key } of books.transactions)
    if (PROMOTING.includes(type) && !explained.has(id) && !isSimulatorPosting(key))
      yield `transaction ${id} of type ${type} is no order's`
  for (const { id, written } of books.people.values()) {
    const [is, must] = [describeFigures(written), describeFigures(model.figuresOf(id))]
    if (is !== must) yield `member ${id} is at ${is}, and must be at ${must}`
  }
}

/** Transaction types that only an order, a claim or an appointment can explain. */
const PROMOTING: readonly number[] = [
  ...[TYPE.orderReserve, TYPE.orderRelease, TYPE.promotionByBalance, TYPE.promotionPaid, TYPE.agentReward],
  ...[TYPE.airdropForActive, TYPE.airdropForPromotion, TYPE.airdropForAgent, TYPE.airdropForPartner],
]

/** Ledger transactions that the simulator itself posts, to test the ledger. */
const isSimulatorPosting = (key: string): boolean => key.startsWith('sim:')

const describeFigures = (standing: MemberFigures): string =>
  FIGURE_NAMES.map((name) => `${name} ${standing[name]}`).join(', ')

const FIGURE_NAMES = [
  ...(['level', 'power', 'investment', 'income', 'rewards'] as const),
  ...(['isActivated', 'invites', 'activated', 'performance'] as const),
]

function raiseLevelsUpTo(settlement: bigint | null, toGive: GivenLevel[], books: Books, model: PromotionModel): void {
  for (const gift of toGive.splice(0)) {
    const member = books.members.get(gift.account.toLowerCase())
    if (member && (settlement === null || gift.after < settlement)) model.raiseLevel(member.id)
    else toGive.push(gift)
  }
}

/** Level, price and benefits are those of the plan version. */
function* termFindings({ id, type, plan, level, amount, power, airdrop, part }: OrderRow, plans: readonly PlanFile[]) {
  if (type !== 1) return
  const terms = termsOf(plans[plan - 1], level)
  if (!terms || terms.price !== amount || terms.power !== power || terms.airdrop !== airdrop)
    yield `order ${id} is for level ${level} at ${amount} with ${power} and ${airdrop}, and plan ${plan} says ${terms?.price}, ${terms?.power}, ${terms?.airdrop}`
  if (part < 0n || part > amount) yield `order ${id} takes ${part} of the balance for ${amount}`
}

/** The balance part is frozen once, and unfrozen once if the order fails, otherwise never. */
function* reserveFindings({ id, member, part, asset, ended }: OrderRow, find: FindTransaction): Generator<string> {
  const check = function* (key: string, type: number, isDue: boolean, to: number, from: number) {
    const found = find(member, key)
    if (!isDue && found) yield `${key} is in the books, though nothing of ${part} ${asset} was due`
    if (!isDue) return
    const must = new Map([
      [accountLabel(from, member), -part],
      [accountLabel(to, member), part],
    ])
    if (!found || found.type !== type || !hasExactMoves(found, must, ASSET_CODES[asset]))
      yield `${key} is not in the books as ${part} ${asset}: ${found && describeMoves(found)}`
  }
  yield* check(`order:${id}`, TYPE.orderReserve, part > 0n, KIND.frozenOrder, KIND.available)
  const isGivenBack = ended === 'failed' && part > 0n
  yield* check(`order:${id}:release`, TYPE.orderRelease, isGivenBack, KIND.available, KIND.frozenOrder)
}

function* settlementFindings(
  books: Books,
  order: OrderRow,
  expected: ExpectedPromotion,
  posted: LedgerTransaction | undefined,
): Generator<string> {
  const { id, amount, paidBy } = order
  const type = paidBy === null ? TYPE.promotionByBalance : TYPE.promotionPaid
  if (!posted || posted.type !== type || !hasExactMoves(posted, expected.moved, ASSET_CODES.USDT))
    yield `order ${id} of ${amount} went ${posted && describeMoves(posted)}, and must go ${JSON.stringify(Array.from(expected.moved, ([where, sum]) => `${sum} on ${where}`))}`
  const credited = Array.from(expected.moved.values()).filter((sum) => sum > 0n)
  if (credited.reduce((sum, part) => sum + part, 0n) !== amount) yield `the parts of order ${id} are not ${amount}`
  if (order.toMining !== expected.toMining)
    yield `order ${id} says that ${order.toMining} went to the mining fund, and it was ${expected.toMining}`
  const told = (reward: ExpectedReward) =>
    `${reward.type} of ${reward.member} in layer ${reward.layer}: ${reward.points}, ${reward.amount}, ${reward.failed}`
  const written = books.rewards.filter((reward) => reward.order === id).map(told)
  const must = expected.rewards.map(told)
  for (const each of written.filter((one) => !must.includes(one))) yield `order ${id} has the reward ${each}`
  for (const each of must.filter((one) => !written.includes(one))) yield `order ${id} has not the reward ${each}`
  if (written.length !== must.length) yield `order ${id} has ${written.length} rewards of ${must.length}`
}

/** An airdrop is paid in full or not at all, and not only if the reserve did not have enough. */
function* airdropFindings(
  books: Books,
  { id, member, level, airdrop, airdropPaid }: OrderRow,
  settled: LedgerTransaction | undefined,
  posted: LedgerTransaction | undefined,
): Generator<string> {
  const reserve = level === 1 ? KIND.reserve.airdrop : KIND.reserve.promotion
  const type = level === 1 ? TYPE.airdropForActive : TYPE.airdropForPromotion
  if (airdropPaid !== (airdrop === 0n ? null : posted !== undefined))
    yield `order ${id} says that its airdrop was ${airdropPaid}, and the books have ${posted && describeMoves(posted)}`
  const must = new Map([
    [accountLabel(reserve, 0n), -airdrop],
    [accountLabel(KIND.available, member), airdrop],
  ])
  if (posted && (posted.type !== type || !hasExactMoves(posted, must, ASSET_CODES.BTN)))
    yield `the airdrop of order ${id} is not ${airdrop}: ${describeMoves(posted)}`
  if (posted || airdrop === 0n || !settled) return
  const before = books.transactions
    .filter((each) => each.id < settled.id)
    .flatMap(({ postings }) => postings.filter(({ account }) => kindOf(account) === reserve))
    .reduce((held, { amount }) => held + amount, 0n)
  if (before >= airdrop) yield `order ${id} got no airdrop of ${airdrop}, though the reserve had ${before}`
}
