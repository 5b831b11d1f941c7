import { ok } from '@lode/kernel'
import type { ChainConfig } from '../../platform/config/config.ts'
import type { Mount } from '../../platform/http/mount.ts'

export function mountPool(mount: Mount, { chain }: { chain: ChainConfig }): void {
  const { id, name, publicRpcUrl, explorerUrl, currency, finalityMinutes } = chain
  const { vault, tokens } = chain.contracts
  mount('pool/chain', async () =>
    ok({ chainId: id, name, rpcUrl: publicRpcUrl, currency, explorerUrl, vault, tokens, finalityMinutes }),
  )
}
