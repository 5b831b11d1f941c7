import { Writable } from 'node:stream'
import type { Envelope, RequestOf, RouteName } from '@lode/wire'
import { type DataOf, routes } from '@lode/wire'
import type { FastifyInstance } from 'fastify'
import { getAddress } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { createFirstMember } from '../modules/identity/index.ts'
import type { PoolIdentity } from '../modules/operators/index.ts'
import { type Environment, readApiConfig } from '../platform/config/config.ts'
import type { Database } from '../platform/db/database.ts'
import { createLogger } from '../platform/telemetry/logger.ts'
import { startApi } from '../processes/api.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { testStack } from './stack.ts'
import { createTestWallet, type TestWallet } from './wallet.ts'

export type Answer<Data> = { status: number; headers: Headers; body: Envelope<Data> }

type CallOptions = { token?: string; headers?: Record<string, string> }

export type TestApi = {
  readonly url: string
  readonly app: FastifyInstance
  readonly db: Database
  readonly database: TestDatabase
  readonly clock: TestClock
  readonly root: TestWallet
  readonly rootCode: string
  /** Everything that the process logged. */
  logs(): string
  call<Name extends RouteName>(name: Name, input: RequestOf<Name>, options?: CallOptions): Promise<Answer<DataOf<Name>>>
  /** For requests that match no entry of the table of routes. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

/** The whole api with its own database, listening on loopback inside the test's process. The first member exists. */
export async function startTestApi(environment: Environment = {}, existingDatabase?: TestDatabase): Promise<TestApi> {
  const database = existingDatabase ?? (await createTestDatabase())
  const root = createTestWallet()
  const rootCode = existingDatabase ? '' : await insertFirstMember(database, root)
  let logged = ''
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      logged += chunk
      done()
    },
  })
  const config = readApiConfig({ ...testEnvironment(database), ...environment })
  if (!config.ok) throw new Error(config.error.join('\n'))
  const { url, app, close } = await startApi(config.value, createLogger('api', config.value.logLevel, destination))

  return {
    url,
    app,
    db: database.db,
    database,
    clock: createTestClock(database.db),
    root,
    rootCode,
    logs: () => logged,
    call: (name, input, options) => callRoute(url, name, input, options),
    fetch: (path, init) => fetch(`${url}${path}`, init),
    close: async () => {
      await close()
      if (!existingDatabase) await database.drop()
    },
  }
}

/** Contract addresses that nothing calls: only tests that follow the chain need real contracts. */
const UNUSED_CONTRACTS = {
  VAULT_ADDRESS: '0x0000000000000000000000000000000000001001',
  VAULT_FIRST_BLOCK: '0',
  USDT_ADDRESS: '0x0000000000000000000000000000000000001002',
  BTN_ADDRESS: '0x0000000000000000000000000000000000001003',
  BTC_ADDRESS: '0x0000000000000000000000000000000000001004',
  BTC_PRICE_FEED: '0x0000000000000000000000000000000000001005',
  BTN_PRICE_FEED: '0x0000000000000000000000000000000000001006',
}

/** The pool of a test's own api, as its operators name it. */
export const testPool = (): PoolIdentity => ({
  pool: getAddress(UNUSED_CONTRACTS.VAULT_ADDRESS),
  chainId: testStack().chainId,
})

/** Signs quotes that no vault accepts, unless a test sets its own key. */
const QUOTE_KEY = generatePrivateKey()

export const TEST_ORIGIN = 'http://127.0.0.1:5173'

/** A configuration that starts. A test changes the values that it is about. */
export function testEnvironment(database: TestDatabase): Record<string, string> {
  const { rpcUrl, chainId } = testStack()
  return {
    LODE_PROFILE: 'test',
    DATABASE_URL: database.urlOf('lode_api'),
    CHAIN_ID: String(chainId),
    CHAIN_NAME: 'Lode Test',
    CHAIN_RPC_URL: rpcUrl,
    ...UNUSED_CONTRACTS,
    API_PORT: '0',
    PUBLIC_ORIGIN: TEST_ORIGIN,
    NONCE_SECRET: 'a secret that only this run of the tests knows',
    QUOTE_KEY,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'trace',
  }
}

async function insertFirstMember(database: TestDatabase, root: TestWallet): Promise<string> {
  const code = await createFirstMember(database.db, root.account)
  if (!code.ok) throw new Error(code.error)
  return code.value
}

/** Calls a route of an api that runs at this address. */
export async function callRoute<Name extends RouteName>(
  url: string,
  name: Name,
  input: RequestOf<Name>,
  options: CallOptions = {},
): Promise<Answer<DataOf<Name>>> {
  const { method, path } = routes[name]
  const headers: Record<string, string> = { ...options.headers }
  if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`
  const query = method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
  if (method === 'POST') headers['content-type'] = 'application/json'
  const response = await fetch(`${url}/api${path}${query}`, {
    method,
    headers,
    ...(method === 'POST' ? { body: JSON.stringify(input) } : {}),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Envelope<DataOf<Name>>,
  }
}
