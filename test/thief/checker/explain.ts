import type { Role } from '../catalog.ts'
import type { Sample } from '../sample.ts'
import type { Uses } from './exceptions.ts'
import type { MemberRow, OrderRow, PayoutRow, State, TransactionRow } from './state.ts'

/**
 * Why a ledger transaction of the thief is right, or what is wrong with it. Written from the plan and the documents,
 * without the product's functions: what each type may do to members' money is said here a second time.
 */
export type Case = {
  readonly role: Role
  readonly sample: Sample
  readonly before: State
  readonly after: State
  readonly uses: Uses
}

type Expected = Readonly<Record<string, bigint>>

/** The changes of a transaction as `kind asset owner` → amount. */
const changesOf = ({ legs }: TransactionRow): Map<string, bigint> =>
  new Map(legs.map(({ kind, asset, owner, amount }) => [`${kind} ${asset} ${owner}`, BigInt(amount)]))

/** Null if the transaction changes exactly these accounts by these amounts. */
function compare(transaction: TransactionRow, expected: Expected): string | null {
  const changes = changesOf(transaction)
  const wanted = Object.entries(expected).filter(([, amount]) => amount !== 0n)
  const isSame = wanted.length === changes.size && wanted.every(([account, amount]) => changes.get(account) === amount)
  if (isSame) return null
  const list = (entries: Iterable<[string, bigint]>) =>
    Array.from(entries, ([account, amount]) => `${account} ${amount}`).join(', ')
  return `${nameOf(transaction)} changes ${list(changes)}; right is ${list(wanted)}`
}

const nameOf = ({ type, key, member }: TransactionRow): string => `${type} ${key} of member ${member}`
const idIn = (key: string): string => /^[a-z]+:([0-9a-f-]{36})/.exec(key)?.[1] ?? ''
const logIn = (key: string): string => key.replace(/^chain:[0-9]+:0x/, '')
const share = (amount: string, points: number): bigint => (BigInt(amount) * BigInt(points)) / 10_000n

export function explain(transaction: TransactionRow, given: Case): string | null {
  const { role, sample, uses } = given
  const rule = sample.types.find(({ name }) => name === transaction.type)
  if (!rule?.roles.includes(role)) return `${role} has posted ${nameOf(transaction)}`
  switch (transaction.type) {
    case 'deposit':
    case 'suspenseDeposit':
    case 'reserveFunding':
    case 'coldMove':
    case 'coldReturn':
    case 'burn':
    case 'dividendFunding': {
      const taken = transaction.legs.find(({ owner, amount }) => owner !== '0' && BigInt(amount) < 0n)
      if (taken) return `${nameOf(transaction)} takes ${taken.amount} from ${taken.owner}`
      return uses.accept(role, 'invented chain log', nameOf(transaction))
    }
    case 'suspenseCredit':
      return explainSuspense(transaction, given)
    case 'orderReserve':
    case 'orderRelease':
      return explainFreeze(transaction, given)
    case 'promotionByBalance':
    case 'promotionPaid':
      return explainPromotion(transaction, given)
    case 'pledgeByBalance':
    case 'pledgePaid':
      return explainPledge(transaction, given)
    case 'pledgeReturn': {
      const cause = given.after.pledges.find(({ id }) => transaction.key === `pledge:${id}:return`)
      if (!cause?.returned || dayNumber(given.after.now) < cause.endDay)
        return `${nameOf(transaction)} returns no ended pledge`
      const { member, amount } = cause
      return compare(transaction, {
        [`available BTN ${member}`]: BigInt(amount),
        [`pledged BTN ${member}`]: -BigInt(amount),
      })
    }
    case 'airdropForActive':
    case 'airdropForPromotion':
    case 'airdropForAgent':
    case 'airdropForPartner':
      return explainAirdrop(transaction, given)
    case 'agentReward': {
      const moved = changesOf(transaction).get(`available USDT ${transaction.member}`) ?? 0n
      return compare(transaction, {
        [`available USDT ${transaction.member}`]: moved,
        [`agentUnclaimed USDT ${transaction.member}`]: -moved,
      })
    }
    // Whether the sums are due is checked for all pledges and partners at once, in sums.ts.
    case 'pointReward':
    case 'pledgeRest':
      return explainShare(transaction, 'dividend:payable BTC 0', 'BTC')
    case 'partnerReward':
      return explainShare(transaction, 'partner:payable USDT 0', 'USDT')
    case 'partnerClose':
    case 'partnerUnshared':
      return explainPartnerDay(transaction, given)
    case 'dividendClose': {
      const day = Number(/^day:([0-9]+):/.exec(transaction.key)?.[1] ?? -1)
      if (!given.after.days.includes(day)) return `${nameOf(transaction)} is about a day that is not closed`
      if (given.before.days.includes(day)) return `${nameOf(transaction)} is about a day that was closed before`
      return transaction.legs.some(({ owner }) => owner !== '0') ? `${nameOf(transaction)} touches a member` : null
    }
    default:
      return explainPayout(transaction, given)
  }
}

