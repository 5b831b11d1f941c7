import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { contractVariablesOf, runLode, type ServerSettings } from './server.ts'

const names = ['ada', 'bo'] as const
type OperatorName = (typeof names)[number]

/** The operators of a development or test pool: two keys, used with the command line as real operators do. */
export type StackOperators = ReturnType<typeof createStackOperators>

type Pool = Pick<ServerSettings, 'profile' | 'ownerUrl' | 'contracts' | 'serverFolder'> & {
  readonly chain: Pick<ServerSettings['chain'], 'id'>
}

/** Their keys are stored in the folder and created if missing. */
export function createStackOperators(folder: string, { profile, ownerUrl, contracts, chain, serverFolder }: Pool) {
  const passphraseFile = join(folder, 'passphrase')
  const environment = {
    ...contractVariablesOf(contracts),
    LODE_PROFILE: profile,
    CHAIN_ID: String(chain.id),
    LODE_PASSPHRASE_FILE: passphraseFile,
  }
  const keyOf = (name: OperatorName): string => join(folder, `${name}.key`)
  const run = (...args: string[]): Promise<string> => runLode(ownerUrl, args, serverFolder, environment)
  const decide = (name: OperatorName, ...args: string[]): Promise<string> => run(...args, '--yes', '--key', keyOf(name))

  async function makeKeys(): Promise<string[]> {
    if (!existsSync(passphraseFile)) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(passphraseFile, randomBytes(16).toString('hex'), { mode: 0o600 })
    }
    return Promise.all(
      names.map(async (name) => {
        const printed = await run('operator', 'key', keyOf(name), '--name', name)
        const named = /^.+=[0-9a-f]{64}$/m.exec(printed)?.[0]
        if (!named) throw new Error(`lode operator key printed no key: ${printed}`)
        return named
      }),
    )
  }

  return {
    passphraseFile,
    /** Runs a command that needs no key. */
    run,
    decide,
    /** The hash of the pool's ceremony, which the signer pins. Null if the pool has no operators yet. */
    async ceremony(): Promise<string | null> {
      const client = new pg.Client({ connectionString: ownerUrl })
      await client.connect()
      try {
        const { rows } = await client.query<{ hash: string }>(
          `select encode(hash, 'hex') as hash from lode.operator_link where number = 1`,
        )
        return rows[0]?.hash ?? null
      } finally {
        await client.end()
      }
    },
    /** Makes them the operators of a pool that has none. Returns the hash of their ceremony. */
    async appoint(): Promise<string> {
      const named = await makeKeys()
      for (const name of names) await decide(name, 'operator', 'init', ...named)
      const ceremony = await this.ceremony()
      if (ceremony === null) throw new Error('The operators signed, and there is no ceremony')
      return ceremony
    },
    /** Continues if an earlier call was interrupted after the first signature. */
    async publish(planFile: string): Promise<void> {
      for (const name of names)
        await decide(name, 'plan', 'publish', planFile).catch((error: { stderr?: string }) => {
          if (!error.stderr?.includes('has signed this already')) throw error
        })
    },
  }
}
