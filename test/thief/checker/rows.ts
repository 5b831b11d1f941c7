import { type Case, PROMOTION } from './explain.ts'
import type { AddressRow, OrderRow, PayoutRow, State } from './state.ts'

const HOUR_MS = 3_600_000

/** What the thief's rows promise for later: orders, transfers, addresses and holds. */
export function findWrongRows(given: Case): string[] {
  return [
    ...findWrongPayouts(given),
    ...findWrongOrders(given),
    ...findWrongPartnerDays(given),
    ...findWrongAddresses(given),
    ...findLiftedHolds(given),
  ]
}

/** Nothing is payable to anybody but its member. That its money is frozen is checked in sums.ts. */
function findWrongPayouts({ before, after, role, uses }: Case): string[] {
  const findings: (string | null)[] = []
  for (const payout of after.payouts) {
    const earlier = before.payouts.find(({ id }) => id === payout.id)
    if (earlier && !isSamePayment(earlier, payout)) findings.push(`payout ${payout.id} was changed`)
    if (earlier?.ended && earlier.ended !== payout.ended) findings.push(`payout ${payout.id} had ended`)
    if (earlier && earlier.release !== null && payout.ended !== null && payout.ended !== 'final')
      findings.push(
        uses.accept(role, 'step back of a signed transfer', `the signed payout ${payout.id} is ${payout.ended}`),
      )
    if (earlier || payout.ended !== null) continue
    if (Date.parse(payout.requestedAt) < Date.parse(before.now))
      findings.push(`payout ${payout.id} claims to be older than it is`)
    if (payout.kind === 'transfer') {
      if (isPayableToOthers(payout, before, after))
        findings.push(`payout ${payout.id} goes to ${payout.address}, which is not its member’s`)
    } else if ((before.decisions.find(({ id }) => id === payout.decision)?.signatures ?? 0) < 2)
      findings.push(`payout ${payout.id} is a payment that two operators have not signed`)
  }
  for (const { id } of before.payouts)
    if (!after.payouts.some((each) => each.id === id)) findings.push(`payout ${id} is gone`)
  return findings.filter((finding) => finding !== null)
}

const isSamePayment = (one: PayoutRow, other: PayoutRow): boolean =>
  (['member', 'kind', 'asset', 'amount', 'fee', 'address', 'requestedAt', 'decision'] as const).every(
    (name) => one[name] === other[name],
  )

/** The requests by which the address of a payout was the member's: waited for, and verified by the signer. */
const boundRows = ({ member, address, requestedAt }: PayoutRow, after: State): AddressRow[] =>
  after.addresses.filter(
    (each) =>
      each.member === member &&
      each.address === address &&
      each.canceledAt === null &&
      each.signatureValid === true &&
      Date.parse(each.bindsAt) <= Date.parse(requestedAt),
  )

const isOwnWallet = ({ member, address }: PayoutRow, after: State): boolean =>
  after.members.some(({ id, account }) => id === member && account === address)

const isPayableToOthers = (payout: PayoutRow, _before: State, after: State): boolean =>
  !isOwnWallet(payout, after) && boundRows(payout, after).length === 0

function findWrongOrders(given: Case): string[] {
  const { before, after, sample } = given
  const findings: (string | null)[] = []
  for (const order of after.orders) {
    const earlier = before.orders.find(({ id }) => id === order.id)
    if (order.ended === 'failed' && !earlier?.ended) findings.push(explainFailure(order, given))
    if (earlier) {
      const isSame = (
        ['member', 'type', 'amount', 'part', 'level', 'term', 'weight', 'airdrop', 'deadline', 'plan'] as const
      ).every((name) => earlier[name] === order[name])
      if (!isSame || (earlier.ended && earlier.ended !== order.ended)) findings.push(`order ${order.id} was changed`)
      continue
    }
    if (Date.parse(order.madeAt) < Date.parse(before.now))
      findings.push(`order ${order.id} claims to be older than it is`)
    const price = sample.plan.levels[order.level ?? 0]?.price ?? '0'
    if (order.type === 1 && BigInt(order.amount) !== BigInt(Math.round(Number(price) * 1e6)))
      findings.push(`order ${order.id} costs ${order.amount}`)
    if (order.ended === null && order.deadline === null) findings.push(`order ${order.id} can never end`)
    const most = Date.parse(order.madeAt) + sample.plan.quoteMinutes * 60_000 + 16 * 60_000
    if (order.deadline !== null && Date.parse(order.deadline) > most)
      findings.push(`order ${order.id} is open until ${order.deadline}`)
  }
  for (const { id } of before.orders)
    if (!after.orders.some((each) => each.id === id)) findings.push(`order ${id} is gone`)
  return findings.filter((finding) => finding !== null)
}

