import { freePort } from '../stack/process.ts'

/** One host of the database: a member of etcd and a node of PostgreSQL under Patroni. */
export type DatabaseNode = {
  readonly node: string
  readonly etcd: number
  readonly etcdPeer: number
  readonly patroni: number
  readonly postgres: number
}

export type ClusterPorts = Awaited<ReturnType<typeof chooseClusterPorts>>

/** A free port for everything that listens, each another one. All of it is on loopback. */
export async function chooseClusterPorts() {
  const chosen = new Set<number>()
  const port = async (): Promise<number> => {
    const free = await freePort()
    if (chosen.has(free)) return port()
    chosen.add(free)
    return free
  }
  const two = async () => [await port(), await port()] as const
  const nodes: DatabaseNode[] = []
  for (const node of ['db1', 'db2', 'db3'])
    nodes.push({ node, etcd: await port(), etcdPeer: await port(), patroni: await port(), postgres: await port() })
  return {
    nodes,
    primary: await port(),
    standbys: await port(),
    https: await port(),
    proxyFigures: await port(),
    redis: await port(),
    apis: await two(),
    workers: await two(),
    signers: await two(),
    prometheus: await port(),
    alertmanager: await port(),
    hostFigures: await port(),
  }
}
