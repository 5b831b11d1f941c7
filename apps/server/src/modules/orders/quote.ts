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
/** Why the vault would refuse a payment now. */
export type OnlinePaymentRefusal = 'payments-unavailable' | 'vault-paused'

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

type VaultState = { readonly quoteSigner: Address; readonly isPaused: boolean }

/** Whose quotes the vault accepts and whether it is paused, from the first node that answers; null if none does. */
export async function readVaultState({
  nodes,
  contracts,
}: Pick<ChainConfig, 'nodes' | 'contracts'>): Promise<VaultState | null> {
  const vault = { address: contracts.vault, abi: poolVaultAbi } as const
  for (const address of nodes) {
    const node = createNode(address)
    const answers = Promise.all([
      node.read({ ...vault, functionName: 'quoteSigner' }),
      node.read({ ...vault, functionName: 'paused' }),
    ])
    const state = await answers.then(([quoteSigner, isPaused]) => ({ quoteSigner, isPaused })).catch(() => null)
    if (state !== null) return state
  }
  return null
}
