import { assets, dayNumber, startOfDay } from '@lode/kernel'
import { type OrderFailure, orderTypes, type RewardFailure, type RewardType } from '@lode/wire'
import type { MemberDocument } from '../../modules/support/index.ts'
import { deriveTransferProgress, type LoadedTransfer } from '../../modules/transfer/index.ts'
import { formatCoins, formatNumber, type PoolContracts } from '../../platform/config/pool-contracts.ts'
import { describeTransferState, describeWait } from './describe-transfer-wait.ts'
import { formatUtc } from './times.ts'

type Member = NonNullable<MemberDocument['member']>

/** The timeline of a member, for an operator who answers a question. */
export function describeMember(
  { incoming, suspense, member }: MemberDocument,
  transfers: readonly LoadedTransfer[],
  contracts: PoolContracts,
): string[] {
  const waiting = [
    ...incoming.map(
      ({ asset, amount, tx, seenAt, block }) =>
        `seen on ${formatUtc(seenAt)} in block ${block}, credited when the block is final: ${formatCoins(contracts, asset, amount)}, ${tx}`,
    ),
    ...suspense.map(
      ({ asset, amount }) => `waits until the address is registered: ${formatCoins(contracts, asset, amount)}`,
    ),
  ]
  if (!member) return ['Not registered.', ...section('Deposits:', waiting)]
  return [
    ...describeAccount(member),
    describeBalances(member, contracts),
    ...section('Deposits, the newest first:', [...waiting, ...describeDeposits(member, incoming, contracts)]),
    ...describeCut(member.credited),
    ...section('Orders, the newest first:', describeOrders(member, contracts)),
    ...describeCut(member.orders),
    ...section('Rewards, the newest first:', describeRewards(member, contracts)),
    ...describeCut(member.rewards),
    ...section('Pledges, the last to end first:', describePledges(member, contracts)),
    ...describeCut(member.pledges),
    ...section('Transfers, the newest first:', transfers.map(describeTransferWith(contracts))),
    ...describeCut(member.transfers),
  ]
}

const section = (title: string, lines: readonly string[]): string[] => [
  title,
  ...(lines.length > 0 ? lines.map((line) => `  ${line}`) : ['  none']),
]

const describeCut = ({ count, newest }: { count: number; newest: readonly unknown[] }): string[] =>
  count > newest.length ? [`  (the newest ${newest.length} of ${count})`] : []

function describeAccount({
  registeredAt,
  level,
  disabledAt,
  disabledBy,
  disabledBecause,
  protection,
  outputAddresses,
}: Member): string[] {
  const timed = [
    ['fund password changed, which holds transfers for 24 hours, on', protection?.passwordChangedAt],
    ['fund password locked after wrong tries until', protection?.passwordLockedUntil],
    ['reset of the fund password waits until', protection?.resetEndsAt],
    ['fund password was reset, which holds transfers for 24 hours, on', protection?.resetDoneAt],
    ['the member locked transfers until', protection?.transfersLockedUntil],
  ] as const
  return [
    `Registered on ${formatUtc(registeredAt)}, level ${level}`,
    ...(disabledAt
      ? [
          `DISABLED since ${formatUtc(disabledAt)}, by decision ${disabledBy ?? 'unknown'}${disabledBecause === null ? '' : `: ${disabledBecause}`}`,
        ]
      : []),
    ...section('Protections:', [
      protection?.passwordChosenAt ? 'has a fund password' : 'has no fund password yet: nothing that needs it works',
      ...timed.flatMap(([words, time]) => (time ? [`${words} ${formatUtc(time)}`] : [])),
      ...outputAddresses.map(
        ({ address, bindsAt, canceledAt }) =>
          `output address ${address}: ${canceledAt ? `canceled on ${formatUtc(canceledAt)}` : `bound from ${formatUtc(bindsAt)}`}`,
      ),
    ]),
  ]
}

function describeBalances({ balances }: Member, contracts: PoolContracts): string {
  const list = (part: 'available' | 'frozen') =>
    assets
      .map((asset) => formatCoins(contracts, asset, balances.find((one) => one.asset === asset)?.[part] ?? 0n))
      .join(', ')
  return `Balance: ${list('available')}; frozen ${list('frozen')}`
}

function describeDeposits(
  { credited, reported }: Member,
  incoming: MemberDocument['incoming'],
  contracts: PoolContracts,
): string[] {
  const known = new Set([
    ...incoming.map(({ tx }) => tx as string),
    ...credited.newest.map(({ log }) => log.split(':')[0] ?? ''),
  ])
  return [
    ...reported
      .filter(({ tx }) => !known.has(tx))
      .map(
        ({ asset, amount, tx, at }) =>
          `sent, as the member’s browser said on ${formatUtc(at)}, and NOT SEEN on the chain: ${formatCoins(contracts, asset, amount)}, ${tx}`,
      ),
    ...credited.newest.map(({ asset, amount, log, at, isFromSuspense }) => {
      const source = isFromSuspense ? 'from what had waited (sent before the registration, or to cold storage)' : log
      return `credited on ${formatUtc(at)}: ${formatCoins(contracts, asset, amount)}, ${source}`
    }),
  ]
}

const describeOrders = ({ orders }: Member, contracts: PoolContracts): string[] =>
  orders.newest.map((order) => {
    const kind = order.type === orderTypes.promotion ? 'promotion' : 'pledge'
    const price = `${formatCoins(contracts, order.asset, order.amount)}, of which ${formatNumber(contracts, order.asset, order.fromBalance)} from the balance`
    return `${formatUtc(order.madeAt)}  ${kind}, ${price}: ${describeOrderState(order)}`
  })

