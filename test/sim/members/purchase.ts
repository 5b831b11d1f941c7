import { poolVaultAbi } from '@lode/contracts'
import type { DataOf } from '@lode/wire'
import { type Address, encodeFunctionData, type Hex, type SignTypedDataParameters } from 'viem'
import type { Random } from '../random.ts'
import { Violation, type World } from '../world.ts'
import type { Actor } from './actor.ts'
import { tryCallAs } from './call-as.ts'
import { drawPledge, type PledgeWish, pledge } from './pledge.ts'
import { drawPromotion, type PromotionWish, promote } from './promotion.ts'
import { type Call, sendCalls } from './wallet.ts'

/** Promotions and pledges are ordered and paid in the same way. */
type PurchaseOrder = DataOf<'promotion/order'> | DataOf<'pledge/order'>
export type Quote = NonNullable<PurchaseOrder['quote']>

/** A requested order. `order` is set if it was granted. */
export type RequestedOrder = { readonly actor: Actor; order: PurchaseOrder | null }

export type PurchaseWish =
  | { readonly what: 'promotion'; readonly wish: PromotionWish }
  | { readonly what: 'pledge'; readonly wish: PledgeWish }

const PLEDGES = 0.35

export const drawPurchase = (random: Random): PurchaseWish =>
  random.chance(PLEDGES)
    ? { what: 'pledge', wish: drawPledge(random) }
    : { what: 'promotion', wish: drawPromotion(random) }

/** A purchase of which at least a part is paid online. */
export function drawPayablePurchase(random: Random): PurchaseWish {
  const { what, wish } = drawPurchase(random)
  const payable = { method: random.pick(['online', 'mixed'] as const), oddity: 'none' } as const
  return what === 'pledge' ? { what, wish: { ...wish, ...payable } } : { what, wish: { ...wish, ...payable } }
}

/** Returns the order, if there is one, and the outcome in words. */
export const purchase = (
  world: World,
  actor: Actor,
  { what, wish }: PurchaseWish,
): Promise<{ order: PurchaseOrder | null; told: string }> =>
  what === 'pledge' ? pledge(world, actor, wish) : promote(world, actor, wish)
/** Sends the payment of a quote to the vault, which decides whether it accepts it. */
export const payQuote = (world: World, by: Actor, quote: Quote): Promise<void> =>
  sendCalls(world, by, [payCall(world.chain.contracts.vault, quote)])

export function payCall(vault: Address, { signature, ...quote }: Quote): Call {
  const terms = { ...quote, amount: BigInt(quote.amount), deadline: BigInt(quote.deadline) } as QuoteTerms
  const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'pay', args: [terms, signature as Hex] })
  return { target: vault, data }
}

export type QuoteTerms = SignTypedDataParameters<typeof import('@lode/contracts/terms').quoteTypes, 'Quote'>['message']

/** Returns the outcome in words. */
export async function cancelOrder(world: World, actor: Actor, id: string, key: string): Promise<string> {
  world.acknowledged.orderCancels.add(id)
  const answer = await tryCallAs(world, actor, 'order/cancel', { account: actor.account, id, key })
  if (answer.ok) {
    if (answer.data.state === 'paying' || answer.data.quote)
      throw new Violation(`order ${id} was cancelled and can be paid`)
    return `cancelled, and ${answer.data.state}`
  }
  if (answer.reason !== 'order-completed')
    throw new Violation(`${actor.name} could not cancel order ${id}: ${answer.reason}`)
  return 'too late'
}
