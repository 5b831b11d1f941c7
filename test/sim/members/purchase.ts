import { poolVaultAbi } from '@lode/contracts'
import type { DataOf } from '@lode/wire'
import { encodeFunctionData, type Hex, type SignTypedDataParameters } from 'viem'
import type { Random } from '../random.ts'
import { Violation, type World } from '../world.ts'
import type { Actor } from './actor.ts'
import { tryAs } from './ask.ts'
import { type PledgeWish, pledge, somePledge } from './pledge.ts'
import { type PromotionWish, promote, somePromotion } from './promotion.ts'
import { act } from './wallet.ts'

/** Promotions and pledges are ordered and paid in the same way. */
type Order = DataOf<'promotion/order'> | DataOf<'pledge/order'>
export type Quote = NonNullable<Order['quote']>

/** A requested order. `order` is set if it was granted. */
export type Ordered = { readonly actor: Actor; order: Order | null }

export type PurchaseWish =
  | { readonly what: 'promotion'; readonly wish: PromotionWish }
  | { readonly what: 'pledge'; readonly wish: PledgeWish }

const PLEDGES = 0.35

export const somePurchase = (random: Random): PurchaseWish =>
  random.chance(PLEDGES)
    ? { what: 'pledge', wish: somePledge(random) }
    : { what: 'promotion', wish: somePromotion(random) }

/** A purchase of which at least a part is paid online. */
export function purchaseToPay(random: Random): PurchaseWish {
  const { what, wish } = somePurchase(random)
  const payable = { method: random.pick(['online', 'mixed'] as const), oddity: 'none' } as const
  return what === 'pledge' ? { what, wish: { ...wish, ...payable } } : { what, wish: { ...wish, ...payable } }
}

/** Returns the order, if there is one, and the outcome in words. */
export const purchase = (
  world: World,
  actor: Actor,
  { what, wish }: PurchaseWish,
): Promise<{ order: Order | null; told: string }> =>
  what === 'pledge' ? pledge(world, actor, wish) : promote(world, actor, wish)
/** Sends the payment of a quote to the vault, which decides whether it accepts it. */
export async function payQuote(world: World, by: Actor, { signature, ...quote }: Quote): Promise<void> {
  const terms = { ...quote, amount: BigInt(quote.amount), deadline: BigInt(quote.deadline) } as Terms
  const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'pay', args: [terms, signature as Hex] })
  await act(world, by, [{ target: world.chain.contracts.vault, data }])
}

export type Terms = SignTypedDataParameters<typeof import('@lode/contracts/terms').quoteTypes, 'Quote'>['message']

/** Returns the outcome in words. */
export async function cancelOrder(world: World, actor: Actor, id: string, key: string): Promise<string> {
  world.acknowledged.orderCancels.add(id)
  const answer = await tryAs(world, actor, 'order/cancel', { account: actor.account, id, key })
  if (answer.ok) {
    if (answer.data.state === 'paying' || answer.data.quote)
      throw new Violation(`order ${id} was cancelled and can be paid`)
    return `cancelled, and ${answer.data.state}`
  }
  if (answer.reason !== 'order-completed')
    throw new Violation(`${actor.name} could not cancel order ${id}: ${answer.reason}`)
  return 'too late'
}
