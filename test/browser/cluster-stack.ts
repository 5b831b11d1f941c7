import { readFile } from 'node:fs/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { type Cluster, startCluster } from '@lode/scripts/cluster'
import { roleUrl } from '@lode/scripts/server'
import type { BrowserStack } from './stack.ts'

type ClusterStack = { readonly stack: BrowserStack; readonly cluster: Cluster; stop(): Promise<void> }

/**
 * The whole cluster of `pnpm cluster` as a stack for tests. Without a block time, blocks come only when a test mines
 * them. This process and those that it starts trust the cluster's certificate.
 */
export async function startClusterStack(options: Parameters<typeof startCluster>[0] = {}): Promise<ClusterStack> {
  const cluster = await startCluster(options)
  process.env.NODE_EXTRA_CA_CERTS = cluster.certificate
  setDefaultCACertificates([...getCACertificates(), await readFile(cluster.certificate, 'utf8')])
  const { settings, ports, ownerUrl, chain, contracts, rootCode, webRoot, operatorsFolder } = cluster
  const rolePassword = settings[0]?.rolePassword ?? ''
  const { firstBlock: _, chainId, ...addresses } = contracts
  const stack: BrowserStack = {
    origin: cluster.origin,
    workerUrl: `http://127.0.0.1:${ports.workers[0]}`,
    ownerUrl,
    roleUrls: {
      api: roleUrl(ownerUrl, 'lode_api', rolePassword),
      worker: roleUrl(ownerUrl, 'lode_worker', rolePassword),
    },
    chain: { rpcUrl: chain.rpcUrl, chainId },
    contracts: addresses,
    rootCode,
    webRoot,
    operatorsFolder,
    template: null,
  }
  return { stack, cluster, stop: cluster.stop }
}
