import { setTimeout as sleep } from 'node:timers/promises'
import { type ClusterDatabase, startClusterDatabase } from '@lode/scripts/cluster'
import { runLode } from '@lode/scripts/server'
import { isWhole, killPrimary } from '../../faults/cluster/database-nodes.ts'
import { query } from '../query.ts'
import { ROLE_PASSWORD, type SimulatedDatabase, TEMPLATE } from './database.ts'

const WHOLE_WITHIN_MS = 120_000

/** Three nodes under Patroni. When the database crashes, another node is promoted. */
export async function startDatabaseOfCluster(serverFolder: string): Promise<SimulatedDatabase> {
  const cluster = await startClusterDatabase()
  const execute = (statement: string) => query(cluster.ownerUrl('postgres'), statement)
  try {
    await waitUntilWhole(cluster)
    await execute(`create database ${TEMPLATE}`)
    await runLode(cluster.ownerUrl(TEMPLATE), ['migrate', '--role-password', ROLE_PASSWORD], serverFolder)
  } catch (error) {
    await cluster.stop()
    throw error
  }
  return {
    async create(name, template = TEMPLATE) {
      await execute(`create database ${name} template ${template}`)
      return cluster.ownerUrl(name)
    },
    async drop(name) {
      await execute(`drop database ${name} with (force)`)
    },
    async crash() {
      await killPrimary(cluster.database)
      await waitUntilWhole(cluster)
    },
    stop: () => cluster.stop(),
  }
}

async function waitUntilWhole(cluster: ClusterDatabase): Promise<void> {
  const deadline = Date.now() + WHOLE_WITHIN_MS
  const canWrite = () => query(cluster.ownerUrl('postgres'), 'select pg_current_xact_id()').then(() => true)
  while (!(await isWhole(cluster)) || !(await canWrite().catch(() => false))) {
    if (Date.now() > deadline) throw new Error('The nodes of the database do not come back')
    await sleep(250)
  }
}