function describeOrderState({
  ended,
  endedAt,
  failure,
  deadline,
  submittedTx,
  paidTx,
}: Member['orders']['newest'][number]) {
  const on = endedAt ? ` on ${formatUtc(endedAt)}` : ''
  if (ended === 'success') return `done${on}${paidTx ? `, paid by ${paidTx}` : ''}`
  if (ended === 'failed') return `${failure ? orderFailureWords[failure] : 'ended without a known reason'}${on}`
  const sent = submittedTx ? `; the wallet sent ${submittedTx}` : ''
  return deadline ? `to be paid until ${formatUtc(deadline)}${sent}` : 'being settled'
}

const orderFailureWords: Readonly<Record<OrderFailure, string>> = {
  cancelled: 'canceled by the member',
  expired: 'not paid in time, and ended',
  'level-already-held': 'ended, because the member had reached this level before it was paid,',
}

const rewardWords: Readonly<Record<RewardType, string>> = {
  promotionReward: 'Referral reward',
  upLevelReward: 'Up-level reward',
  agentReward: 'Thanksgiving reward',
}

/** Why a reward went to the mining fund instead. */
const missedBecause: Readonly<Record<RewardFailure, string>> = {
  'not-activated': 'the member was not activated at that time',
  'level-below': 'the member’s level was below that of the promotion',
  'count-reached': 'the member had received as many referral rewards as its level allowed at that time',
}

const describeRewards = ({ rewards }: Member, contracts: PoolContracts): string[] =>
  rewards.newest.map(({ type, amount, failed, layer, at, order }) => {
    const where = layer === null ? '' : ` from layer ${layer}`
    const outcome = failed === null ? 'received' : `MISSED, because ${missedBecause[failed]}`
    return `${formatUtc(at)}  ${rewardWords[type]}${where}, ${formatCoins(contracts, 'USDT', amount)}: ${outcome} (order ${order})`
  })

const describePledges = ({ pledges }: Member, contracts: PoolContracts): string[] =>
  pledges.newest.map(({ amount, startDay, endDay, received, returnedAt }) => {
    const days = `from ${formatDay(startDay)} to ${formatDay(endDay)}`
    const state = returnedAt ? `returned on ${formatUtc(returnedAt)}` : 'not returned yet'
    return `${formatCoins(contracts, 'BTN', amount)} ${days}, collected ${formatCoins(contracts, 'BTC', received)} so far: ${state}`
  })

const formatDay = (day: number): string => startOfDay(dayNumber(day)).toISOString().slice(0, 10)

const describeTransferWith =
  (contracts: PoolContracts) =>
  (transfer: LoadedTransfer): string => {
    const { id, asset, amount, requestedAt, address, endedAt } = transfer.row
    const { state, tx } = deriveTransferProgress(transfer)
    const isWaiting = state === 'held' || state === 'approved'
    const stage = isWaiting ? describeWait(transfer) : describeTransferState(state)
    const end = endedAt ? ` on ${formatUtc(endedAt)}` : ''
    const note = transfer.rejectionNote ? `, because ${transfer.rejectionNote}` : ''
    return `${formatUtc(requestedAt)}  ${id}  ${formatCoins(contracts, asset, amount)} to ${address}: ${stage}${end}${note}${tx ? `, ${tx}` : ''}`
  }

/** The same for a program. Amounts are in whole coins. */
export function memberData(
  account: string,
  { incoming, suspense, member }: MemberDocument,
  transfers: readonly LoadedTransfer[],
  contracts: PoolContracts,
) {
  const inCoins = <Item extends { asset: 'USDT' | 'BTN' | 'BTC'; amount: bigint }>({
    asset,
    amount,
    ...rest
  }: Item) => ({
    ...rest,
    symbol: asset,
    amount: formatNumber(contracts, asset, amount),
  })
  return {
    account,
    incoming: incoming.map(inCoins),
    suspense: suspense.map(inCoins),
    member: member && {
      ...member,
      balances: member.balances.map(({ asset, available, frozen }) => ({
        symbol: asset,
        available: formatNumber(contracts, asset, available),
        frozen: formatNumber(contracts, asset, frozen),
      })),
      reported: member.reported.map(inCoins),
      credited: { ...member.credited, newest: member.credited.newest.map(inCoins) },
      orders: {
        ...member.orders,
        newest: member.orders.newest.map((order) => ({
          ...inCoins(order),
          fromBalance: formatNumber(contracts, order.asset, order.fromBalance),
        })),
      },
      rewards: {
        ...member.rewards,
        newest: member.rewards.newest.map((reward) => ({
          ...inCoins({ ...reward, asset: 'USDT' }),
          missedBecause: reward.failed && missedBecause[reward.failed],
        })),
      },
      pledges: {
        ...member.pledges,
        newest: member.pledges.newest.map((pledge) => ({
          ...inCoins({ ...pledge, asset: 'BTN' }),
          received: formatNumber(contracts, 'BTC', pledge.received),
        })),
      },
      transfers: {
        count: member.transfers.count,
        newest: transfers.map((transfer) => ({
          id: transfer.row.id,
          ...inCoins({ asset: transfer.row.asset, amount: transfer.row.amount }),
          address: transfer.row.address,
          requestedAt: transfer.row.requestedAt,
          ...deriveTransferProgress(transfer),
        })),
      },
    },
  }
}
