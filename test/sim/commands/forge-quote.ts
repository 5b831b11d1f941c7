import { quoteDomain, quoteTypes } from '@lode/contracts/terms'
import type { Address, Hex } from 'viem'
import { isAnyNodeReachable, membersWhoCanSign } from '../conditions.ts'
import { drawPayablePurchase, payQuote, purchase, type Quote, type QuoteTerms } from '../members/purchase.ts'
import { quoteSigner } from '../stack/pool.ts'
import type { Command, World } from '../world.ts'

const forgeries = ['another amount', 'of another', 'nobody’s', 'of another', 'no deadline', 'another token'] as const

/**
 * The quote key is stolen. The thief pays new and old orders in another member's name, for less than the price, in
 * another token, or long after they closed. A payment with exactly the order's terms settles it; any other is the
 * payer's deposit.
 */
export const forgeQuote: Command = {
  name: 'forge a quote',
  weight: 8,
  isPossible: (world) => isAnyNodeReachable(world) && membersWhoCanSign(world).length > 0,
  async run(world, random) {
    const [buyer, wish, isNew] = [
      random.pick(membersWhoCanSign(world)),
      drawPayablePurchase(random),
      random.chance(0.5),
    ]
    const earlier = random.pick([...world.requestedOrders.slice(-8), { actor: buyer, order: null }])
    const { actor: owner, order } = isNew ? { actor: buyer, ...(await purchase(world, buyer, wish)) } : earlier
    const lie = random.pick(forgeries)
    const other = random.pick(world.actors)
    const [factor, orderId] = [BigInt(random.between(1, 3)), random.hex32()]
    if (!order?.quote) return 'there is no order to forge a quote for'
    const { quote } = order
    const [amount, deadline] = [BigInt(quote.amount), 4_000_000_000]
    const forged = { ...quote, deadline }
    switch (lie) {
      case 'of another':
        return payForged(world, other, owner.name, lie, { ...forged, payer: other.account })
      case 'another amount':
        return payForged(world, owner, owner.name, lie, { ...forged, amount: String(amount + factor - 4n) })
      case 'another token':
        return payForged(world, owner, owner.name, lie, { ...forged, ...inAnotherToken(world, quote) })
      case 'no deadline':
        return payForged(world, owner, owner.name, lie, forged)
      case 'nobody’s':
        return payForged(world, owner, owner.name, lie, {
          ...forged,
          orderId: `0x${orderId.slice(34).padStart(64, '0')}`,
        })
    }
  },
}

/** Another token, with an amount that the payer has: for BTN as many coins in USDT, otherwise as many units in BTN. */
const inAnotherToken = ({ chain: { contracts } }: World, { token, amount }: Quote): Pick<Quote, 'token' | 'amount'> =>
  token.toLowerCase() === contracts.btn.toLowerCase()
    ? { token: contracts.usdt, amount: String(BigInt(amount) / 10n ** 12n) }
    : { token: contracts.btn, amount }

async function payForged(
  world: World,
  by: World['actors'][number],
  whose: string,
  lie: string,
  quote: Quote,
): Promise<string> {
  await payQuote(world, by, { ...quote, signature: await signQuote(world, quote) })
  return `${by.name} pays ${quote.amount} by a forged quote (${lie}) for an order of ${whose}`
}

function signQuote(world: World, { orderId, payer, token, amount, deadline }: Quote): Promise<Hex> {
  const { chainId, vault } = world.chain.contracts
  const message: QuoteTerms = {
    orderId: orderId as Hex,
    payer: payer as Address,
    token: token as Address,
    amount: BigInt(amount),
    deadline: BigInt(deadline),
  }
  return quoteSigner.signTypedData({
    domain: quoteDomain(chainId, vault),
    types: quoteTypes,
    primaryType: 'Quote',
    message,
  })
}
