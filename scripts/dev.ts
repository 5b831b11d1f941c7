import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { deployDevelopment, developmentKeys, developmentTerms } from '@lode/contracts/dev/deploy'
import pg from 'pg'
import { createPublicClient, http } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { repositoryRoot } from './repository-files.ts'
import { startAnvil } from './stack/anvil.ts'
import { createStackOperators, type StackOperators } from './stack/operators.ts'
import { removeDataFolder, startPostgres } from './stack/postgres.ts'
import { answersOk, findPort, startProcess } from './stack/process.ts'
import { claimRecord, type RunningRecord } from './stack/running-record.ts'
import {
  contractVariablesOf,
  createFirstMember,
  type DeployedContracts,
  examplePlanFile,
  helpFolder,
  runLode,
  type ServerSettings,
  startApi,
  startSigner,
  startWorker,
} from './stack/server.ts'
import { waitForAll } from './stack/wait-for-all.ts'

/**
 * Starts the whole stack with one command: PostgreSQL, a chain node, migrations, api, worker, signer and the web app,
 * on loopback only.
 *
 * The server's processes restart when their sources change, also after a crash. If anything else ends by itself, the
 * program reports it and stops the rest. Ctrl-C, SIGTERM, a closed terminal and the end of the package manager that
 * started this program all lead to the same orderly shutdown.
 */
