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

/** A free port for everything that listens. All of it is on loopback. */
export async function chooseClusterPorts() {
  const nodes: DatabaseNode[] = []
  for (const node of ['db1', 'db2', 'db3'])
    nodes.push({
      node,
      etcd: await freePort(),
      etcdPeer: await freePort(),
      patroni: await freePort(),
      postgres: await freePort(),
    })
  const two = async () => [await freePort(), await freePort()] as const
  return {
    nodes,
    primary: await freePort(),
    standbys: await freePort(),
    https: await freePort(),
    proxyFigures: await freePort(),
    redis: await freePort(),
    apis: await two(),
    workers: await two(),
    signers: await two(),
    prometheus: await freePort(),
    alertmanager: await freePort(),
    hostFigures: await freePort(),
  }
}
