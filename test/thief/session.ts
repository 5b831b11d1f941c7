import pg from 'pg'
import type { Random } from '../sim/random.ts'
import { DIRECTED_FUNCTIONS, drawArgument, hasGenerator } from './arguments.ts'
import type { Catalog, Column, Role } from './catalog.ts'
import { literal, type Value } from './literal.ts'
import { drawPosting, mutatePosting, type Posting, postStatement } from './postings.ts'
import type { Sample } from './sample.ts'

type Options = {
  /** A superuser's connection. It takes the identity of the role for each statement of the thief. */
  readonly client: pg.Client
  readonly role: Role
  readonly random: Random
  readonly sample: Sample
  readonly catalog: Catalog
  /** How often an argument or a posting of a directed call is replaced by another one. */
  readonly mutation: number
  readonly time: Time
}

/**
 * How time goes on for the thief. `passes`: up to thirty days at once. `runs`: as the clock of a running pool.
 * `stands still`: the thief's transaction began long ago and sees the pool as it was then.
 */
export type Time = 'passes' | 'runs' | 'stands still'

/** The thief's connection. Records every statement, so that a sequence can be printed and run by hand. */
export class Session {
  readonly random: Random
  readonly sample: Sample
  readonly role: Role
  readonly transcript: string[] = []
  /** How many transactions the database accepted. */
  accepted = 0
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
    this.random = options.random
    this.sample = options.sample
    this.role = options.role
  }

  /** A database transaction of the thief. If the database refuses a statement or the commit, none of it has happened. */
  async transaction(work: () => Promise<void>): Promise<boolean> {
    const { client, role, time } = this.#options
    // A millisecond passes between two transactions, as between real ones.
    if (time !== 'stands still') await client.query(`update lode.clock set shift = shift + interval '1 millisecond'`)
    await client.query(`savepoint thief; set local session authorization ${role}`)
    this.transcript.push('begin;')
    try {
      await work()
      await client.query('set constraints all immediate')
      await client.query('reset session authorization; set constraints all deferred; release savepoint thief')
      this.transcript.push('commit;')
      this.accepted += 1
      return true
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error
      await client.query(
        'rollback to savepoint thief; release savepoint thief; reset session authorization; set constraints all deferred',
      )
      this.transcript.push(`-- refused: ${error.message}`, 'rollback;')
      return false
    }
  }

  /** Reads with all rights, inside the transaction. A thief who knows everything tries harder. */
  async peek<Row extends object>(statement: string): Promise<Row[]> {
    const { client, role } = this.#options
    await client.query('reset session authorization')
    const { rows } = await client.query<Row>(statement)
    await client.query(`set local session authorization ${role}`)
    return rows
  }

  async wait(hours: number): Promise<void> {
    if (this.#options.time !== 'passes') return
    await this.#options.client.query(`update lode.clock set shift = shift + interval '${hours} hours'`)
    this.transcript.push(`-- ${hours} hours pass`)
  }

  /** The real signer's answer about the newest address that was requested in a member's name: no wallet signed it. */
  async letSignerRefuseAddress(member: string): Promise<void> {
    // In a running pool the signer itself does this.
    if (this.#options.time !== 'passes') return
    await this.#options.client.query(
      `select lode.record_address_check(${member}, (select max(number) from lode.output_address where member_id = ${member}), false)`,
    )
    this.transcript.push(`-- the signer refuses the newest address of member ${member}`)
  }

  async execute(statement: string): Promise<pg.QueryResult> {
    this.transcript.push(`${statement};`)
    return this.#options.client.query(statement)
  }

  /** Calls a function of the schema `lode`, or of the schema in its name. Arguments that are not given are drawn, and given ones are sometimes replaced. */
  async call(name: string, given: Readonly<Record<string, Value>> = {}): Promise<string> {
    const qualified = name.includes('.') ? name : `lode.${name}`
    const parameters = this.#options.catalog.functions.get(qualified)
    // Another role's function: the attempt must fail.
    if (!parameters) return this.#answer(`select ${qualified}()`)
    const values = parameters.map((parameter) => {
      const value = given[parameter.name]
      const isKept = value !== undefined && !this.#mutates(parameters.length)
      return `${parameter.name} => ${literal(isKept ? value : drawArgument(this.random, this.sample, parameter), parameter.type)}`
    })
    return this.#answer(`select ${qualified}(${values.join(', ')}) as answer`)
  }

  async post(...postings: readonly Posting[]): Promise<string> {
    const posted = postings.map((posting) =>
      this.#mutates(2) ? mutatePosting(this.random, this.sample, posting) : posting,
    )
    return this.#answer(postStatement(this.random, this.sample, posted))
  }

  /** Whether a directed step is left out. */
  leavesOut(): boolean {
    return this.#mutates(3)
  }

  #mutates(share: number): boolean {
    return this.random.chance(this.#options.mutation / share)
  }

  async #answer(statement: string): Promise<string> {
    const { rows } = await this.execute(statement)
    const [row] = rows as { answer?: unknown }[]
    this.transcript.push(`-- ${JSON.stringify(row?.answer ?? null)}`)
    return String(row?.answer ?? '')
  }

  /** Anything that the catalog allows, with drawn arguments. */
  async anything(): Promise<void> {
    const { catalog, random, sample, role } = this.#options
    const actions: (() => Promise<unknown>)[] = []
    for (const name of catalog.functions.keys())
      actions.push(
        DIRECTED_FUNCTIONS.includes(name) ? () => this.post(drawPosting(random, sample, role)) : () => this.call(name),
      )
    for (const [table, columns] of catalog.insertable) actions.push(() => this.#insert(table, columns))
    for (const [table, columns] of catalog.updatable)
      for (const column of columns) actions.push(() => this.#update(table, column))
    for (const table of catalog.deletable) actions.push(() => this.#delete(table))
    if (catalog.functions.has('lode.post') && random.chance(0.3)) await this.post(drawPosting(random, sample, role))
    else await random.pick(actions)()
  }

  async #insert(table: string, columns: readonly Column[]): Promise<void> {
    const given = columns.filter(({ nullable }) => !nullable || this.random.chance(0.7))
    const values = given.map((column) => literal(drawArgument(this.random, this.sample, column), column.type))
    await this.execute(
      `insert into ${table} (${given.map(({ name }) => name).join(', ')}) values (${values.join(', ')})`,
    )
  }

  async #update(table: string, column: Column): Promise<void> {
    const value = literal(drawArgument(this.random, this.sample, column), column.type)
    await this.execute(`update ${table} set ${column.name} = ${value}${this.#condition(table)}`)
  }

  async #delete(table: string): Promise<void> {
    await this.execute(`delete from ${table}${this.#condition(table)}`)
  }

  #condition(table: string): string {
    const readable = this.#options.catalog.readable.get(table) ?? []
    const first = readable.find(({ name }) => hasGenerator(name))
    if (!first || this.random.chance(0.4)) return ''
    return ` where ${first.name} = ${literal(drawArgument(this.random, this.sample, first), first.type)}`
  }
}