/** Another folder is another stack, and both can run at the same time. */
const folder = resolve(repositoryRoot, process.env.LODE_DEV_FOLDER ?? '.data/dev')
const databaseFolder = join(folder, 'postgres')
const operatorsFolder = join(folder, 'operators')
const journalFile = join(folder, 'signer.journal')
const optionalSettings = {
  extraEnvironment: { LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' },
  // A database that is not ours may be replaced by an empty one at any time.
  ...(!process.env.DATABASE_URL && { journal: journalFile }),
}
const PORTS = { web: 5173, api: 4100, worker: 4101, signer: 4102, chain: 8545, database: 54_318 }
const CHAIN_ID = 31_337

type Part = { readonly name: string; readonly pid: number; readonly ended: Promise<void>; stop(): Promise<void> }

const stopping = new AbortController()
const parts: Part[] = []
let record: RunningRecord | undefined
let isOutputShown = false

function readOptions(): { readonly fresh: boolean; readonly demo: boolean } {
  try {
    return parseArgs({
      options: { fresh: { type: 'boolean', default: false }, demo: { type: 'boolean', default: false } },
    }).values
  } catch {
    print(
      'Use: pnpm dev [--demo] [--fresh]\n--demo    with members and a history\n--fresh   removes what is stored first',
    )
    process.exit(1)
  }
}

async function main(): Promise<void> {
  const began = performance.now()
  const values = readOptions()
  const claimed = await claimRecord(join(folder, 'running.json'))
  if (claimed.kind === 'taken') {
    const web = readSettings().WEB_URL
    print(`Lode is already running here (process ${claimed.pid})${web ? `: ${web}` : ''}. End that one first.`)
    process.exit(1)
  }
  record = claimed.record
  stopOnSignals()
  // A demo that was interrupted is incomplete, so it is removed.
  if (values.fresh || existsSync(demoStartedFile)) await removeStoredData()

  // A restart reuses the sources that earlier starts compiled.
  process.env.NODE_COMPILE_CACHE ??= join(folder, 'compiled')
  const secrets = readOrCreateSecrets()
  if (values.demo) await findOrMakeDemo()
  const ports = {
    web: await findPort(PORTS.web),
    api: await findPort(PORTS.api),
    worker: await findPort(PORTS.worker),
    signer: await findPort(PORTS.signer),
    chain: await findPort(PORTS.chain),
  }
  const webUrl = `http://127.0.0.1:${ports.web}`
  const [database, chain] = await waitForAll([
    startDatabase(),
    startChain(ports.chain),
    startWeb(webUrl, {
      WEB_PORT: String(ports.web),
      API_PORT: String(ports.api),
      CHAIN_RPC_URL: process.env.CHAIN_RPC_URL ?? `http://127.0.0.1:${ports.chain}`,
    }),
  ])
  const contracts = await readOrDeployContracts(chain.chain.rpcUrl)
  const settings: ServerSettings = {
    profile: 'development',
    ownerUrl: database.ownerUrl,
    rolePassword: secrets.rolePassword,
    chain: chain.chain,
    contracts,
    apiPort: ports.api,
    workerPort: ports.worker,
    signerPort: ports.signer,
    publicOrigin: webUrl,
    nonceSecret: secrets.nonceSecret,
    ...optionalSettings,
  }
  await runLode(database.ownerUrl, ['migrate', '--role-password', secrets.rolePassword])
  const operators = createStackOperators(operatorsFolder, settings)
  writeSettings(settings, operators, webUrl)
  const { signal } = stopping
  // The signer needs the hash of the operators' ceremony, so it starts after the ceremony.
  const ceremony = readOrHoldCeremony(operators)
  const [root] = await waitForAll([
    ensureFirstMember(database.ownerUrl),
    startApi(settings, { watch: true, signal, onLine: forwardOutput('api') }).then(registerPart),
    startWorker(settings, { watch: true, signal, onLine: forwardOutput('worker') }).then(registerPart),
    ceremony
      .then((pinned) =>
        startSigner({ ...settings, ceremony: pinned }, { watch: true, signal, onLine: forwardOutput('signer') }),
      )
      .then(registerPart),
    ceremony.then(() => publishExample(settings, operators)),
    ceremony.then(() => writeVaultKeys(contracts)),
    runLode(database.ownerUrl, ['help', 'import', helpFolder]),
  ])
  isOutputShown = true
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  print(
    formatTable(`Lode is running (ready in ${seconds} s)`, [
      ['web', webUrl],
      ['api', `http://127.0.0.1:${ports.api}/api/docs`],
      ['worker', `http://127.0.0.1:${ports.worker}/metrics`],
      ['signer', `http://127.0.0.1:${ports.signer}/metrics`],
      ['chain', `${chain.chain.rpcUrl}  ${chain.description}`],
      ['vault', contracts.vault],
      ['database', `${database.ownerUrl}  ${database.description}`],
      ...demoRows(),
      ['', ''],
      ['first member', `${root.address}, the first account of the development wallet`],
      ['register here', `${webUrl}/regist?invite=${root.code}`],
      ['operators', `pnpm lode … --key ${join(operatorsFolder, 'ada.key')}, and bo.key`],
      ['vault calls', `pnpm lode vault … --chain ${chain.chain.rpcUrl} --key ${join(operatorsFolder, 'guardian.key')}`],
      ['', ''],
      ['', 'Ctrl-C ends all of it. Data are kept; pnpm dev --fresh starts anew.'],
    ]),
  )
}

// ---- parts of the stack ---------------------------------------------------------------------------------------------

async function startDatabase(): Promise<{ ownerUrl: string; description: string }> {
  const own = process.env.DATABASE_URL
  if (own) return { ownerUrl: own, description: '(your own)' }
  const server = await startPostgres({
    dataFolder: databaseFolder,
    port: await findPort(PORTS.database),
    durable: true,
    signal: stopping.signal,
  })
  registerPart({ name: 'database', pid: server.pid, ended: server.ended, stop: () => server.stop() })
  await createDatabase(server.url(), 'lode')
  return { ownerUrl: server.url('lode'), description: `PostgreSQL ${server.major}` }
}

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}

async function startChain(port: number): Promise<{ chain: ServerSettings['chain']; description: string }> {
  const own = process.env.CHAIN_RPC_URL
  if (own) {
    const id = await chainIdOf(own)
    return {
      chain: { id, rpcUrl: own, name: process.env.CHAIN_NAME ?? `Chain ${id}` },
      description: `chain ${id} (your own)`,
    }
  }
  const node = await startAnvil({
    port,
    chainId: CHAIN_ID,
    stateFile: join(folder, 'chain.json'),
    blockTimeSeconds: 1,
    signal: stopping.signal,
  })
  registerPart({ name: 'chain', pid: node.pid, ended: node.ended, stop: () => node.stop('SIGINT') })
  return {
    chain: { id: CHAIN_ID, rpcUrl: node.rpcUrl, name: 'Lode Development' },
    description: `anvil, chain ${CHAIN_ID}`,
  }
}

