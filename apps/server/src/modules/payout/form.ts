import type { Logger } from 'pino'
import { keccak256 } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { ChainConfig, PayerConfig } from '../../platform/config/config.ts'
import type { PayerMetrics } from './metrics.ts'
import type { Form, Release } from './releases.ts'
import type { Fees } from './rules.ts'

/** Who signs, for which chain, and within what. */
export type Signing = {
  readonly account: PrivateKeyAccount
  readonly chain: ChainConfig
  readonly payer: PayerConfig
  readonly metrics: PayerMetrics
  readonly log: Logger
}

/** The same nonce and the same call always: of all forms of a release, a chain takes one. */
export async function signForm(
  { account, chain }: Signing,
  { nonce, call, gas }: Pick<Release, 'nonce' | 'call' | 'gas'>,
  attempt: number,
  fees: Fees,
): Promise<Form> {
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: chain.id,
    nonce: Number(nonce),
    to: chain.contracts.vault,
    data: call,
    gas,
    maxFeePerGas: fees.maxFee,
    maxPriorityFeePerGas: fees.maxPriorityFee,
  })
  return { ...fees, attempt, raw, hash: keccak256(raw) }
}