/** A partner day moves exactly its amount: to the partners, or to the mining fund if there is no partner. */
function explainPartnerDay(transaction: TransactionRow, { before, after }: Case): string | null {
  const row = after.partnerDays.find(({ day }) => transaction.key === `day:${day}:partner`)
  if (!row) return `${nameOf(transaction)} is about a day that is not closed for the partners`
  if (before.partnerDays.some(({ day }) => day === row.day))
    return `${nameOf(transaction)} is about a day that was closed for the partners before`
  const receiver = BigInt(row.partners) > 0n ? 'partner:payable USDT 0' : 'pool:mining USDT 0'
  return compare(transaction, { 'partner:funded USDT 0': -BigInt(row.amount), [receiver]: BigInt(row.amount) })
}

const dayNumber = (time: string): number => Math.floor(Date.parse(time) / 86_400_000)

function explainSuspense(transaction: TransactionRow, { after }: Case): string | null {
  for (const { kind, owner, amount } of transaction.legs) {
    if (kind === 'available' && owner !== transaction.member) return `${nameOf(transaction)} credits ${owner}`
    if (BigInt(amount) > 0n) continue
    const holder = after.suspenseHolders.find((each) => each.owner === owner)
    const member = after.members.find(({ account }) => account === holder?.address)
    if (member?.id !== transaction.member) return `${nameOf(transaction)} takes what belongs to ${holder?.address}`
  }
  return null
}

function explainFreeze(transaction: TransactionRow, { after, before, role, uses }: Case): string | null {
  const order = after.orders.find(({ id }) => id === idIn(transaction.key))
  if (!order || order.member !== transaction.member) return `${nameOf(transaction)} has no order of its member`
  const isRelease = transaction.type === 'orderRelease'
  if (isRelease && order.ended !== 'failed') return `${nameOf(transaction)} unfreezes an order that has not failed`
  const part = isRelease ? -BigInt(order.part) : BigInt(order.part)
  const { asset, member } = order
  const difference = compare(transaction, {
    [`available ${asset} ${member}`]: -part,
    [`frozenOrder ${asset} ${member}`]: part,
  })
  if (difference !== null) return difference
  if (isRelease) return uses.accept(role, 'order ended early', nameOf(transaction))
  const isNew = !before.orders.some(({ id }) => id === order.id)
  if (!isNew) return `${nameOf(transaction)} freezes for an order that was there before`
  return uses.accept(role, 'order in a member’s name', nameOf(transaction))
}

/** The settled order of this transaction. An order is settled by its key or by its log, never by both. */
function settledOrder(transaction: TransactionRow, { after, before }: Case, type: number): OrderRow | string {
  const isOnline = transaction.type.endsWith('Paid')
  const order = after.orders.find(({ id, log }) =>
    isOnline ? log === logIn(transaction.key) : transaction.key === `order:${id}:settle`,
  )
  if (order?.type !== type || order.ended !== 'success') return `${nameOf(transaction)} settles no order`
  if (isOnline !== (order.log !== null)) return `${nameOf(transaction)} settles an order that is paid in another way`
  if (!isOnline && order.member !== transaction.member)
    return `${nameOf(transaction)} settles an order of member ${order.member}`
  if (before.orders.find(({ id }) => id === order.id)?.ended)
    return `${nameOf(transaction)} settles an order that had ended`
  return order
}

export const PROMOTION = 1
const PLEDGE = 3

