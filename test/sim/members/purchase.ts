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

/** What can be bought, a level or a pledge, is ordered and paid for alike. */
type Order = DataOf<'promotion/order'> | DataOf<'pledge/order'>
export type Quote = NonNullable<Order['quote']>

/** Something that was asked for; what came of that is known where it was granted. */
export type Ordered = { readonly actor: Actor; order: Order | null }

export type PurchaseWish =
  | { readonly what: 'promotion'; readonly wish: PromotionWish }
  | { readonly what: 'pledge'; readonly wish: PledgeWish }

const PLEDGES = 0.35

export const somePurchase = (random: Random): PurchaseWish =>
  random.chance(PLEDGES)
    ? { what: 'pledge', wish: somePledge(random) }
    : { what: 'promotion', wish: somePromotion(random) }

/** Of which at least a part is paid online. */
export function purchaseToPay(random: Random): PurchaseWish {
  const { what, wish } = somePurchase(random)
  const payable = { method: random.pick(['online', 'mixed'] as const), oddity: 'none' } as const
  return what === 'pledge' ? { what, wish: { ...wish, ...payable } } : { what, wish: { ...wish, ...payable } }
}

/** Answers the order, where there is one, and what became of it in words. */
export const purchase = (
  world: World,
  actor: Actor,
  { what, wish }: PurchaseWish,
): Promise<{ order: Order | null; told: string }> =>
  what === 'pledge' ? pledge(world, actor, wish) : promote(world, actor, wish)
/** What the vault is asked to take; whether it does is the chain's to say. */
export async function payQuote(world: World, by: Actor, { signature, ...quote }: Quote): Promise<void> {
  const terms = { ...quote, amount: BigInt(quote.amount), deadline: BigInt(quote.deadline) } as Terms
  const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'pay', args: [terms, signature as Hex] })
  await act(world, by, [{ target: world.chain.contracts.vault, data }])
}

export type Terms = SignTypedDataParameters<typeof import('@lode/contracts/terms').quoteTypes, 'Quote'>['message']

/** Answers what became of it, in words. */
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
