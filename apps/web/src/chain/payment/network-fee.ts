import type { Address } from 'viem'
import { formatUnits } from 'viem/utils'
import type { ChainReader } from './chain-reader.ts'
import { type Call, depositCall, orderCall, resetOrApproveCall } from './contracts.ts'
import type { PaymentTerms, WalletRequest } from './payment.ts'

/**
 * The first transaction of a payment, which is the only one whose fee a node can estimate: the others would revert
 * until it is mined. Null if a signature comes first, because the payment cannot be written without it.
 */
export function firstTransaction(terms: PaymentTerms, [first]: readonly WalletRequest[]): Call | null {
  if (first === undefined || first === 'permit') return null
  if (first !== 'pay') return resetOrApproveCall(terms, first)
  const { purpose } = terms
  return purpose.kind === 'order' ? orderCall({ ...terms, purpose }, null) : depositCall(terms, null)
}

/** The network fee of a transaction at the present price, in the chain's own currency. Null if the node gives none. */
export async function estimateNetworkFee(chain: ChainReader, call: Call, from: Address): Promise<bigint | null> {
  const [gas, price] = await Promise.all([chain.gas(call, from), chain.gasPrice()])
  return gas.ok && price.ok ? gas.value * price.value : null
}

/** Two digits, rounded up: an estimate has no more to say, and a fee should not look smaller than it is. */
export function formatNetworkFee(fee: bigint, decimals: number): string {
  const step = 10n ** BigInt(Math.max(0, fee.toString().length - 2))
  return formatUnits(((fee + step - 1n) / step) * step, decimals)
}
