import { type Hex, parseUnits } from 'viem'
import { fundToday } from '../commands/fund-dividend.ts'
import type { Actor } from '../members/actor.ts'
import { callAs } from '../members/call-as.ts'
import { drawPledge, pledge } from '../members/pledge.ts'
import { payCall, type Quote } from '../members/purchase.ts'
import { transferOut } from '../members/transfer.ts'
import { type Call, depositCall, type Money, transferCall } from '../members/wallet.ts'
import { waitUntil, waitUntilCaughtUp } from '../open-world.ts'
import type { Random } from '../random.ts'
import { BLOCKS_TO_FINALITY } from '../stack/chain.ts'
import type { NextVault } from '../stack/next-vault.ts'
import { payer } from '../stack/pool.ts'
import { plainMembers } from '../stops/probes.ts'
import { mineUntil } from '../stops/stop.ts'
import { Violation, type World } from '../world.ts'

type Order = { readonly buyer: Actor; readonly id: string; readonly quote: Quote }

/** What is on its way when the vault moves. */
export type OnItsWay = {
  readonly orders: readonly Order[]
  /** The payment of the last of these orders. It waits for a block, as the move does. */
  readonly payment: Hex
}

const usdtOf = ({ chain }: World, amount: string): Money => ({
  symbol: 'USDT',
  token: chain.contracts.usdt,
  amount: parseUnits(amount, 6),
})

const send = (world: World, { key }: Actor, { target, data }: Call): Promise<Hex> =>
  world.chain.send(key, { to: target, data })

/**
 * Makes orders, payments, a deposit, a funding and payouts, none of which is in a block yet. One deposit goes to the next
 * vault too early.
 */
export async function putOnItsWay(world: World, next: NextVault, random: Random): Promise<OnItsWay> {
  const members = random.shuffled(plainMembers(world))
  const [member] = members
  if (!member) throw new Error('there is no plain member')
  await fundToday(world, random)
  await payFromOldVault(world, members, random)
  await send(world, member, transferCall(next.address, usdtOf(world, '7')))
  const orders = await makeOrders(world, members, random)
  await world.chain.mine(BLOCKS_TO_FINALITY + 2)
  await waitUntilCaughtUp(world)
  await requestTransfers(world, members, random)
  await waitUntil(world, 'lets the signer send a release', async () => ((await isReleaseSent(world)) ? [] : ['none']))
  const last = orders.at(-1)
  if (!last) throw new Violation('nobody could order anything before the move')
  const { vault } = world.chain.contracts
  const payment = await send(world, last.buyer, payCall(vault, last.quote))
  await send(world, member, depositCall(vault, usdtOf(world, '50')))
  await fundToday(world, random)
  return { orders, payment }
}

/** Two orders that are to be paid online. */
async function makeOrders(world: World, members: readonly Actor[], random: Random): Promise<Order[]> {
  const orders: Order[] = []
  for (const buyer of members) {
    if (orders.length === 2) break
    const { order } = await pledge(world, buyer, { ...drawPledge(random), method: 'online', oddity: 'none' })
    if (order?.quote) orders.push({ buyer, id: order.id, quote: order.quote })
  }
  return orders
}

/** At least one payout is made by the old vault, so that its id can be tried again later. */
async function payFromOldVault(world: World, members: readonly Actor[], random: Random): Promise<void> {
  const ids = await requestTransfers(world, members, random)
  await mineUntil(world, 'pays from the old vault', async () => {
    const open = await world.checker.openOf(ids)
    return open.length < ids.length ? [] : ['nothing is paid']
  })
}

/** Returns the ids of those that were granted. */
async function requestTransfers(world: World, members: readonly Actor[], random: Random): Promise<string[]> {
  const ids: string[] = []
  for (const member of members) {
    const wish = { symbol: random.pick(['USDT', 'BTN', 'BTC'] as const), size: 'least', times: 1 } as const
    const { id, told } = await transferOut(world, member, { ...wish, key: random.hex32().slice(2, 34) })
    world.trace.log(`     ${told}`)
    if (id !== null) ids.push(id)
  }
  return ids
}

async function isReleaseSent({ chain }: World): Promise<boolean> {
  const { pending } = (await chain.request('txpool_content')) as { pending: Record<string, object> }
  return Object.keys(pending).some((sender) => sender.toLowerCase() === payer.address.toLowerCase())
}

/** After the move: the old vault takes no payment, deposit or funding. Plain transfers still arrive, and payouts wait. */
export async function tryOldVault(world: World, { orders }: OnItsWay, random: Random): Promise<void> {
  const { chain } = world
  const { vault } = chain.contracts
  const members = random.shuffled(plainMembers(world))
  const [unpaid] = orders
  const [member] = members
  if (!unpaid || !member) throw new Error('there is no order or no member')
  const refused = [
    await send(world, unpaid.buyer, payCall(vault, unpaid.quote)),
    await send(world, member, depositCall(vault, usdtOf(world, '2'))),
    await fundToday(world, random),
  ]
  const late = await sendLate(world, members)
  await chain.mine(1)
  for (const hash of refused)
    if (!(await hasReverted(world, hash))) throw new Violation(`the vault has moved and took something by ${hash}`)
  if (await hasReverted(world, late)) throw new Violation(`the transfer ${late} to the old vault did not arrive`)
  await requestTransfers(world, members.slice(0, 2), random)
}

/** A member sends tokens to the old vault by a plain transfer, which no contract can refuse. */
export async function sendLate(world: World, members = plainMembers(world)): Promise<Hex> {
  const [old] = world.chain.vaults
  const [member] = members
  if (!old || !member) throw new Error('there is no vault or no member')
  return send(world, member, transferCall(old, usdtOf(world, '3')))
}

const hasReverted = async ({ chain }: World, hash: Hex): Promise<boolean> =>
  (await chain.client.getTransactionReceipt({ hash })).status === 'reverted'

/** In the next vault: every order that is not paid gets another quote, and is paid with it. */
export async function finishOrders(world: World, { orders, payment }: OnItsWay): Promise<void> {
  const isPaid = !(await hasReverted(world, payment))
  for (const { buyer, id, quote: before } of isPaid ? orders.slice(0, -1) : orders) {
    const { quote } = await readOrder(world, buyer, id)
    if (!quote || quote.signature === before.signature)
      throw new Violation(`order ${id} cannot be paid in the next vault: ${JSON.stringify(quote)}`)
    await send(world, buyer, payCall(world.chain.contracts.vault, quote))
  }
  await world.chain.mine(BLOCKS_TO_FINALITY + 2)
  await waitUntilCaughtUp(world)
  for (const { buyer, id } of orders) {
    const { state } = await readOrder(world, buyer, id)
    if (state !== 'success') throw new Violation(`order ${id} was paid and is ${state}`)
  }
}

async function readOrder(world: World, buyer: Actor, id: string) {
  const order = await callAs(world, buyer, 'order/detail', { account: buyer.account, id })
  if (order.type === 2) throw new Error(`${id} is a transfer`)
  return order
}
