import { units } from '@lode/kernel'
import type { Transaction } from '../ledger/index.ts'
import { orderLogLine, type PromotionRow, type Purchase } from '../orders/index.ts'
import type { Allocation, Reward } from './rules.ts'

/** Moves the price of a promotion from the frozen balance and the vault to its receivers. */
export function promotionPosting({ order, paid }: Purchase<PromotionRow>, allocation: Allocation): Transaction {
  const { id, memberId: member, amount, balancePart } = order
  const fromBalance = { from: { kind: 'frozenOrder', member, line: orderLogLine(order) }, amount: balancePart } as const
  const targets = targetsOf(order, allocation)
  if (!paid)
    return {
      type: 'promotionByBalance',
      member,
      key: `order:${id}:settle`,
      moves: pairSourcesWithTargets([fromBalance], targets),
    }
  const online = { from: 'custody:vault', amount: amount - balancePart } as const
  return {
    type: 'promotionPaid',
    key: paid.key,
    terms: paid.terms,
    moves: pairSourcesWithTargets([fromBalance, online], targets),
  }
}

const targetsOf = (order: PromotionRow, allocation: Allocation) =>
  [
    { to: 'pool:mining', amount: allocation.miningFund },
    { to: 'pool:liquidity', amount: allocation.liquidity },
    { to: 'pool:operations', amount: allocation.operations },
    { to: 'partner:funded', amount: allocation.partner },
    ...allocation.rewards.filter(({ failed }) => failed === null).map((reward) => rewardTarget(order, reward)),
  ] as const

function rewardTarget({ id }: PromotionRow, { member, type, amount }: Reward) {
  if (type === 'agentReward') return { to: { kind: 'agentUnclaimed', member }, amount } as const
  return { to: { kind: 'available', member, line: { type, operation: id } }, amount } as const
}

type Source = { readonly from: unknown; readonly amount: bigint }
type Target = { readonly to: unknown; readonly amount: bigint }

/** Pays the targets one after another, from the first source until it is empty, then the next. Both sums are equal. */
function pairSourcesWithTargets<S extends Source, T extends Target>(sources: readonly S[], targets: readonly T[]) {
  const left = sources.map(({ amount }) => amount)
  return targets.flatMap(({ to, amount }: { to: T['to']; amount: bigint }) => {
    let missing = amount
    return sources.flatMap(({ from }: { from: S['from'] }, index) => {
      const remaining = left[index] ?? 0n
      const isEnough = remaining >= missing
      const taken = isEnough ? missing : remaining
      left[index] = remaining - taken
      missing -= taken
      return taken === 0n ? [] : [{ asset: 'USDT', amount: units('USDT', taken), from, to } as const]
    })
  })
}

/** The airdrop is paid in full or not at all, because the reserve may be empty. Null if the level has none. */
export function airdropPosting({ id, memberId: member, level, airdrop }: PromotionRow): Transaction | null {
  if (airdrop === 0n) return null
  const common = { member, key: `order:${id}:airdrop` }
  const move = { asset: 'BTN', amount: units('BTN', airdrop) } as const
  if (level === 1) {
    const to = { kind: 'available', member, line: { type: 'airdropForActive', operation: id } } as const
    return { ...common, type: 'airdropForActive', moves: [{ ...move, from: 'reserve:airdrop', to }] }
  }
  const to = { kind: 'available', member, line: { type: 'airdropForPromotion', operation: id } } as const
  return { ...common, type: 'airdropForPromotion', moves: [{ ...move, from: 'reserve:promotion', to }] }
}
