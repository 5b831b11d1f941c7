import { startAnvil } from '@lode/scripts/anvil'
import { startPostgres } from '@lode/scripts/postgres'
import { migrate } from '@lode/server'
import type {} from '@lode/server/testing'
import pg from 'pg'
import type { TestProject } from 'vitest/node'

const TEMPLATE = 'lode_template'

/**
 * One database server and one chain node for the whole run. The schema is migrated once, into a template. Each test
 * file gets a copy, which takes a tenth of the time of a migration.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const major = process.env.PG_MAJOR === '15' ? '15' : '18'
  const [postgres, anvil] = await Promise.all([startPostgres({ durable: false, major }), startAnvil()])
  const stop = async () => {
    await Promise.all([postgres.stop('SIGQUIT'), anvil.stop()])
  }
  try {
    const client = new pg.Client({ connectionString: postgres.url() })
    await client.connect()
    await client.query(`create database ${TEMPLATE}`)
    await client.end()
    await migrate({ ownerUrl: postgres.url(TEMPLATE), profile: 'test' })
    project.provide('stack', {
      postgresUrl: postgres.url(),
      template: TEMPLATE,
      rpcUrl: anvil.rpcUrl,
      chainId: anvil.chainId,
    })
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}
