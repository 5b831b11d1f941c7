import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contractVariablesOf, lode } from '@lode/scripts/server'
import pg from 'pg'
import type { Chain } from './chain.ts'
import { planFile } from './plan.ts'
import { Violation } from './world.ts'

export const operatorNames = ['Ada', 'Bo'] as const
export type OperatorName = (typeof operatorNames)[number]

/** What the command line says where there is nothing to decide any more. Whatever else it refuses is wrong. */
const PASSED = /no such transfer|not under review|has signed this already|Nothing is paused/

/**
 * Whoever decides for the pool: two people with a key each, who use the command line. Making the keys and holding the ceremony
 * takes seconds, and so does publishing the plan, so that is done once for all seeds of a run, whose pools have the same address; a seed gets the rows.
 */
export class Operators {
  readonly #folder: string
  readonly #environment: Readonly<Record<string, string>>
  readonly #serverFolder: string
  #ceremony: Ceremony | null = null

  private constructor(folder: string, chain: Chain, serverFolder: string) {
    this.#folder = folder
    this.#serverFolder = serverFolder
    this.#environment = {
      ...contractVariablesOf(chain.contracts),
      ...{ LODE_PROFILE: 'test', CHAIN_ID: String(chain.contracts.chainId) },
      LODE_PASSPHRASE_FILE: join(folder, 'passphrase'),
    }
  }

  static async begin(chain: Chain, serverFolder: string): Promise<Operators> {
    const folder = await mkdtemp(join(tmpdir(), 'lode-sim-operators-'))
    await writeFile(join(folder, 'passphrase'), 'a passphrase of this run only')
    return new Operators(folder, chain, serverFolder)
  }

  /** Makes them the operators of this database, with their plan; answers with what the signer pins. */
  async settle(ownerUrl: string): Promise<string> {
    if (this.#ceremony) await insertCeremony(ownerUrl, this.#ceremony)
    else this.#ceremony = await this.#hold(ownerUrl)
    return this.#ceremony.hash
  }

  async #hold(ownerUrl: string): Promise<Ceremony> {
    const keys = await Promise.all(
      operatorNames.map(async (name) => {
        const printed = await this.#run(ownerUrl, ['operator', 'key', this.#keyOf(name), '--name', name])
        return /^.+=[0-9a-f]{64}$/m.exec(printed)?.[0] ?? ''
      }),
    )
    for (const name of operatorNames) await this.#run(ownerUrl, ['operator', 'init', ...keys, ...this.#as(name)])
    for (const name of operatorNames) await this.#run(ownerUrl, ['plan', 'publish', planFile, ...this.#as(name)])
    const printed = await this.#run(ownerUrl, ['operator', 'list'])
    const hash = /Ceremony: (?:0x)?([0-9a-f]{64})/.exec(printed)?.[1]
    if (!hash) throw new Error(`there is no ceremony: ${printed}`)
    return readCeremony(ownerUrl, hash)
  }

  /** By one operator; null where it was done, or else why there is nothing to decide. */
  async decide(ownerUrl: string, name: OperatorName, args: readonly string[]): Promise<string | null> {
    try {
      await this.#run(ownerUrl, ['transfer', ...args, ...this.#as(name)])
      return null
    } catch (error) {
      const { stderr = '' } = error as { stderr?: string }
      if (PASSED.test(stderr)) return stderr.trim().split('\n').at(-1) ?? ''
      throw new Violation(`lode transfer ${args.join(' ')} by ${name}: ${stderr || error}`)
    }
  }

  async end(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  #keyOf(name: OperatorName): string {
    return join(this.#folder, name)
  }

  #as(name: OperatorName): string[] {
    return ['--key', this.#keyOf(name), '--yes']
  }

  #run(ownerUrl: string, args: readonly string[]): Promise<string> {
    return lode(ownerUrl, args, this.#serverFolder, this.#environment)
  }
}

type Ceremony = { readonly hash: string; readonly rows: readonly { readonly table: string; readonly json: string }[] }

const TABLES = ['decision', 'decision_signature', 'operator_link', 'plan'] as const

async function readCeremony(ownerUrl: string, hash: string): Promise<Ceremony> {
  return withClient(ownerUrl, async (client) => {
    const rows: { table: string; json: string }[] = []
    for (const table of TABLES) {
      const found = await client.query<{ json: string }>(`select to_jsonb(t)::text as json from lode.${table} t`)
      for (const { json } of found.rows) rows.push({ table, json })
    }
    return { hash, rows }
  })
}

async function insertCeremony(ownerUrl: string, { rows }: Ceremony): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    for (const { table, json } of rows) {
      const { body_hash: _generated, ...columns } = JSON.parse(json) as Record<string, unknown>
      const names = Object.keys(columns).join(', ')
      await client.query(
        `insert into lode.${table} (${names}) overriding system value
         select ${names} from jsonb_populate_record(null::lode.${table}, $1)`,
        [json],
      )
    }
    await client.query(
      "select setval(pg_get_serial_sequence('lode.decision', 'id'), (select max(id) from lode.decision))",
    )
  })
}

async function withClient<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
