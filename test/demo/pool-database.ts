import { setTimeout as sleep } from 'node:timers/promises'
import { orderTypes } from '@lode/wire'
import pg from 'pg'

const TIMEOUT_MS = 60_000

/** The pool's database as its owner: to set the clock, and to see how far the processes are. It writes nothing else. */
export class PoolDatabase {
  readonly #client: pg.Client

  private constructor(client: pg.Client) {
    this.#client = client
  }

  static async open(ownerUrl: string): Promise<PoolDatabase> {
    const client = new pg.Client({ connectionString: ownerUrl })
    await client.connect()
    return new PoolDatabase(client)
  }

  async close(): Promise<void> {
    await this.#client.end()
  }

  async read<Row extends object>(statement: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.#client.query<Row>(statement, [...values])).rows
  }

  async setTime(at: Date): Promise<void> {
    await this.read('update lode.clock set shift = $1::timestamptz - pg_catalog.now()', [at])
  }

  /** Removes the shift of the clock. */
  async resetTime(): Promise<void> {
    await this.read("update lode.clock set shift = interval '0'")
  }

  async inviteCodesOf(accounts: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.read<{ account: Buffer; code: string }>(
      'select account, invite_code as code from lode.member where account = any($1)',
      [accounts.map((account) => Buffer.from(account.slice(2), 'hex'))],
    )
    return new Map(rows.map(({ account, code }) => [`0x${account.toString('hex')}`, code]))
  }

  async readPlanInForce(): Promise<number> {
    const [row] = await this.read<{ version: number }>(
      'select max(version) as version from lode.plan where starts_at <= lode.now()',
    )
    return row?.version ?? 0
  }

  /** Waits until the worker has posted this block. */
  async waitUntilPosted(block: number): Promise<void> {
    await this.#until(`block ${block} is posted`, async () => {
      const [row] = await this.read<{ posted: string }>('select posted_number as posted from lode.chain_state')
      return row !== undefined && Number(row.posted) >= block
    })
  }

  /** Runs the worker's jobs of every minute now, and waits until they are done. */
  async runJobs(jobs: readonly string[]): Promise<void> {
    await this.read('select graphile_worker.add_job(name, job_key => name) from unnest($1::text[]) as due (name)', [
      jobs,
    ])
    await this.#until(`${jobs} are done`, async () => {
      const left = await this.read('select from graphile_worker.jobs where key = any($1)', [jobs])
      return left.length === 0
    })
  }

  /** The computing power that paid promotions have bought so far, in TH/s. */
  async readPowerSold(): Promise<number> {
    const [row] = await this.read<{ power: number }>(
      "select coalesce(sum(power), 0)::int as power from lode.pay_order where type = $1 and ended = 'success'",
      [orderTypes.promotion],
    )
    return row?.power ?? 0
  }

  /** Treasury payments that two operators have decided and that the signer has not paid yet. */
  async readOpenTreasuryPayments(): Promise<string[]> {
    const rows = await this.read<{ id: string }>(
      "select id from lode.payout where kind = 'treasury' and ended is null order by id",
    )
    return rows.map(({ id }) => id)
  }

  async countUnpaid(payouts: readonly string[]): Promise<number> {
    const [row] = await this.read<{ left: number }>(
      'select count(*)::int as left from lode.payout where id = any($1::uuid[]) and ended is null',
      [payouts],
    )
    return row?.left ?? 0
  }

  async #until(what: string, holds: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + TIMEOUT_MS
    while (!(await holds())) {
      if (Date.now() > deadline) throw new Error(`Timeout after a minute, still waiting until ${what}`)
      await sleep(8)
    }
  }
}
