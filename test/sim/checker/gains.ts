import type { Books } from './books.ts'

/** What members have by promotions beside what they brought, by number and symbol. */
type Gains = ReadonlyMap<bigint, { readonly USDT: bigint; readonly BTN: bigint }>

/** What promotions have brought each member and cost it, by the orders and rewards alone. */
export function gainsOf({ orders, rewards, appointed, people }: Books): Gains {
  const gains = new Map(Array.from(people.keys(), (id) => [id, { USDT: 0n, BTN: 0n }]))
  const add = (id: bigint, usdt: bigint, btn = 0n) => {
    const gain = gains.get(id)
    if (gain) Object.assign(gain, { USDT: gain.USDT + usdt, BTN: gain.BTN + btn })
  }
  for (const { member, ended, type, part, airdrop, airdropPaid } of orders)
    if (type === 1 && ended === 'success') add(member, -part, airdropPaid ? airdrop : 0n)
  for (const { member, airdrop, airdropPaid } of appointed) if (airdropPaid) add(member, 0n, airdrop)
  for (const { member, type, failed, isClaimed, amount } of rewards)
    if (failed === null && (type !== 'agentReward' || isClaimed)) add(member, amount)
  return gains
}