function explainPledge(transaction: TransactionRow, given: Case): string | null {
  const order = settledOrder(transaction, given, PLEDGE)
  if (typeof order === 'string') return order
  const { member, amount, part, term } = order
  const { plan } = given.sample
  const sold = plan.pledgeTerms.find(({ days }) => days === term)
  const whole = BigInt(amount) / 10n ** 18n
  if (!sold || BigInt(order.weight ?? 0) !== whole * BigInt(sold.weight))
    return `${nameOf(transaction)} is not what the plan sells`
  const difference = compare(transaction, {
    [`frozenOrder BTN ${member}`]: -BigInt(part),
    'custody:vault BTN 0': BigInt(part) - BigInt(amount),
    [`pledged BTN ${member}`]: BigInt(amount),
  })
  return difference ?? acceptPurchase(transaction, given)
}

const acceptPurchase = (transaction: TransactionRow, { role, uses }: Case): string | null =>
  uses.accept(
    role,
    transaction.type.endsWith('Paid') || role === 'lode_worker' ? 'invented chain log' : 'order in a member’s name',
    nameOf(transaction),
  )

const LAYERS = 5

/** The members whom the plan gives something for this promotion, and the most that each gets, by account. */
function sharesByPlan(order: OrderRow, { after, sample }: Case): Map<string, bigint> {
  const members = new Map(after.members.map((each) => [each.id, each]))
  const experts = new Set(after.experts.map(({ member }) => member))
  const { allocation } = sample.plan
  const most = new Map<string, bigint>()
  const give = (account: string, member: MemberRow | undefined, points: number): void => {
    if (!member || member.level < (order.level ?? 0)) return
    most.set(
      `${account} USDT ${member.id}`,
      (most.get(`${account} USDT ${member.id}`) ?? 0n) + share(order.amount, points),
    )
  }
  const buyer = members.get(order.member)
  give('available', members.get(buyer?.sponsor ?? ''), allocation.promotion ?? 0)
  let above = members.get(buyer?.parent ?? '')
  let isExpertFound = false
  for (let layer = 1; layer <= LAYERS && above; layer += 1) {
    give('available', above, (allocation.upLevel ?? 0) / LAYERS)
    if (!isExpertFound && experts.has(above.id)) {
      isExpertFound = true
      give('agentUnclaimed', above, allocation.agent ?? 0)
    }
    above = members.get(above.parent ?? '')
  }
  return most
}

function explainPromotion(transaction: TransactionRow, given: Case): string | null {
  const order = settledOrder(transaction, given, PROMOTION)
  if (typeof order === 'string') return order
  const { plan } = given.sample
  const level = plan.levels[order.level ?? 0]
  if (!level || BigInt(order.amount) !== BigInt(Math.round(Number(level.price) * 1e6)))
    return `${nameOf(transaction)} costs another price than the plan’s`
  const changes = changesOf(transaction)
  const left = sharesByPlan(order, given)
  for (const [account, amount] of changes) {
    if (account === `frozenOrder USDT ${order.member}`) {
      if (amount !== -BigInt(order.part))
        return `${nameOf(transaction)} takes ${-amount} from the balance, not ${order.part}`
    } else if (!account.endsWith(' 0') && amount > (left.get(account) ?? 0n))
      return `${nameOf(transaction)} gives ${account} ${amount}; the plan gives ${left.get(account) ?? 0n}`
    else if (amount < 0n && account !== 'custody:vault USDT 0')
      return `${nameOf(transaction)} takes ${-amount} from ${account}`
  }
  for (const [account, points] of [
    ['pool:liquidity USDT 0', plan.allocation.liquidity],
    ['pool:operations USDT 0', plan.allocation.operations],
    ['partner:funded USDT 0', plan.allocation.partner],
  ] as const)
    if ((changes.get(account) ?? 0n) !== share(order.amount, points ?? 0))
      return `${nameOf(transaction)} gives ${account} another part than the plan`
  if ((changes.get('custody:vault USDT 0') ?? 0n) !== BigInt(order.part) - BigInt(order.amount))
    return `${nameOf(transaction)} is not paid`
  return acceptPurchase(transaction, given)
}

