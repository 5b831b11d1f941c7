import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '@lode/scripts/cluster'
import { childrenOf, isRunning, sendSignal } from '../process-tree.ts'
import { killPrimary } from './database-nodes.ts'
import type { MoneyLoad } from './money-load.ts'

export type ClusterFault = {
  readonly name: string
  /** How often `pnpm deep` makes it happen. */
  readonly count: number
  /** The longest time without an acknowledged command, in seconds. */
  readonly gapAtMost: number
  /** Makes it happen, and ends it where it does not end by itself. `turn` counts from 0. */
  run(cluster: Cluster, turn: number, load: MoneyLoad): Promise<void>
}

const FROZEN_MS = 40_000
const WITHOUT_STANDBYS_MS = 12_000
/** A commit that a standby had before it was frozen may still be answered. */
const LAST_ANSWERS_MS = 2_000
const REPLACED_WITHIN_MS = 60_000

/** Kills a process, and waits until it was started again, as systemd starts it on a real host. */
const kill = (name: string, process: string, count: number, gapAtMost: number): ClusterFault => ({
  name,
  count,
  gapAtMost,
  run: async ({ processes }, turn) => {
    const of = Array.from(processes.values()).filter((one) => one.name.replace(/ .*/, '') === process)
    const chosen = of[turn % of.length]
    if (!chosen || !(await isRunning(chosen.pid()))) throw new Error(`There is no running ${process} to kill`)
    const before = chosen.restarts()
    sendSignal(chosen.pid(), 'SIGKILL')
    await waitFor(`${chosen.name} is started again`, async () => chosen.restarts() > before)
  },
})

/** Does something to the primary, after which another node must be the primary. */
async function replacePrimary(cluster: Cluster, disturb: (primary: string) => Promise<void>): Promise<void> {
  const before = await cluster.database.primary()
  await disturb(before)
  await waitFor(`another node than ${before} is the primary`, async () => (await cluster.database.primary()) !== before)
}

async function waitFor(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + REPLACED_WITHIN_MS; !(await isSo().catch(() => false)); await sleep(200))
    if (Date.now() > deadline) throw new Error(`It did not happen that ${what}`)
}

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
    run: (cluster) => replacePrimary(cluster, () => killPrimary(cluster.database)),
  },
  {
    name: 'kill-primary-host',
    count: 5,
    // The lock runs out after 20 s. A Patroni that comes back before that may try to be the leader once more.
    gapAtMost: 60,
    async run(cluster) {
      await replacePrimary(cluster, async (primary) => {
        const pids = await processesOf(cluster, primary)
        for (const pid of pids) sendSignal(pid, 'SIGSTOP')
        for (const pid of pids) sendSignal(pid, 'SIGKILL')
      })
    },
  },
  {
    name: 'freeze-primary',
    count: 10,
    // The lock runs out after 20 s, at the latest 3 s later a standby takes it, and members press once a second.
    gapAtMost: 35,
    async run(cluster) {
      await replacePrimary(cluster, async (primary) => {
        const pids = await processesOf(cluster, primary)
        for (const pid of pids) sendSignal(pid, 'SIGSTOP')
        await sleep(FROZEN_MS)
        for (const pid of pids) sendSignal(pid, 'SIGCONT')
      })
    },
  },
  {
    name: 'both-standbys-gone',
    count: 3,
    // No commit returns until one is back.
    gapAtMost: (LAST_ANSWERS_MS + WITHOUT_STANDBYS_MS) / 1_000 + 30,
    async run(cluster, _turn, load) {
      const primary = await cluster.database.primary()
      const standbys = cluster.ports.nodes.map(({ node }) => node).filter((node) => node !== primary)
      const pids = (await Promise.all(standbys.map((node) => processesOf(cluster, node)))).flat()
      for (const pid of pids) sendSignal(pid, 'SIGSTOP')
      await sleep(LAST_ANSWERS_MS)
      const before = load.acknowledged.length
      await sleep(WITHOUT_STANDBYS_MS)
      const answered = load.acknowledged.length - before
      for (const pid of pids) sendSignal(pid, 'SIGCONT')
      if (answered > 0) throw new Error(`${answered} commands were acknowledged that no standby had`)
    },
  },
  kill('kill-etcd', 'etcd', 10, 10),
  kill('kill-proxy', 'proxy', 5, 10),
  kill('kill-api', 'api', 50, 5),
  kill('kill-worker', 'worker', 50, 5),
  kill('kill-signer', 'signer', 50, 5),
]