/**
 * An order fails without a payment after a block beyond its deadline, or with a payment that came when its level could
 * no longer be bought.
 */
function explainFailure(order: OrderRow, { after, role, uses }: Case): string | null {
  if (order.log === null) {
    const isOver = order.deadline !== null && Date.parse(order.deadline) < Date.parse(after.postedTime)
    return isOver ? null : uses.accept(role, 'order ended early', `order ${order.id} failed before its deadline`)
  }
  const level = after.members.find(({ id }) => id === order.member)?.level ?? 0
  if (order.type !== PROMOTION || order.level === level + 1)
    return `order ${order.id} was paid and failed, although it could be settled`
  return uses.accept(role, 'invented chain log', `order ${order.id} was paid and failed`)
}

/** Each closed day shares out all of the partners' money. That its figures are right is checked in sums.ts. */
function findWrongPartnerDays({ before, after, role, uses }: Case): string[] {
  const findings: (string | null)[] = []
  for (const day of after.days.filter((each) => !before.days.includes(each))) {
    const closed = after.partnerDays.find((each) => each.day === day)
    if (closed?.left !== '0')
      findings.push(uses.accept(role, 'partners’ part left for later', `day ${day} leaves money of the partners`))
  }
  for (const { day } of before.partnerDays)
    if (!after.partnerDays.some((each) => each.day === day)) findings.push(`partner day ${day} is gone`)
  return findings.filter((finding) => finding !== null)
}

function findWrongAddresses({ before, after, role, uses }: Case): string[] {
  const findings: (string | null)[] = []
  for (const row of after.addresses) {
    const what = `address ${row.number} of member ${row.member}`
    const earlier = before.addresses.find(({ member, number }) => member === row.member && number === row.number)
    // The signer's check can only lengthen the wait.
    if (earlier && (earlier.address !== row.address || Date.parse(row.bindsAt) < Date.parse(earlier.bindsAt)))
      findings.push(`${what} was changed`)
    const isTimely =
      Date.parse(row.askedAt) >= Date.parse(before.now) &&
      Date.parse(row.bindsAt) >= Date.parse(row.askedAt) + 48 * HOUR_MS
    if (!earlier && !isTimely) findings.push(`${what} does not wait 48 hours`)
    const wasChecked = earlier?.signatureValid ?? null
    if (wasChecked !== null && wasChecked !== row.signatureValid) findings.push(`${what} was checked and is so no more`)
    // The thief has no wallet's key, so the signer is right to refuse what the thief requests.
    const isRightlyRefused = !earlier && row.signatureValid === false
    if (wasChecked === null && row.signatureValid !== null && !isRightlyRefused)
      findings.push(uses.accept(role, 'signature called verified', `${what} counts as checked by the signer`))
  }
  return findings.filter((finding) => finding !== null)
}

function findLiftedHolds({ before, after }: Case): string[] {
  const findings: string[] = []
  for (const { member, until } of before.locks) {
    const lock = after.locks.find((each) => each.member === member)
    if (!lock || Date.parse(lock.until) < Date.parse(until)) findings.push(`the lock of member ${member} was shortened`)
  }
  for (const earlier of before.members) {
    const member = after.members.find(({ id }) => id === earlier.id)
    if (member?.account !== earlier.account || member.sponsor !== earlier.sponsor || member.parent !== earlier.parent)
      findings.push(`member ${earlier.id} has another wallet, inviter or place`)
  }
  return findings
}
