import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startPostgres } from '@lode/scripts/postgres'
import { freePort } from '@lode/scripts/process'
import { sql } from 'kysely'
import { pino } from 'pino'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { readApiConfig, readSignerConfig } from '../platform/config/config.ts'
import { connectDatabase } from '../platform/db/database.ts'
import { testEnvironment, testPool } from '../testing/api.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { publishFirstPlan } from '../testing/plan.ts'
import { waitUntil } from '../testing/pool.ts'
import { startServerProcess } from '../testing/process.ts'
import { createTestWallet } from '../testing/wallet.ts'
import { type RunningApi, startApi } from './api.ts'
import { migrate } from './migrate.ts'
import { type RunningSigner, startSigner } from './signer.ts'
import { checkCommitsSurvive, checkDatabase, configOrRefuse, ExpectedFailure } from './start-up.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const toClose: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close()
})

const start = async (environment: Record<string, string>): Promise<RunningApi> => {
  const api = await startApi(configOrRefuse(readApiConfig(environment)), pino({ level: 'silent' }))
  toClose.push(api.close)
  return api
}

/** A node that only answers with this chain id. */
async function startNodeOfChain(chainId: number, port = 0): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { id } = JSON.parse(body) as { id: number }
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: `0x${chainId.toString(16)}` }))
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  toClose.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const productionEnvironment = async (of: TestDatabase): Promise<Record<string, string>> => ({
  ...testEnvironment(of),
  LODE_PROFILE: 'production',
  PUBLIC_ORIGIN: 'https://pool.example.org',
  CHAIN_PUBLIC_RPC_URL: 'https://rpc.example.org',
  NONCE_SECRET: 'q8Zr2VbN0sKf7LwXc4TyHj9PdGm1UaEi',
  RATE_LIMITS: 'on',
  CHAIN_ID: '56',
  CHAIN_RPC_URL: `one=${await startNodeOfChain(56)},two=${await startNodeOfChain(56)}`,
})

/** Starts a signer that has the settings of a test, except for the profile. */
function startProductionSigner(own: TestDatabase): Promise<RunningSigner> {
  const config = readSignerConfig({
    ...testEnvironment(own),
    DATABASE_URL: own.urlOf('lode_signer'),
    SIGNER_PORT: '0',
    PAYER_KEY: generatePrivateKey(),
  })
  if (!config.ok) throw new Error(config.error.join('\n'))
  return startSigner({ ...config.value, profile: 'production' }, pino({ level: 'silent' }))
}

