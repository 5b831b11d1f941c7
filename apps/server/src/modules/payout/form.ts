import type { Logger } from 'pino'
import { keccak256 } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { ChainConfig, PayerConfig } from '../../platform/config/config.ts'
import type { PayerMetrics } from './metrics.ts'
import type { Form, Release } from './releases.ts'
import type { Fees } from './rules.ts'

/** The signing key, its chain and its limits. */
export type Signing = {
  readonly account: PrivateKeyAccount
  readonly chain: ChainConfig
  readonly payer: PayerConfig
  readonly metrics: PayerMetrics
  readonly log: Logger
}

/** Signs one version of a release. All versions have the same nonce and call, so the chain accepts only one of them. */
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