function explainAirdrop(transaction: TransactionRow, { after, before, sample }: Case): string | null {
  const { member, key, type } = transaction
  const { plan } = sample
  const isAppointed = type === 'airdropForAgent' || type === 'airdropForPartner'
  const order = after.orders.find(({ id }) => key === `order:${id}:airdrop`)
  const whole = (text: string): bigint => BigInt(text) * 10n ** 18n
  if (isAppointed) {
    const appointed = (type === 'airdropForAgent' ? after.experts : after.partners).find(
      (each) => each.member === member,
    )
    const decision = before.decisions.find(({ id }) => id === appointed?.decision)
    if ((decision?.signatures ?? 0) < 2) return `${nameOf(transaction)} is for a member whom nobody has appointed`
  } else if (order?.ended !== 'success' || order.member !== member)
    return `${nameOf(transaction)} is for no settled order`
  const airdrops = plan as unknown as { agentAirdrop: string; partnerAirdrop: string }
  const due = isAppointed
    ? whole(type === 'airdropForAgent' ? airdrops.agentAirdrop : airdrops.partnerAirdrop)
    : whole(plan.levels[order?.level ?? 0]?.airdrop ?? '0')
  const reserve = type === 'airdropForPromotion' ? 'reserve:promotion' : 'reserve:airdrop'
  return compare(transaction, { [`${reserve} BTN 0`]: -due, [`available BTN ${member}`]: due })
}

function explainShare(transaction: TransactionRow, from: string, asset: string): string | null {
  const [receiver] = transaction.legs.filter(({ owner }) => owner !== '0')
  if (!receiver) return `${nameOf(transaction)} pays nobody`
  const given = BigInt(receiver.amount)
  if (given <= 0n) return `${nameOf(transaction)} takes ${-given} from ${receiver.owner}`
  if (transaction.member !== '0' && transaction.member !== receiver.owner)
    return `${nameOf(transaction)} pays ${receiver.owner}`
  return compare(transaction, { [from]: -given, [`available ${asset} ${receiver.owner}`]: given })
}

const PAYOUT_KINDS = { transfer: 'transfer', treasury: 'treasury', suspense: 'suspense' } as const

function explainPayout(transaction: TransactionRow, given: Case): string | null {
  const { type, key } = transaction
  const { after, before, role, uses } = given
  const isPaid = type.endsWith('Paid')
  const kind = Object.values(PAYOUT_KINDS).find((each) => type.startsWith(each))
  const payout = after.payouts.find(({ id, log }) => (isPaid ? log === logIn(key) : id === idIn(key)))
  if (!kind || payout?.kind !== kind) return `${nameOf(transaction)} is about no payout`
  const isGivenBack = type.endsWith('Release') || type.endsWith('Undone')
  const earlier = before.payouts.find(({ id }) => id === payout.id)
  if (earlier?.ended) return `${nameOf(transaction)} is about a payout that had ended`
  if (isPaid !== (payout.ended === 'final'))
    return `${nameOf(transaction)} is about a payout that is ${payout.ended ?? 'open'}`
  if (isGivenBack && payout.ended === null) return `${nameOf(transaction)} gives back the money of an open payout`
  if (kind !== 'transfer') {
    const decision = before.decisions.find(({ id }) => id === payout.decision)
    if ((decision?.signatures ?? 0) < 2) return `${nameOf(transaction)} is a payment that two operators have not signed`
    const touched = transaction.legs.find(({ owner }) => BigInt(owner) > 0n)
    return touched ? `${nameOf(transaction)} touches member ${touched.owner}` : null
  }
  const difference = compare(transaction, transferChanges(payout, isPaid, isGivenBack))
  if (difference !== null) return difference
  if (isPaid) return uses.accept(role, 'invented chain log', nameOf(transaction))
  if (!isGivenBack) return uses.accept(role, 'transfer in a member’s name', nameOf(transaction))
  if (earlier && earlier.release !== null)
    return uses.accept(role, 'step back of a signed transfer', `${nameOf(transaction)} unfreezes a signed transfer`)
  // A member may cancel, so the api may too. Otherwise the operators or the token have refused it.
  return payout.ended === 'cancelled' ? null : uses.accept(role, 'transfer rejected', nameOf(transaction))
}

function transferChanges(
  { member, asset, amount, fee, burned }: PayoutRow,
  isPaid: boolean,
  isGivenBack: boolean,
): Expected {
  const total = BigInt(amount) + BigInt(fee)
  if (isPaid)
    return {
      [`frozenOut ${asset} ${member}`]: -total,
      [`custody:vault ${asset} 0`]: BigInt(amount),
      [`pool:operations ${asset} 0`]: BigInt(fee) - BigInt(burned),
      [`burn:due ${asset} 0`]: BigInt(burned),
    }
  const aside = isGivenBack ? -total : total
  return { [`available ${asset} ${member}`]: -aside, [`frozenOut ${asset} ${member}`]: aside }
}