/** Deployed at the first start: the pool's contracts, and tokens for the accounts of the development wallet. */
async function readOrDeployContracts(rpcUrls: string): Promise<DeployedContracts> {
  const [rpcUrl = ''] = rpcUrls.split(',')
  const file = join(folder, 'contracts.json')
  if (existsSync(file)) {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as DeployedContracts
    const code = await createPublicClient({ transport: http(rpcUrl) }).getCode({ address: kept.vault })
    if (code) return kept
  }
  const members = Array.from({ length: 10 }, (_, addressIndex) => developmentAccount(addressIndex))
  const deployed = await deployDevelopment({ rpcUrl, members })
  const contracts = { ...deployed, firstBlock: Number(deployed.firstBlock) }
  writeFileSync(file, JSON.stringify(contracts, null, 2))
  return contracts
}

const developmentAccount = (addressIndex: number): `0x${string}` =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex }).address

async function chainIdOf(rpcUrls: string): Promise<number> {
  const [first = ''] = rpcUrls.split(',')
  const response = await fetch(first, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
  })
  return Number(((await response.json()) as { result: string }).result)
}

async function startWeb(url: string, environment: Record<string, string>): Promise<void> {
  const web = join(repositoryRoot, 'apps/web')
  const running = await startProcess({
    name: 'web',
    command: process.execPath,
    args: [join(web, 'node_modules/vite/bin/vite.js')],
    cwd: web,
    env: { ...process.env, ...environment },
    ready: () => answersOk(url),
    signal: stopping.signal,
    onLine: forwardOutput('web'),
  })
  registerPart(running)
}

/** The first member, created at the first start. It is the first account of the development wallet. */
async function ensureFirstMember(ownerUrl: string): Promise<{ address: string; code: string }> {
  const address = developmentAccount(0)
  return { address, code: await createFirstMember(ownerUrl, address) }
}

/** The ceremony of the pool's operators. A pool without operators gets two, whose keys are stored. */
async function readOrHoldCeremony(operators: StackOperators): Promise<string> {
  const held = await operators.ceremony()
  if (held !== null) return held
  // Removes the keys of a ceremony that an earlier start began and did not complete.
  rmSync(operatorsFolder, { recursive: true, force: true })
  rmSync(journalFile, { force: true })
  return operators.appoint()
}

/**
 * The keys of the accounts with roles on the development vault, for the commands that make calls on it, and its terms.
 * Everybody knows them. A pool with operators of its own has no such folder.
 */
function writeVaultKeys(contracts: DeployedContracts): void {
  if (!existsSync(operatorsFolder)) return
  const { administrator, guardian, secondGuardian, funder } = developmentKeys()
  const keys = { administrator, guardian, 'second-guardian': secondGuardian, funder }
  for (const [name, key] of Object.entries(keys))
    writeFileSync(join(operatorsFolder, `${name}.key`), `${key}\n`, { mode: 0o600 })
  writeFileSync(join(operatorsFolder, 'terms.json'), JSON.stringify(developmentTerms(contracts), null, 2))
}

/**
 * A pool without a plan sells nothing, so the example plan is published at the first start. If the database is the
 * developer's own and already had operators, those operators publish.
 */
async function publishExample({ ownerUrl }: ServerSettings, operators: StackOperators): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const { rowCount } = await client.query('select from lode.plan limit 1')
  await client.end()
  if (rowCount !== 0) return
  if (!existsSync(operatorsFolder)) return print('This pool has operators, and no plan: pnpm lode plan publish FILE')
  await operators.publish(examplePlanFile)
}

// ---- demo -----------------------------------------------------------------------------------------------------------

/**
 * The demo is a pool with members and a history, made once. Later starts reuse it. This file is written when the demo
 * is complete.
 */
const demoFile = join(folder, 'demo.json')
const demoStartedFile = join(folder, 'demo-begun')

async function findOrMakeDemo(): Promise<void> {
  if (existsSync(demoFile)) return
  if (process.env.DATABASE_URL || process.env.CHAIN_RPC_URL)
    throw new Error('The demo is made on a database and a chain of its own: unset DATABASE_URL and CHAIN_RPC_URL.')
  if (existsSync(join(folder, 'contracts.json')))
    throw new Error('There is a pool here already. pnpm dev --fresh --demo makes the demo in its place.')
  writeFileSync(demoStartedFile, '')
  print('Making the demo: 2,000 members and 120 days, about three minutes, once. Ctrl-C gives it up.')
  const making = spawn(process.execPath, [join(repositoryRoot, 'test/demo/make.ts'), folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, LODE_PROFILE: 'development' },
  })
  record?.add('demo', making.pid ?? -1)
  stopping.signal.addEventListener('abort', () => making.kill('SIGTERM'))
  await once(making, 'exit')
  if (!existsSync(demoFile)) throw new Error('The demo was not finished; the next start begins anew.')
  rmSync(demoStartedFile)
}

