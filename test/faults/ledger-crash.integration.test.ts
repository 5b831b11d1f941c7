import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { units } from '@lode/kernel'
import { type Postgres, startPostgres } from '@lode/scripts/postgres'
import { freePort } from '@lode/scripts/process'
import { audit, connectDatabase, migrate, post, sealAll, type Transaction } from '@lode/server'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { killPostgres } from './kill-postgres.ts'

/** How often the database is killed: a few times by default, twenty times in `pnpm deep`. */
const CRASHES = Number(process.env.LEDGER_CRASHES ?? 3)
const WRITERS = 8
const MEMBERS = 20

let folder: string
let port: number
let postgres: Postgres
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lode-crash-'))
  port = await freePort()
  postgres = await start()
  await migrate({ ownerUrl: postgres.url(), profile: 'test' })
  await asOwner(async (client) => {
    await client.query(`
      insert into lode.member (account, invite_code, sponsor_id, lang)
      select substring(sha256(convert_to(n::text, 'UTF8')) for 20), lpad(n::text, 8, '0'), case when n > 1 then 1 end, 'en'
      from generate_series(1, ${MEMBERS}) n`)
  })
}, 120_000)
afterAll(async () => {
  await postgres.stop('SIGINT')
  await rm(folder, { recursive: true, force: true })
})

const start = () =>
  startPostgres({ dataFolder: folder, port, durable: true, major: process.env.PG_MAJOR === '15' ? '15' : '18' })

async function asOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: postgres.url() })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

type Deposit = { readonly key: `chain:${string}`; readonly member: bigint; readonly amount: number }

let made = 0
function newDeposit(): Deposit {
  made += 1
  return {
    key: `chain:1:0x${made.toString(16).padStart(64, '0')}:0`,
    member: BigInt(1 + (made % MEMBERS)),
    amount: 1 + (made % 97),
  }
}

const transactionOf = ({ key, member, amount }: Deposit): Transaction => ({
  type: 'deposit',
  key,
  moves: [
    {
      asset: 'USDT',
      amount: units('USDT', BigInt(amount)),
      from: 'custody:vault',
      to: { kind: 'available', member, line: { type: 'transferIn', operation: key } },
    },
  ],
})

it(`the ledger keeps every acknowledged transaction when PostgreSQL is killed ${CRASHES} times under load`, {
  timeout: 3_600_000,
}, async () => {
  const acknowledged = new Map<string, bigint>()
  const sent: Deposit[] = []
  const unanswered: Deposit[] = []

  for (let crash = 1; crash <= CRASHES; crash += 1) {
    const url = new URL(postgres.url())
    url.username = 'lode_worker'
    const { db, close } = connectDatabase(url.href, { name: 'crash test', max: WRITERS + 1, onError: () => {} })
    let alive = true
    const write = async (batch: readonly Deposit[]) => {
      const outcomes = await post(db, batch.map(transactionOf)).catch(() => null)
      batch.forEach((deposit, index) => {
        const outcome = outcomes?.[index]
        if (outcome?.outcome === 'posted' || outcome?.outcome === 'repeated')
          acknowledged.set(deposit.key, outcome.transaction)
        else unanswered.push(deposit)
      })
    }
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      while (alive) {
        // Requests that the last crash left unanswered are sent again under the same key, as any client would.
        const again = unanswered.splice(0, 5)
        const fresh = Array.from({ length: writer % 2 === 0 ? 1 : 20 }, newDeposit)
        sent.push(...fresh)
        await write([...again, ...fresh])
      }
    })
    const sealer = (async () => {
      while (alive) await sealAll(db, { delaySeconds: 0 }).catch(() => {})
    })()
    await sleep(400 + Math.random() * 800)
    await killPostgres(postgres)
    alive = false
    await Promise.all([...writers, sealer])
    await close()
    postgres = await start()

    const kept = await asOwner(async (client) => {
      const { rows } = await client.query<{ key: string; id: string }>('select key, id from lode.ledger_transaction')
      return new Map(rows.map(({ key, id }) => [key, BigInt(id)]))
    })
    const lost = Array.from(acknowledged).filter(([key, id]) => kept.get(key) !== id)
    expect({ crash, lost }).toEqual({ crash, lost: [] })
    const owner = connectDatabase(postgres.url(), { name: 'audit', max: 1, noTimeouts: true })
    expect({ crash, findings: (await audit(owner.db)).findings }).toEqual({ crash, findings: [] })
    await owner.close()
  }

  // Everything that was ever sent is sent again. Each has exactly one effect.
  const url = new URL(postgres.url())
  url.username = 'lode_worker'
  const { db, close } = connectDatabase(url.href, { name: 'crash test', max: 1 })
  for (let at = 0; at < sent.length; at += 200) await post(db, sent.slice(at, at + 200).map(transactionOf))
  await close()
  const total = await asOwner(async (client) => {
    const { rows } = await client.query<{ total: string }>(
      'select sum(balance)::text as total from lode.ledger_account where id > 16384',
    )
    return BigInt(rows[0]?.total ?? 0)
  })
  expect(total).toBe(sent.reduce((sum, { amount }) => sum + BigInt(amount), 0n))
  expect(acknowledged.size).toBeGreaterThan(50 * CRASHES)
})
