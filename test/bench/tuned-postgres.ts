import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '@lode/scripts/postgres'
import { freePort } from '@lode/scripts/process'
import pg from 'pg'

/** A PostgreSQL for one bench, durable as by default except for these settings. Its folder is removed at the end. */
export async function startTunedPostgres(settings: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'lode-bench-'))
  // PostgreSQL never runs as root and must be able to reach its data folder.
  await chmod(folder, 0o755)
  const port = await freePort()
  const start = (): Promise<Postgres> => startPostgres({ dataFolder: folder, port, durable: true })
  const first = await start()
  for (const [name, value] of Object.entries(settings))
    await query(first.url(), `alter system set ${name} = '${value}'`)
  await first.stop()
  const postgres = await start()
  return {
    folder,
    pid: postgres.pid,
    url: postgres.url,
    stop: async () => {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The address of a bench's database for one of the roles of the server. */
export const urlAs = (ownerUrl: string, role: string): string => ownerUrl.replace('//postgres@', `//${role}@`)

export async function query(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
