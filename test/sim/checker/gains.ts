import type { AssetName, Books } from './books.ts'

/** What members received from the pool, by member number and asset. */
type Gains = ReadonlyMap<bigint, Readonly<Record<AssetName, bigint>>>

/** What promotions, pledges and partnership brought each member, computed from their own rows alone. */
export function gainsOf({ orders, rewards, appointed, people, pledges, partnersPaid }: Books): Gains {
  const gains = new Map(Array.from(people.keys(), (id) => [id, { USDT: 0n, BTN: 0n, BTC: 0n }]))
  const add = (id: bigint, asset: AssetName, amount: bigint) => {
    const gain = gains.get(id)
    if (gain) gain[asset] += amount
  }
  for (const { member, ended, type, airdrop, airdropPaid } of orders)
    if (type === 1 && ended === 'success' && airdropPaid) add(member, 'BTN', airdrop)
  for (const { member, airdrop, airdropPaid } of appointed) if (airdropPaid) add(member, 'BTN', airdrop)
  for (const { member, type, failed, isClaimed, amount } of rewards)
    if (failed === null && (type !== 'agentReward' || isClaimed)) add(member, 'USDT', amount)
  for (const { member, paid } of pledges) add(member, 'BTC', paid)
  for (const [member, paid] of partnersPaid) add(member, 'USDT', paid)
  return gains
}