describe('an api', () => {
  it.each([
    ['the node is on another chain', { CHAIN_ID: '1' }, 'CHAIN_ID is 1, but the node of http://127.0.0.1'],
    [
      'the database is unreachable',
      { DATABASE_URL: 'postgres://lode_api@127.0.0.1:9/lode' },
      'The database cannot be used',
    ],
  ])('does not start if %s', async (_what, change, words) => {
    const refusal = start({ ...testEnvironment(database), ...change })
    await expect(refusal).rejects.toThrow(ExpectedFailure)
    await expect(refusal).rejects.toThrow(words)
  })

  it('does not start if one of several nodes is on another chain, but starts if one is unreachable', async () => {
    const environment = testEnvironment(database)
    const foreign = `${environment.CHAIN_RPC_URL},${await startNodeOfChain(1)}`
    await expect(start({ ...environment, CHAIN_RPC_URL: foreign })).rejects.toThrow('is on chain 1')
    const away = `http://127.0.0.1:9,${environment.CHAIN_RPC_URL}`
    expect((await fetch(`${(await start({ ...environment, CHAIN_RPC_URL: away })).url}/readyz`)).status).toBe(200)
  })

  it('starts without any node, and becomes unready if a node of another chain answers', async () => {
    const port = await freePort()
    const environment = { ...testEnvironment(database), CHAIN_RPC_URL: `http://127.0.0.1:${port}` }
    const { url } = await start(environment)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect((await fetch(`${url}/api/sign/check?account=${createTestWallet().account}`)).status).toBe(200)
    await startNodeOfChain(1, port)
    await vi.waitFor(
      async () => {
        const ready = await fetch(`${url}/readyz`)
        expect(ready.status).toBe(503)
        expect(await ready.json()).toMatchObject({ status: expect.stringContaining('is on chain 1') })
      },
      { timeout: 20_000, interval: 200 },
    )
  })

  it('does not start if the decimals of a token differ from those of the published plan', async () => {
    const own = await createTestDatabase()
    toClose.push(own.drop)
    const environment = { ...testEnvironment(own), BTN_DECIMALS: '8' }
    await start(environment)
    await publishFirstPlan(own.db, testPool())
    const words = 'BTN_DECIMALS is 8, but the plan of this pool was published with 18'
    await expect(start(environment)).rejects.toThrow(ExpectedFailure)
    await expect(start(environment)).rejects.toThrow(words)
    for (const name of ['worker', 'signer', 'lode'] as const) {
      const started = startServerProcess(
        name,
        {
          ...environment,
          DATABASE_URL: name === 'lode' ? own.ownerUrl : own.urlOf(`lode_${name}`),
          WORKER_PORT: '0',
          SIGNER_PORT: '0',
          ...(name === 'signer' ? { PAYER_KEY: generatePrivateKey() } : {}),
        },
        ...(name === 'lode' ? ['plan', 'list'] : []),
      )
      expect(await started.ended, started.output()).toBe(1)
      expect(started.output()).toContain(words)
    }
    await start(testEnvironment(own))
  }, 60_000)

  it('does not start if migrations are missing', async () => {
    const behind = await createTestDatabase()
    toClose.push(behind.drop)
    await sql`delete from lode.migration where name = '0003_identity'`.execute(behind.db)
    await expect(start(testEnvironment(behind))).rejects.toThrow(
      'Migrations are missing: 0003_identity. Run: lode migrate',
    )
  })
})

describe('a production api', () => {
  it('starts on a database that was migrated for production, and like the signer refuses one that can lose commits', async () => {
    const own = await createTestDatabase({ empty: true })
    toClose.push(own.drop)
    await migrate({ ownerUrl: own.ownerUrl, profile: 'production' })
    const environment = await productionEnvironment(own)
    await expect(start(environment)).rejects.toThrow('The database has no synchronous standby')
    await expect(startProductionSigner(own)).rejects.toThrow('The database has no synchronous standby')
    const { url } = await start({ ...environment, DATABASE_MAY_LOSE_COMMITS: 'yes' })
    const { headers } = await fetch(`${url}/readyz`)
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
    expect(headers.get('content-security-policy')).toContain('upgrade-insecure-requests')
  })

  it('needs a synchronous standby, and commits that wait for it', async () => {
    const server = await startPostgres({ durable: false })
    toClose.push(() => server.stop('SIGQUIT'))
    const { db, close } = connectDatabase(server.url(), { name: 'standby test', max: 1 })
    toClose.push(close)
    const check = () => checkCommitsSurvive(db, { profile: 'production', databaseMayLoseCommits: false })
    const refusal = 'no synchronous standby'
    await sql`set synchronous_commit = on`.execute(db)
    await expect(check()).rejects.toThrow(refusal)
    await sql`alter system set synchronous_standby_names = 'standby'`.execute(db)
    await sql`select pg_reload_conf()`.execute(db)
    await waitUntil(check)
    await sql`set synchronous_commit = local`.execute(db)
    await expect(check()).rejects.toThrow(refusal)
  })

  it('refuses a database whose clock can be shifted, even if it is not shifted', async () => {
    await expect(start(await productionEnvironment(database))).rejects.toThrow(
      'The clock of this database can be shifted',
    )
    await expect(checkDatabase(database.db, 'test')).resolves.toBeUndefined()
  })
})
