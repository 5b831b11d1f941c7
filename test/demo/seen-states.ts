import { assets } from '@lode/kernel'
import { orderTypes, paymentMethods } from '@lode/wire'
import { Member } from './member.ts'
import { type DemoSize, drawMemberScripts } from './member-scripts.ts'

/** What the accounts of the cast see after signing in, one entry for each kind, in the terms of the wire. */
export async function readSeenStates(origin: string, size: DemoSize): Promise<Set<string>> {
  const seen: string[] = []
  for (const life of drawMemberScripts(size)) {
    if (life.role === null) continue
    const member = new Member(origin, size.seed, life)
    const isDisabled = life.role === 'disabled'
    await member.signIn({ exit: isDisabled })
    seen.push(...(await readOrderStates(member)), ...(await readPledgeStates(member)), ...(await readLogStates(member)))
    if (!isDisabled) seen.push(...(await readRewardStates(member)))
    seen.push(`${life.role}: partner ${(await member.call('partner/status', {})).standing}`)
  }
  return new Set(seen)
}

const methodNames = new Map<number, string>(Object.entries(paymentMethods).map(([name, number]) => [number, name]))

async function readOrderStates(member: Member): Promise<string[]> {
  const lists = await Promise.all(
    (['1', '2', '3'] as const).map((type) => member.call('order/list', { type, limit: '100' })),
  )
  return lists.flatMap((list) =>
    list.type === orderTypes.transferOut
      ? list.items.map(({ symbol, state }) => `transfer ${symbol} ${state}`)
      : list.items.map(
          ({ type, method, failure, state }) =>
            `${type === orderTypes.promotion ? 'promotion' : 'pledge'} ${methodNames.get(method)} ${failure ?? state}`,
        ),
  )
}

async function readPledgeStates(member: Member): Promise<string[]> {
  const { items } = await member.call('pledge/records', { limit: '100' })
  return items.map(({ status }) => `pledge record ${status}`)
}

async function readLogStates(member: Member): Promise<string[]> {
  const found: string[] = []
  for (const symbol of assets)
    for await (const { type, status } of readAllPages(async (page) => {
      const { lines: items, next } = await member.call('wallet/log', { symbol, ...page })
      return { items, next }
    }))
      found.push(`line ${type}`, `line ${status}`)
  return found
}

async function readRewardStates(member: Member): Promise<string[]> {
  const found: string[] = []
  for await (const { type, status, reason } of readAllPages((page) => member.call('promotion/rewards', page)))
    found.push(`reward ${type} ${status}`, ...(reason ? [`reward missed: ${reason}`] : []))
  return found
}

async function* readAllPages<Item>(
  read: (page: { limit: string; cursor?: string }) => Promise<{ items: Item[]; next: string | null }>,
): AsyncGenerator<Item> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { items, next } = await read({ limit: '100', ...(cursor === undefined ? {} : { cursor }) })
    yield* items
    cursor = next
  }
}
