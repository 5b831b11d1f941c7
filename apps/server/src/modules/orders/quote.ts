import { poolVaultAbi } from '@lode/contracts'
import { quoteDomain, quoteTypes } from '@lode/contracts/terms'
import type { DataOf } from '@lode/wire'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { idOnChain } from '../../platform/chain/id-on-chain.ts'
import { createNode } from '../../platform/chain/node.ts'
import type { ChainConfig } from '../../platform/config/config.ts'
import type { OrderRow } from './order-row.ts'

type Quote = NonNullable<DataOf<'promotion/order'>['quote']>
export type Quotes = (order: OrderRow) => Promise<Quote | null>

/**
 * Signs the terms of an order for the vault. All terms are in the order row and never change, and the signature is
 * deterministic. So an order always gets the same quote and no quote is stored. The vault accepts each quote once.
 */
export function createQuotes(chain: ChainConfig, key: Hex): Quotes {
  const signer = privateKeyToAccount(key)
  const domain = quoteDomain(chain.id, chain.contracts.vault)
  return async (order) => {
    if (order.deadline === null) return null
    const amount = order.amount - order.balancePart
    const deadline = order.deadline.getTime() / 1_000
    const message = {
      orderId: idOnChain(order.id),
      payer: order.account,
      token: chain.contracts.tokens[order.asset].address,
      amount,
      deadline: BigInt(deadline),
    }
    const signature = await signer.signTypedData({ domain, types: quoteTypes, primaryType: 'Quote', message })
    return { ...message, amount: String(amount), deadline, signature }
  }
}

/** The address whose quotes the vault accepts, from the first node that answers; null if none does. */
export async function readQuoteSigner({ rpcUrls, contracts }: ChainConfig): Promise<Address | null> {
  for (const url of rpcUrls) {
    const call = { address: contracts.vault, abi: poolVaultAbi, functionName: 'quoteSigner' } as const
    const signer = await createNode(url)
      .read(call)
      .catch(() => null)
    if (signer !== null) return signer
  }
  return null
}
