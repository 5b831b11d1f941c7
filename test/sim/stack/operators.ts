import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contractVariablesOf, roleUrl, runLode } from '@lode/scripts/server'
import { withClient } from '../query.ts'
import { Violation, type World } from '../world.ts'
import type { Chain } from './chain.ts'
import { ROLE_PASSWORD } from './database.ts'
import { type PlanFile, planFile } from './plan.ts'

export const operatorNames = ['Ada', 'Bo'] as const
export type OperatorName = (typeof operatorNames)[number]

/** Messages of the command line that there is nothing left to decide. Any other refusal is an error. */
const ALREADY_DECIDED =
  /no such transfer|This transfer (was|is)|not under review|has signed this already|Nothing is paused|a sharing expert already|No application of|have decided about this|It is not the turn of day|there is nothing to approve|The worker is not stopped/

/**
 * The operators: two people with a key each, who use the command line. Creating keys, ceremony and plan takes seconds,
 * so it is done once for all seeds of a run, whose pools have the same address. Each seed gets a copy of the rows.
 */
export class Operators {
  readonly #folder: string
  readonly #serverFolder: string
  #environment: Readonly<Record<string, string>> = {}
  #ceremony: Ceremony | null = null

  private constructor(folder: string, chain: Chain, serverFolder: string) {
    this.#folder = folder
    this.#serverFolder = serverFolder
    this.changeSettings(chain)
  }

  static async begin(chain: Chain, serverFolder: string): Promise<Operators> {
    const folder = await mkdtemp(join(tmpdir(), 'lode-sim-operators-'))
    await writeFile(join(folder, 'passphrase'), 'a passphrase of this run only')
    return new Operators(folder, chain, serverFolder)
  }

  /** Makes them the operators of this database, with their plan. Returns the hash that the signer pins. */
  async install(ownerUrl: string, chain: Chain): Promise<string> {
    this.changeSettings(chain)
    if (this.#ceremony) await insertCeremony(ownerUrl, this.#ceremony)
    else this.#ceremony = await this.#hold(ownerUrl)
    return this.#ceremony.hash
  }

  /** From now on their machines are set to the pool on this chain, with its present vault. */
  changeSettings({ contracts, formerVaults }: Chain): void {
    this.#environment = {
      ...contractVariablesOf(contracts),
      FORMER_VAULTS: formerVaults.join(','),
      LODE_PROFILE: 'test',
      CHAIN_ID: String(contracts.chainId),
      LODE_PASSPHRASE_FILE: join(this.#folder, 'passphrase'),
    }
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

  /** A decision of one operator. Null if it was made, otherwise why there is nothing to decide. */
  decide(ownerUrl: string, name: OperatorName, args: readonly string[]): Promise<string | null> {
    return this.#try(ownerUrl, name, ['transfer', ...args])
  }

  /** The same for an appointment. The attempt is recorded first, because it may succeed whatever the answer is. */
  appoint(
    { stack, acknowledged }: Pick<World, 'stack' | 'acknowledged'>,
    name: OperatorName,
    as: 'expert' | 'partner',
    args: readonly [verb: string, account: string, ...string[]],
  ): Promise<string | null> {
    const [verb, account] = args
    const what = `${as} ${account.toLowerCase()}`
    const { appointments } = acknowledged
    if (verb !== 'reject') appointments.set(what, new Set([...(appointments.get(what) ?? []), name]))
    return this.#try(stack.ownerUrl, name, [as, ...args])
  }

  /** The same for the approval of a day. */
  approveDay(
    { stack, acknowledged }: Pick<World, 'stack' | 'acknowledged'>,
    name: OperatorName,
    day: number,
  ): Promise<string | null> {
    const { dayApprovals } = acknowledged
    dayApprovals.set(day, new Set([...(dayApprovals.get(day) ?? []), name]))
    return this.#try(stack.ownerUrl, name, ['day', 'approve', String(day)])
  }

  /**
   * One operator signs the return of money that came from an address without a member. With --new, because another
   * operator may have begun the return of other money.
   */
  returnSuspense(
    ownerUrl: string,
    name: OperatorName,
    args: readonly [address: string, amount: string, symbol: string],
  ) {
    return this.#try(ownerUrl, name, ['suspense', 'return', ...args, 'sent by mistake', '--new'])
  }

  /** One operator signs that the present stop is to end. */
  endStop(ownerUrl: string, name: OperatorName): Promise<string | null> {
    return this.#try(ownerUrl, name, ['chain', 'resume', 'the cause is found'])
  }

  proveAgain(ownerUrl: string, name: OperatorName): Promise<string | null> {
    return this.#try(ownerUrl, name, ['proof', 'again', 'a node was replaced'])
  }

  /** One operator signs a decision, with the database role of operators. Returns what the command printed. */
  async sign(ownerUrl: string, name: OperatorName, args: readonly string[]): Promise<string> {
    try {
      return await this.#run(roleUrl(ownerUrl, 'lode_operator', ROLE_PASSWORD), [...args, ...this.#as(name)])
    } catch (error) {
      throw new Violation(`lode ${args.join(' ')} by ${name}: ${(error as { stderr?: string }).stderr || error}`)
    }
  }

  /** A command that only reads, with the database role of operators. */
  read(ownerUrl: string, args: readonly string[]): Promise<string> {
    return this.#run(roleUrl(ownerUrl, 'lode_operator', ROLE_PASSWORD), args)
  }

  /** A command of the database's owner, who signs nothing. */
  runAsOwner(ownerUrl: string, args: readonly string[]): Promise<string> {
    return this.#run(ownerUrl, args)
  }

  async #try(ownerUrl: string, name: OperatorName, args: readonly string[]): Promise<string | null> {
    try {
      await this.#run(ownerUrl, [...args, ...this.#as(name)])
      return null
    } catch (error) {
      const { stderr = '' } = error as { stderr?: string }
      if (ALREADY_DECIDED.test(stderr)) return stderr.trim().split('\n').at(-1)?.split(':')[0] ?? ''
      throw new Violation(`lode ${args.join(' ')} by ${name}: ${stderr || error}`)
    }
  }

  /** Both operators publish the next version, one after the other. */
  async publish(ownerUrl: string, plan: PlanFile): Promise<void> {
    const file = join(this.#folder, 'next-plan.json')
    await writeFile(file, JSON.stringify(plan))
    for (const name of operatorNames) await this.#run(ownerUrl, ['plan', 'publish', file, ...this.#as(name)])
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
    return runLode(ownerUrl, args, this.#serverFolder, this.#environment)
  }
}

type Ceremony = { readonly hash: string; readonly rows: readonly { readonly table: string; readonly json: string }[] }

const TABLES = [
  'decision',
  'decision_signature',
  'operator_link',
  'token',
  'signed_text',
  'plan',
  'decision_outcome',
] as const

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
      const generated = table === 'signed_text' ? 'hash' : 'body_hash'
      const names = Object.keys(JSON.parse(json) as object)
        .filter((column) => column !== generated)
        .join(', ')
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
