import { assets, parseAmount } from '@lode/kernel'
import { type DataOf, type RequestOf, type RouteName, routes } from '@lode/wire'
import type { Actor } from '../actor.ts'
import { call } from '../api-client.ts'
import { members, someLineWorks } from '../conditions.ts'
import type { Random } from '../random.ts'
import { signIn, untilAnswered } from '../sign-in.ts'
import { type Command, Violation, type World } from '../world.ts'

/** What a member sees: never more than the chain's final blocks brought, and never less than was seen before. */
export const readPages: Command = {
  name: 'read pages',
  weight: 10,
  may: (world) => someLineWorks(world) && members(world).length > 0,
  async run(world, random) {
    const actor = random.pick(members(world))
    await readWallet(world, actor, random)
    return `${actor.name} looks at profile, wallet and log`
  },
}

/** Answers with what is the member's, by symbol: what can be used and what is put aside. */
export async function readWallet(world: World, actor: Actor, random: Random): Promise<Map<string, bigint>> {
  const { account } = actor
  const profile = await ask(world, actor, 'account/profile', { account })
  if (profile.account !== account) throw new Violation(`${actor.name} was shown the profile of ${profile.account}`)
  const { items } = await ask(world, actor, 'wallet/assets', { account })
  const final = await world.checker.finalDepositsOf(account)
  const held = new Map<string, bigint>()
  for (const { symbol, balance, freeze } of items) {
    const amount = units(symbol, balance) + units(symbol, freeze)
    const most = final.get(symbol) ?? 0n
    const least = actor.balanceSeen.get(symbol) ?? 0n
    if (amount > most) throw new Violation(`${actor.name} is shown ${amount} ${symbol} of ${most} that are final`)
    if (amount < least) throw new Violation(`${actor.name} is shown ${amount} ${symbol} after ${least}`)
    actor.balanceSeen.set(symbol, amount)
    held.set(symbol, amount)
  }
  await readLog(world, actor, random, final)
  return held
}

async function readLog(world: World, actor: Actor, random: Random, final: ReadonlyMap<string, bigint>): Promise<void> {
  const symbol = random.pick(assets)
  const limit = String(random.between(1, 10))
  const seen = new Set<string>()
  let cursor: string | null = null
  let credited = 0n
  do {
    const request: RequestOf<'wallet/log'> = { account: actor.account, symbol, limit, ...(cursor ? { cursor } : {}) }
    const page: DataOf<'wallet/log'> = await ask(world, actor, 'wallet/log', request)
    for (const { id, status, direction, type, amount } of page.lines) {
      if (seen.has(id)) throw new Violation(`${actor.name}'s log of ${symbol} has line ${id} twice`)
      seen.add(id)
      if (status === 'confirmed' && direction === 'in' && (type === 'transferIn' || type === 'suspenseCredit'))
        credited += units(symbol, amount)
    }
    cursor = page.next
  } while (cursor)
  const most = final.get(symbol) ?? 0n
  if (credited > most) throw new Violation(`${actor.name}'s log has ${credited} ${symbol} of ${most} that are final`)
}

/** Signs in again where the session has ended; whatever else is refused, or has another form, is wrong. */
async function ask<Name extends RouteName>(
  world: World,
  actor: Actor,
  name: Name,
  input: RequestOf<Name>,
): Promise<DataOf<Name>> {
  for (let attempt = 1; ; attempt += 1) {
    const token = actor.token ?? ''
    const reply = await untilAnswered(world, () => call(world.stack.origin, name, input, { token }))
    if (reply.status === 401 && attempt === 1) {
      await signIn(world, actor)
      continue
    }
    if (reply.status !== 200) throw new Violation(`${name} answered ${actor.name}: ${JSON.stringify(reply.body)}`)
    const parsed = routes[name].data.safeParse(reply.body.data)
    if (!parsed.success) throw new Violation(`${name} has another form than it should: ${parsed.error.message}`)
    return reply.body.data
  }
}

const DECIMALS = { USDT: 6, BTN: 18, BTC: 8 } as const

function units(symbol: keyof typeof DECIMALS, text: string): bigint {
  const amount = parseAmount(symbol, DECIMALS[symbol], text)
  if (!amount.ok) throw new Violation(`${text} is no amount of ${symbol}: ${amount.error}`)
  return amount.value
}
