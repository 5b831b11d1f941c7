import { assets } from '@lode/kernel'
import { type DataOf, orderTypes, type RequestOf } from '@lode/wire'
import type { StatementTerms } from '../checker/check.ts'
import { isAnyNodeReachable, membersWhoCanSign } from '../conditions.ts'
import type { Actor } from '../members/actor.ts'
import { unitsOf } from '../members/amount.ts'
import { callAs } from '../members/call-as.ts'
import type { Random } from '../random.ts'
import { type Command, Violation, type World } from '../world.ts'

/** The pages that a member reads agree with the ledger, which may change meanwhile. */
export const readPages: Command = {
  name: 'read pages',
  weight: 10,
  isPossible: (world) => isAnyNodeReachable(world) && membersWhoCanSign(world).length > 0,
  async run(world, random) {
    const actor = random.pick(membersWhoCanSign(world))
    await readWallet(world, actor, random)
    await readStatement(world, actor)
    await readTransfers(world, actor)
    for (const type of ['1', '3'] as const) await readOrders(world, actor, type)
    await callAs(world, actor, 'order/payments', { account: actor.account, limit: '9' })
    await callAs(world, actor, 'promotion/rewards', { account: actor.account, limit: '9' })
    await readProduction(world, actor)
    return `${actor.name} looks at profile, wallet, log, transfers, promotions and pledges`
  },
}

/** Every transfer that the api acknowledged is in the list, with its terms and the reason why it waits. */
async function readTransfers(world: World, actor: Actor): Promise<void> {
  const { account } = actor
  const listed = new Map<string, DataOf<'transfer/order'>>()
  let cursor: string | null = null
  do {
    const request: RequestOf<'order/list'> = { account, type: '2', limit: '7', ...(cursor ? { cursor } : {}) }
    const page: DataOf<'order/list'> = await callAs(world, actor, 'order/list', request)
    if (page.type !== orderTypes.transferOut) throw new Violation('transfers were asked for, and others were listed')
    for (const order of page.items) {
      if (listed.has(order.id)) throw new Violation(`${actor.name}'s transfer ${order.id} is listed twice`)
      listed.set(order.id, order)
    }
    cursor = page.next
  } while (cursor)
  for (const transfer of world.acknowledged.transfers.values()) {
    if (transfer.account !== account) continue
    const shown = listed.get(transfer.id)
    if (!shown) throw new Violation(`${actor.name}'s transfer ${transfer.id} is not listed`)
    if (unitsOf(shown.symbol, shown.amount) !== transfer.amount || shown.address.toLowerCase() !== transfer.address)
      throw new Violation(`${actor.name}'s transfer ${transfer.id} is shown as ${JSON.stringify(shown)}`)
    if (shown.state === 'held' && shown.holds.length === 0)
      throw new Violation(`${actor.name}'s transfer ${transfer.id} is held without a reason`)
    const isOver = world.acknowledged.canceledTransfers.has(transfer.id)
    if (isOver && shown.state !== 'cancelled')
      throw new Violation(`${actor.name}'s cancelled transfer ${transfer.id} is shown as ${shown.state}`)
  }
}

/** Every order that the api acknowledged is in the list, with its terms. Exactly the payable ones have a quote. */
async function readOrders(world: World, actor: Actor, type: '1' | '3'): Promise<void> {
  const { account } = actor
  const listed = new Map<string, DataOf<'promotion/order'> | DataOf<'pledge/order'>>()
  let cursor: string | null = null
  do {
    const request: RequestOf<'order/list'> = { account, type, limit: '7', ...(cursor ? { cursor } : {}) }
    const page: DataOf<'order/list'> = await callAs(world, actor, 'order/list', request)
    if (page.type === orderTypes.transferOut || page.type !== Number(type))
      throw new Violation(`orders of type ${type} were asked for, and others were listed`)
    for (const order of page.items) {
      if (listed.has(order.id)) throw new Violation(`${actor.name}'s order ${order.id} is listed twice`)
      listed.set(order.id, order)
      if ((order.quote !== null) !== (order.state === 'paying'))
        throw new Violation(`${actor.name}'s order ${order.id} is ${order.state} with the quote ${order.quote}`)
    }
    cursor = page.next
  } while (cursor)
  for (const order of world.acknowledged.orders.values()) {
    if (order.account !== account || (order.level === null) !== (type === '3')) continue
    const shown = listed.get(order.id)
    const [bought, symbol] = shown?.type === 1 ? [shown.level, 'USDT' as const] : [shown?.termDays, 'BTN' as const]
    const isSame = shown?.planVersion === order.planVersion && bought === (order.level ?? order.termDays)
    if (!isSame || unitsOf(symbol, shown.amount) !== order.amount || unitsOf(symbol, shown.balancePart) !== order.part)
      throw new Violation(`${actor.name}'s order ${order.id} is shown as ${JSON.stringify(shown)}`)
  }
}

