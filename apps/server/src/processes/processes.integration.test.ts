import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { findBundledProcess } from '@lode/scripts/server-bundle'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { scramVerifier } from '../platform/db/scram-verifier.ts'
import { testEnvironment } from '../testing/api.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { startServerProcess, type TestProcess } from '../testing/process.ts'
import { createTestWallet } from '../testing/wallet.ts'

let database: TestDatabase
const running: TestProcess[] = []
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  for (const process of running) process.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  await database.drop()
})

function start(...parameters: Parameters<typeof startServerProcess>): TestProcess {
  const process = startServerProcess(...parameters)
  running.push(process)
  return process
}

const listeningAt = (process: TestProcess): string =>
  /Server listening at (http:[^"]+)/.exec(process.output())?.[1] ?? ''

describe('the api', { timeout: 90_000 }, () => {
  it('stops on a signal, even if a client holds a connection open', async () => {
    const api = start('api', { ...testEnvironment(database), LOG_LEVEL: 'info' })
    await api.waitForOutput('Server listening')
    const { port, hostname, href } = new URL(listeningAt(api))
    const client = connect(Number(port), hostname)
    client.on('error', () => {})
    await once(client, 'connect')
    expect((await fetch(new URL('/readyz', href))).status).toBe(200)
    api.kill('SIGTERM')
    expect(await api.ended).toBe(0)
    client.destroy()
  })

  it('starts again after it was killed', async () => {
    const environment = { ...testEnvironment(database), LOG_LEVEL: 'info' }
    const killed = start('api', environment)
    await killed.waitForOutput('Server listening')
    const port = new URL(listeningAt(killed)).port
    killed.kill('SIGKILL')
    expect(await killed.ended).toBe('SIGKILL')
    const again = start('api', { ...environment, API_PORT: port })
    await again.waitForOutput('Server listening')
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
    // A second process on the same port reports the conflict and ends.
    const second = start('api', { ...environment, API_PORT: port })
    expect(await second.ended).toBe(1)
    expect(second.output()).toContain('EADDRINUSE')
  })

  it('prints why it does not start, without a stack trace', async () => {
    const api = start('api', { ...testEnvironment(database), NONCE_SECRET: 'short', CHAIN_ID: 'mainnet' })
    expect(await api.ended).toBe(1)
    expect(api.output()).toContain('NONCE_SECRET: must have at least 32 characters')
    expect(api.output()).toContain('CHAIN_ID')
    expect(api.output()).not.toContain('    at ')
  })
})

describe('the worker', { timeout: 90_000 }, () => {
  it('runs its jobs, is ready, and stops on a signal', async () => {
    await sql`insert into lode.consumed_nonce values (decode(repeat('00', 16), 'hex'), lode.now() - interval '1 day')`.execute(
      database.db,
    )

    const worker = start('worker', {
      ...testEnvironment(database),
      LOG_LEVEL: 'info',
      DATABASE_URL: database.urlOf('lode_worker'),
      WORKER_PORT: '0',
    })
    await worker.waitForOutput('Worker connected and looking for jobs')
    await worker.waitForOutput('Server listening')
    const url = listeningAt(worker)
    expect((await fetch(new URL('/readyz', url))).status).toBe(200)
    expect(await (await fetch(new URL('/metrics', url))).text()).toContain('lode_database_connections')
    expect(await (await fetch(new URL('/metrics', url))).text()).toMatch(/lode_job_failing\{task="close-days".*\} 0/)
    await sql`select graphile_worker.add_job('sweep-nonces')`.execute(database.db)
    const left = async () => (await sql`select nonce from lode.consumed_nonce`.execute(database.db)).rows
    await expect.poll(left, { timeout: 10_000 }).toEqual([])
    const planned = await sql`select identifier from graphile_worker._private_known_crontabs order by 1`.execute(
      database.db,
    )
    expect(planned.rows).toEqual(
      [
        ...[
          'add-up-pool-changes',
          'apply-decisions',
          'close-days',
          'note-all-suspense',
          'return-pledges',
          'seal-ledger',
          'sweep-failed-jobs',
        ],
        ...['sweep-nonces', 'sweep-sessions', 'sweep-suspense'],
      ].map((identifier) => ({ identifier })),
    )
    expect(worker.output()).not.toContain('"level":50')
    worker.kill('SIGTERM')
    expect(await worker.ended).toBe(0)
  })

  it('exits if its job queue stops by itself, so that it is restarted', async () => {
    const worker = start('worker', {
      ...testEnvironment(database),
      LOG_LEVEL: 'info',
      DATABASE_URL: database.urlOf('lode_worker'),
      WORKER_PORT: '0',
    })
    await worker.waitForOutput('Worker connected and looking for jobs')
    // The message that a newer graphile-worker sends when its migration changed the tables; the queue then stops. It is
    // repeated until the worker has ended, because the queue may report that it is ready before it listens for this.
    const breaking = setInterval(() => {
      sql`select pg_notify('worker:migrate', '{"breaking":true}')`.execute(database.db).catch(() => undefined)
    }, 250)
    onTestFinished(() => clearInterval(breaking))
    expect(await worker.ended).toBe(1)
    expect(worker.output()).toContain('the job queue has stopped')
  })
})

describe('the command line', { timeout: 90_000 }, () => {
  async function lode(args: string[], profile = 'test'): Promise<{ code: number | string; words: string }> {
    const process = start('lode', { LODE_PROFILE: profile, DATABASE_URL: database.ownerUrl }, ...args)
    return { code: await process.ended, words: process.output().trim() }
  }

  it('sets up a pool, and the commands can be repeated', async () => {
    const { account } = createTestWallet()
    const [first, again] = await Promise.all([
      lode(['root', 'create', account]),
      lode(['root', 'create', account.toLowerCase()]),
      lode(['migrate']),
    ])
    expect(first).toEqual({ code: 0, words: expect.stringMatching(/^Invitation code: [0-9A-HJKMNP-TV-Z]{8}$/) })
    expect(again).toEqual(first)
  })

  it('sets the password of a role from standard input, and prints and sends only what PostgreSQL stores of it', async () => {
    const bundled = findBundledProcess('lode')
    const setPassword = (input: string, url: string) =>
      spawnSync(process.execPath, [bundled.file, 'role', 'password', 'lode_operator'], {
        input,
        encoding: 'utf8',
        env: { ...bundled.environment, LODE_PROFILE: 'test', DATABASE_URL: url },
      })
    expect(setPassword('too short\n', database.ownerUrl).stderr).toBe('It needs at least 16 characters.\n')
    expect(setPassword('ein längeres Passwort\n', database.ownerUrl).stderr).toContain('Use only letters')
    expect(setPassword('a-long-password-of-a-thief\n', database.urlOf('lode_api')).status).toBe(1)
    const { status, stdout } = setPassword('correct-horse-battery\n', database.ownerUrl)
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^lode_operator has a new password\. [^\n]+\n$/)])
    const { rows } = await sql<{ stored: string }>`
      select rolpassword as stored from pg_authid where rolname = 'lode_operator'`.execute(database.db)
    const stored = rows[0]?.stored ?? ''
    const salt = /^SCRAM-SHA-256\$4096:([^$]+)\$/.exec(stored)?.[1] ?? ''
    expect(stored).toBe(scramVerifier('correct-horse-battery', Buffer.from(salt, 'base64')))
  })

  it('prints the reason of every refusal', async () => {
    const { account } = createTestWallet()
    const burnt = '0x000000000000000000000000000000000000dEaD'
    const mistyped = '0x8a3f5C0b1d9E42F7aa61c0B8d5E4f3927160e21C'
    const answers = await Promise.all([
      lode(['root', 'create', account]),
      lode(['account', 'enable', '0x12']),
      lode(['account', 'enable', mistyped]),
      lode(['account', 'enable', burnt]),
      lode(['member', 'show', account]),
      lode(['role', 'password', 'postgres']),
      lode(['job', 'list']),
      lode(['migrate', '--role-password', 'x'], 'production'),
    ])
    expect(answers).toEqual([
      { code: 1, words: 'There is another first member already.' },
      { code: 1, words: '0x12 is not the address of a wallet.' },
      { code: 1, words: expect.stringContaining(`${mistyped} is mistyped`) },
      { code: 1, words: expect.stringContaining(`Nobody has a key for ${burnt}`) },
      { code: 1, words: expect.stringContaining('Add --help for the usage.') },
      { code: 1, words: expect.stringContaining('postgres is not a role that logs in') },
      { code: 0, words: 'No job has failed its last try since 03:00 UTC.' },
      { code: 1, words: expect.stringContaining('--role-password is for development and tests') },
    ])
  })
})
