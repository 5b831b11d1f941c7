import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '@lode/scripts/postgres'
import { freePort } from '@lode/scripts/process'
import { lode } from '@lode/scripts/server'
import { killPostgres } from '../../faults/kill-postgres.ts'
import { query } from '../query.ts'

const TEMPLATE = 'sim_template'
export const ROLE_PASSWORD = 'of-this-run-only'

/**
 * One PostgreSQL for all seeds of a run, which keeps what it has acknowledged when it is killed: each seed gets a copy of the
 * migrated template, which takes a tenth of starting and migrating anew.
 */
export class DatabaseServer {
  readonly #folder: string
  readonly #port: number
  #postgres: Postgres

  private constructor(folder: string, port: number, postgres: Postgres) {
    this.#folder = folder
    this.#port = port
    this.#postgres = postgres
  }

  static async start(serverFolder: string): Promise<DatabaseServer> {
    const folder = await mkdtemp(join(tmpdir(), 'lode-sim-'))
    const port = await freePort()
    const postgres = await startPostgres({ dataFolder: folder, port, durable: true })
    const server = new DatabaseServer(folder, port, postgres)
    try {
      // What was written outlives the processes without it, and here only processes die. A commit still waits until it is
      // written; starting again after a crash takes a second instead of ten.
      await server.#execute('alter system set fsync = off')
      await server.#execute('select pg_reload_conf()')
      await server.#execute(`create database ${TEMPLATE}`)
      await lode(postgres.url(TEMPLATE), ['migrate', '--role-password', ROLE_PASSWORD], serverFolder)
      return server
    } catch (error) {
      await server.stop()
      throw error
    }
  }

  /** The owner's URL of a new database. */
  async create(name: string): Promise<string> {
    await this.#execute(`create database ${name} template ${TEMPLATE}`)
    return this.#postgres.url(name)
  }

  async drop(name: string): Promise<void> {
    await this.#execute(`drop database ${name} with (force)`)
  }

  async crash(how: 'killed' | 'immediate shutdown'): Promise<void> {
    if (how === 'killed') await killPostgres(this.#postgres)
    else await this.#postgres.stop('SIGQUIT')
    this.#postgres = await startPostgres({ dataFolder: this.#folder, port: this.#port, durable: true })
  }

  async stop(): Promise<void> {
    await this.#postgres.stop('SIGQUIT')
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #execute(statement: string): Promise<void> {
    await query(this.#postgres.url(), statement)
  }
}
