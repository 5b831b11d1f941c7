import { assets } from '@lode/kernel'
import { orderTypes, paymentMethods } from '@lode/wire'
import { livesOf, type Size } from './lives.ts'
import { Member } from './member.ts'

/** What the accounts of the cast see after signing in, one entry for each kind, in the terms of the wire. */
export async function sightsOf(origin: string, size: Size): Promise<Set<string>> {
  const seen: string[] = []
  for (const life of livesOf(size)) {
    if (life.role === null) continue
    const member = new Member(origin, size.seed, life)
    const isDisabled = life.role === 'disabled'
    await member.signIn({ exit: isDisabled })
    seen.push(...(await orders(member)), ...(await pledges(member)), ...(await lines(member)))
    if (!isDisabled) seen.push(...(await rewards(member)))
    seen.push(`${life.role}: partner ${(await member.as('partner/status', {})).standing}`)
  }
  return new Set(seen)
}

const methodNames = new Map<number, string>(Object.entries(paymentMethods).map(([name, number]) => [number, name]))

async function orders(member: Member): Promise<string[]> {
  const lists = await Promise.all(
    (['1', '2', '3'] as const).map((type) => member.as('order/list', { type, limit: '100' })),
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

async function pledges(member: Member): Promise<string[]> {
  const { items } = await member.as('pledge/records', { limit: '100' })
  return items.map(({ status }) => `pledge record ${status}`)
}

async function lines(member: Member): Promise<string[]> {
  const found: string[] = []
  for (const symbol of assets)
    for await (const { type, status } of allOf(async (page) => {
      const { lines: items, next } = await member.as('wallet/log', { symbol, ...page })
      return { items, next }
    }))
      found.push(`line ${type}`, `line ${status}`)
  return found
}

async function rewards(member: Member): Promise<string[]> {
  const found: string[] = []
  for await (const { type, status, reason } of allOf((page) => member.as('promotion/rewards', page)))
    found.push(`reward ${type} ${status}`, ...(reason ? [`reward missed: ${reason}`] : []))
  return found
}

async function* allOf<Item>(
  read: (page: { limit: string; cursor?: string }) => Promise<{ items: Item[]; next: string | null }>,
): AsyncGenerator<Item> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { items, next } = await read({ limit: '100', ...(cursor === undefined ? {} : { cursor }) })
    yield* items
    cursor = next
  }
}
