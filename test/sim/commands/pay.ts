import { poolVaultAbi } from '@lode/contracts'
import { quoteDomain, quoteTypes } from '@lode/contracts/terms'
import { encodeFunctionData } from 'viem'
import { describeMoney, drawMoney, sendCalls } from '../members/wallet.ts'
import { quoteSigner } from '../stack/pool.ts'
import type { Command } from '../world.ts'

/** Pays an order that the pool does not know: the money is its payer's deposit. */
export const payUnknownOrder: Command = {
  name: 'pay an unknown order',
  weight: 3,
  async run(world, random) {
    const actor = random.pick(world.actors)
    const money = drawMoney(world, random)
    const { chainId, vault } = world.chain.contracts
    const { timestamp } = await world.chain.client.getBlock()
    const quote = {
      orderId: random.hex32(),
      payer: actor.account,
      token: money.token,
      amount: money.amount,
      deadline: timestamp + 86_400n,
    }
    const signature = await quoteSigner.signTypedData({
      domain: quoteDomain(chainId, vault),
      types: quoteTypes,
      primaryType: 'Quote',
      message: quote,
    })
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'pay', args: [quote, signature] })
    await sendCalls(world, actor, [{ target: vault, data }])
    return `${actor.name} pays ${describeMoney(money)} for an order that nobody made`
  },
}
