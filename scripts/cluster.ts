import { startCluster } from './cluster/start-cluster.ts'

/**
 * `pnpm cluster`: the whole pool on one machine as a company would run it on several, with nothing replaced by something
 * simpler. Prints what runs where, and ends with Ctrl-C. Nothing is kept.
 */
const began = performance.now()
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
const cluster = await startCluster({ blockTimeSeconds: 1, signal: stopping.signal }).catch((error: Error) => {
  if (!stopping.signal.aborted) console.error(error.message)
  process.exit(stopping.signal.aborted ? 0 : 1)
})
const { ports } = cluster
const at = (port: number, path = '') => `http://127.0.0.1:${port}${path}`
const rows: [string, string][] = [
  ['app', `${cluster.origin}   (a certificate that signs itself: ${cluster.certificate})`],
  ['register here', `${cluster.origin}/regist?invite=${cluster.rootCode}`],
  ['database', `${cluster.ownerUrl}   (whichever node is the primary)`],
  ['standbys', `127.0.0.1:${ports.standbys}`],
  ...ports.nodes.map(({ node, postgres, patroni, etcd }): [string, string] => [
    node,
    `PostgreSQL ${postgres}, Patroni ${at(patroni, '/cluster')}, etcd ${etcd}`,
  ]),
  ['apis', ports.apis.map((port) => at(port, '/readyz')).join('  ')],
  ['workers', ports.workers.map((port) => at(port, '/readyz')).join('  ')],
  ['signers', ports.signers.map((port) => at(port, '/readyz')).join('  ')],
  ['redis', `127.0.0.1:${ports.redis}`],
  ['chain', cluster.chain.rpcUrl],
  ['prometheus', at(ports.prometheus, '/alerts')],
  ['alertmanager', at(ports.alertmanager)],
  ['data', cluster.folder],
]
const seconds = ((performance.now() - began) / 1000).toFixed(1)
console.log(`\nThe cluster is running (ready in ${seconds} s)\n`)
for (const [name, value] of rows) console.log(`  ${name.padEnd(14)} ${value}`)
console.log('\nCtrl-C ends all of it. Nothing is kept.\n')

const end = (): void => void cluster.stop().then(() => process.exit(0))
if (stopping.signal.aborted) end()
else stopping.signal.addEventListener('abort', end)
