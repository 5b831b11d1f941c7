import type { Cluster } from '@lode/scripts/cluster'
import { childrenOf, sendSignal } from '../process-tree.ts'

/** Kills PostgreSQL of the primary. Patroni of that node lives, and another node is promoted. */
export async function killPrimary(database: Cluster['database']): Promise<void> {
  const postmaster = await database.postgresPid(await database.primary())
  // Stopped first, so that it cannot start a process that is not in the list.
  sendSignal(postmaster, 'SIGSTOP')
  for (const pid of [postmaster, ...(await childrenOf(postmaster))]) sendSignal(pid, 'SIGKILL')
}

/** Whether there is a primary with a synchronous standby, and every node runs. */
export async function isWhole({ database, ports }: Pick<Cluster, 'database' | 'ports'>): Promise<boolean> {
  const members = await database.members()
  return (
    members.length === ports.nodes.length &&
    members.every(({ state }) => state === 'running' || state === 'streaming') &&
    members.some(({ role }) => role === 'leader') &&
    members.some(({ role }) => role === 'sync_standby')
  )
}