const demoRows = (): [string, string][] =>
  existsSync(demoFile) ? [['', ''], ...(JSON.parse(readFileSync(demoFile, 'utf8')) as [string, string][])] : []

// ---- stored between runs --------------------------------------------------------------------------------------------

async function removeStoredData(): Promise<void> {
  await removeDataFolder(databaseFolder)
  for (const name of ['chain.json', 'contracts.json', 'lode.env', 'secrets.json', 'demo.json', 'demo-begun'])
    rmSync(join(folder, name), { force: true })
  rmSync(operatorsFolder, { recursive: true, force: true })
  if (process.env.DATABASE_URL) print('The database is your own, so --fresh left it as it is.')
}

/** Random for each checkout: even a development database must not accept a publicly known password. */
function readOrCreateSecrets(): { rolePassword: string; nonceSecret: string } {
  const file = join(folder, 'secrets.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof readOrCreateSecrets>
  const secrets = { rolePassword: randomBytes(16).toString('hex'), nonceSecret: randomBytes(32).toString('hex') }
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 })
  return secrets
}

/** For `pnpm lode …`, and for other programs that use the running stack. */
function writeSettings(
  { ownerUrl, chain, contracts, profile }: ServerSettings,
  operators: StackOperators,
  webUrl: string,
): void {
  const lines = {
    LODE_PROFILE: profile,
    DATABASE_URL: ownerUrl,
    CHAIN_ID: chain.id,
    CHAIN_RPC_URL: chain.rpcUrl,
    CHAIN_NAME: JSON.stringify(chain.name),
    ...contractVariablesOf(contracts),
    LODE_PASSPHRASE_FILE: operators.passphraseFile,
    WEB_URL: webUrl,
  }
  const text = Object.entries(lines).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(folder, 'lode.env'), text.join(''), { mode: 0o600 })
}

function readSettings(): Record<string, string> {
  const file = join(folder, 'lode.env')
  if (!existsSync(file)) return {}
  return Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  ) as Record<string, string>
}

// ---- shutdown -------------------------------------------------------------------------------------------------------

function registerPart(part: Part): void {
  parts.push(part)
  record?.add(part.name, part.pid)
  void part.ended.then(() => {
    if (stopping.signal.aborted) return
    print(`${part.name} ended by itself; ending the rest.`)
    void shutDown(1)
  })
}

function stopOnSignals(): void {
  const parent = process.ppid
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void shutDown(0))
  // A closed terminal refuses our output, and a killed package manager sends no signal. Both are handled here.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  setInterval(() => process.ppid !== parent && void shutDown(0), 500).unref()
}

async function shutDown(code: number): Promise<void> {
  if (stopping.signal.aborted) return
  stopping.abort()
  isOutputShown = false
  // Stops the users of the database and the chain first. Parts that are still starting give up by themselves.
  const isDatabaseOrChain = (part: Part) => part.name === 'database' || part.name === 'chain'
  await Promise.all(parts.filter((part) => !isDatabaseOrChain(part)).map((part) => part.stop()))
  await starting
  await Promise.all(parts.map((part) => part.stop()))
  record?.remove()
  process.exit(code)
}

// ---- output ---------------------------------------------------------------------------------------------------------

const print = (text: string): void => console.log(text)

const forwardOutput =
  (name: string) =>
  (line: string): void => {
    if (isOutputShown) print(`${name.padEnd(6)} | ${line}`)
  }

const formatTable = (title: string, rows: readonly (readonly [string, string])[]): string =>
  ['', title, '', ...rows.map(([name, value]) => `  ${name.padEnd(13)} ${value}`.trimEnd()), ''].join('\n')

const starting = main().catch(async (error: unknown) => {
  if (stopping.signal.aborted) return
  print(error instanceof Error ? error.message : String(error))
  void shutDown(1)
})
