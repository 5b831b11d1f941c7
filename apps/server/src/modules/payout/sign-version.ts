import type { Logger } from 'pino'
import { keccak256 } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Fees } from '../../platform/chain/fees.ts'
import type { ChainConfig, PayerConfig } from '../../platform/config/config.ts'
import type { PayerMetrics } from './metrics.ts'
import type { Release, SignedVersion } from './releases.ts'

/** What signing needs: the payer's key, the chain, the limits, the metrics and the log. */
export type SignerDependencies = {
  readonly account: PrivateKeyAccount
  readonly chain: ChainConfig
  readonly payer: PayerConfig
  readonly metrics: PayerMetrics
  readonly log: Logger
}

/** Signs one version of a release. All versions have the same nonce and call, so the chain accepts only one of them. */
export async function signVersion(
  { account, chain }: SignerDependencies,
  { nonce, call, gas }: Pick<Release, 'nonce' | 'call' | 'gas'>,
  attempt: number,
  fees: Fees,
): Promise<SignedVersion> {
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
