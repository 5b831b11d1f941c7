import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '@lode/scripts/cluster'
import { childrenOf, sendSignal } from '../process-tree.ts'
import { killPrimary } from './database-nodes.ts'

export type ClusterFault = {
  readonly name: string
  /** How often `pnpm deep` makes it happen. */
  readonly count: number
  /** The longest time without an acknowledged command, in seconds. */
  readonly gapAtMost: number
  /** Makes it happen, and ends it where it does not end by itself. `turn` counts from 0. */
  run(cluster: Cluster, turn: number): Promise<void>
}

const FROZEN_MS = 40_000
const WITHOUT_STANDBYS_MS = 12_000

/** Kills a process that is started again, as systemd starts it on a real host. */
const kill = (name: string, process: string, count: number, gapAtMost: number): ClusterFault => ({
  name,
  count,
  gapAtMost,
  run: async ({ processes }, turn) => {
    const of = Array.from(processes.values()).filter((one) => one.name.replace(/ .*/, '') === process)
    const chosen = of[turn % of.length]
    if (!chosen) throw new Error(`There is no ${process}`)
    sendSignal(chosen.pid(), 'SIGKILL')
  },
})

/** Patroni, PostgreSQL and everything that it started on a node. */
export async function processesOf({ database, processes }: Cluster, node: string): Promise<number[]> {
  const postmaster = await database.postgresPid(node)
  const patroni = processes.get(`patroni ${node}`)?.pid()
  return [...(patroni === undefined ? [] : [patroni]), postmaster, ...(await childrenOf(postmaster))]
}

export const faults: readonly ClusterFault[] = [
  {
    name: 'kill-primary',
    count: 20,
    gapAtMost: 30,
    run: ({ database }) => killPrimary(database),
  },
  {
    name: 'kill-primary-host',
    count: 5,
    gapAtMost: 30,
    async run(cluster) {
      const pids = await processesOf(cluster, await cluster.database.primary())
      for (const pid of pids) sendSignal(pid, 'SIGSTOP')
      for (const pid of pids) sendSignal(pid, 'SIGKILL')
    },
  },
  {
    name: 'freeze-primary',
    count: 10,
    gapAtMost: 30,
    async run(cluster) {
      const pids = await processesOf(cluster, await cluster.database.primary())
      for (const pid of pids) sendSignal(pid, 'SIGSTOP')
      await sleep(FROZEN_MS)
      for (const pid of pids) sendSignal(pid, 'SIGCONT')
    },
  },
  {
    name: 'both-standbys-gone',
    count: 3,
    // No commit returns until one is back.
    gapAtMost: WITHOUT_STANDBYS_MS / 1_000 + 30,
    async run(cluster) {
      const primary = await cluster.database.primary()
      const standbys = cluster.ports.nodes.map(({ node }) => node).filter((node) => node !== primary)
      const pids = (await Promise.all(standbys.map((node) => processesOf(cluster, node)))).flat()
      for (const pid of pids) sendSignal(pid, 'SIGSTOP')
      await sleep(WITHOUT_STANDBYS_MS)
      for (const pid of pids) sendSignal(pid, 'SIGCONT')
    },
  },
  kill('kill-etcd', 'etcd', 10, 10),
  kill('kill-proxy', 'proxy', 5, 10),
  kill('kill-redis', 'redis', 5, 5),
  kill('kill-api', 'api', 50, 5),
  kill('kill-worker', 'worker', 50, 5),
  kill('kill-signer', 'signer', 50, 5),
]