/** The dividends on the page equal the checker's, in sum and for each pledge. Days may close meanwhile. */
async function readProduction(world: World, actor: Actor): Promise<void> {
  const { account } = actor
  const before = await world.checker.entitlementOf(account, 'BTC')
  const { produced, collected } = await callAs(world, actor, 'pledge/overview', { account })
  const { items } = await callAs(world, actor, 'pledge/records', { account, limit: '50' })
  const after = await world.checker.entitlementOf(account, 'BTC')
  const sums = [
    unitsOf('BTC', produced) + unitsOf('BTC', collected),
    items.reduce((sum, each) => sum + unitsOf('BTC', each.produced) + unitsOf('BTC', each.collected), 0n),
  ]
  for (const sum of sums)
    if (sum < before.entitled || sum > after.entitled)
      throw new Violation(
        `${actor.name} is shown a dividend of ${sum}, and has ${before.entitled} to ${after.entitled}`,
      )
  const paid = unitsOf('BTC', collected)
  if (paid < before.paid || paid > after.paid)
    throw new Violation(`${actor.name} is shown ${paid} collected, and has ${before.paid} to ${after.paid}`)
  await callAs(world, actor, 'pledge/days', { account, limit: '9' })
}

/** Returns the member's holdings by asset: available plus frozen. */
export async function readWallet(world: World, actor: Actor, random: Random): Promise<Map<string, bigint>> {
  const { account } = actor
  const profile = await callAs(world, actor, 'account/profile', { account })
  if (profile.account !== account) throw new Violation(`${actor.name} was shown the profile of ${profile.account}`)
  const before = await world.checker.holdingsOf(account)
  const { items } = await callAs(world, actor, 'wallet/assets', { account })
  const after = await world.checker.holdingsOf(account)
  const held = new Map<string, bigint>()
  for (const { symbol, balance, freeze } of items) {
    const amount = unitsOf(symbol, balance) + unitsOf(symbol, freeze)
    const [was, is] = [before.get(symbol), after.get(symbol)]
    if (!was || !is) throw new Violation(`${actor.name} is shown ${symbol}, which nobody knows`)
    const [least, most] = [was.total - (is.lost - was.lost), was.total + (is.gained - was.gained)]
    if (amount < least || amount > most)
      throw new Violation(`${actor.name} is shown ${amount} ${symbol}, and has ${least} to ${most}`)
    held.set(symbol, amount)
  }
  const final = await world.checker.finalDepositsOf(account)
  await readLog(world, actor, random, final)
  return held
}

/** A statement adds up at any time: for each asset to the unit, and in total in USDT. Returns its terms by asset. */
export async function readStatement(world: World, actor: Actor): Promise<Map<string, StatementTerms>> {
  const { accounts, total } = await callAs(world, actor, 'wallet/statement', { account: actor.account })
  const said = new Map<string, StatementTerms>()
  const expectSum = (symbol: string, { paidIn, received, spent, takenOut, held }: StatementTerms) => {
    if (paidIn + received - spent - takenOut !== held)
      throw new Violation(
        `${actor.name}'s statement of ${symbol}: ${paidIn} + ${received} − ${spent} − ${takenOut} ≠ ${held}`,
      )
  }
  for (const { symbol, paidIn, received, spent, takenOut, held } of accounts) {
    const of = (amount: string) => unitsOf(symbol, amount)
    const flows = {
      paidIn: of(paidIn.amount),
      received: of(received.amount),
      spent: of(spent.amount),
      takenOut: of(takenOut),
      held: of(held.amount),
    }
    expectSum(symbol, flows)
    said.set(symbol, flows)
  }
  const cents = (amount: string) => unitsOf('USDT', amount)
  expectSum('all', {
    paidIn: cents(total.paidIn),
    received: cents(total.received),
    spent: cents(total.spent),
    takenOut: cents(total.takenOut),
    held: cents(total.held),
  })
  return said
}

async function readLog(world: World, actor: Actor, random: Random, final: ReadonlyMap<string, bigint>): Promise<void> {
  const symbol = random.pick(assets)
  const limit = String(random.between(1, 10))
  const seen = new Set<string>()
  let cursor: string | null = null
  let credited = 0n
  do {
    const request: RequestOf<'wallet/log'> = { account: actor.account, symbol, limit, ...(cursor ? { cursor } : {}) }
    const page: DataOf<'wallet/log'> = await callAs(world, actor, 'wallet/log', request)
    for (const { id, status, direction, type, amount } of page.lines) {
      if (seen.has(id)) throw new Violation(`${actor.name}'s log of ${symbol} has line ${id} twice`)
      seen.add(id)
      if (status === 'confirmed' && direction === 'in' && (type === 'transferIn' || type === 'suspenseCredit'))
        credited += unitsOf(symbol, amount)
    }
    cursor = page.next
  } while (cursor)
  const most = final.get(symbol) ?? 0n
  if (credited > most) throw new Violation(`${actor.name}'s log has ${credited} ${symbol} of ${most} that are final`)
}
