import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startAnvil } from '@lode/scripts/anvil'
import { startPostgres } from '@lode/scripts/postgres'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type DevStack, isAlive, listening, startDev } from './running-stack.ts'

/** CI shares its processors with other work, and runs these tests beside other checks. */
const READY_WITHIN_MS = process.env.CI ? 180_000 : 30_000
const repository = resolve(import.meta.dirname, '../..')

/** Checks that all processes have ended and that their ports are free. */
async function expectNothingLeft(pids: readonly number[]): Promise<void> {
  for (let tries = 0; tries < 300 && pids.some(isAlive); tries++) await sleep(100)
  expect(pids.filter(isAlive).map(nameOf)).toEqual([])
  expect(listening(pids)).toEqual([])
}

const nameOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')

const refusedStart = (folder: string, ...args: string[]) =>
  spawnSync(process.execPath, [resolve(repository, 'scripts/dev.ts'), ...args], {
    env: { ...process.env, LODE_DEV_FOLDER: folder },
    encoding: 'utf8',
  })

async function rpc(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result: unknown }).result
}

/** The signer pins the operators' ceremony. Otherwise its readiness would report that it obeys no approvals. */
async function expectSignerObeys({ at }: DevStack): Promise<void> {
  const readiness = async () => (await fetch(new URL('/readyz', at('signer')))).json()
  await expect.poll(readiness, { timeout: 60_000 }).toEqual({ status: 'ready' })
  const metrics = await (await fetch(at('signer'))).text()
  expect(metrics).toContain('lode_signer_operators_pinned{process="signer"} 1')
}

describe('pnpm dev', () => {
  let folder: string
  const started: DevStack[] = []
  const start = async (options?: Parameters<typeof startDev>[1]) => {
    const stack = await startDev(folder, options)
    started.push(stack)
    return stack
  }
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lode-dev-'))
    // Like a checkout: PostgreSQL never runs as root and must be able to reach its data folder.
    chmodSync(folder, 0o755)
  })
  // A test that failed halfway must not leave its stack to the next one.
  afterEach(async () => {
    for (const stack of started) await stack.end('SIGTERM')
  })
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  it('is ready soon, listens on loopback only, refuses a second start, and stops with Ctrl-C; the next run keeps the data', async () => {
    const first = await start()
    expect(first.readyAfterMs).toBeLessThan(READY_WITHIN_MS)

    const addresses = listening(first.pids())
    expect(addresses.length).toBeGreaterThanOrEqual(5)
    expect(addresses.filter((address) => !address.startsWith('127.0.0.1:'))).toEqual([])

    const page = await fetch(first.at('web'))
    expect(await page.text()).toContain('<div id="root">')
    const throughWeb = await fetch(`${first.at('web')}/api/pool/chain`)
    expect(await throughWeb.json()).toMatchObject({ code: 200, data: { chainId: 31_337 } })

    const plan = async ({ at }: typeof first) => (await fetch(`${at('web')}/api/plan/current`)).json()
    expect(await plan(first)).toMatchObject({ code: 200, data: { version: 1 } })

    await expectSignerObeys(first)

    for (const name of ['funder', 'guardian', 'second-guardian', 'administrator']) {
      const file = join(folder, 'operators', `${name}.key`)
      expect(readFileSync(file, 'utf8')).toMatch(/^0x[0-9a-f]{64}\n$/)
      expect(statSync(file).mode & 0o777).toBe(0o600)
    }

    const second = refusedStart(folder)
    expect(second.status).toBe(1)
    expect(second.stdout).toContain(`already running here (process ${first.process.pid}): ${first.at('web')}`)

    const stranger = '0x00000000000000000000000000000000000a11ce'
    await rpc(first.at('chain'), 'anvil_setBalance', [stranger, '0x2a'])
    const pids = first.pids()
    expect(await first.end('SIGINT')).toBe(0)
    await expectNothingLeft(pids)

    const demo = refusedStart(folder, '--demo')
    expect(demo.status).toBe(1)
    expect(demo.stdout).toContain('There is a pool here already. pnpm dev --fresh --demo makes the demo in its place.')

    const again = await start()
    expect(again.at('register here').split('?')[1]).toBe(first.at('register here').split('?')[1])
    expect(await rpc(again.at('chain'), 'eth_getBalance', [stranger, 'latest'])).toBe('0x2a')

    expect(await plan(again)).toMatchObject({ code: 200, data: { version: 1 } })
    await expectSignerObeys(again)

    // The terminal is closed.
    const pidsAgain = again.pids()
    expect(await again.end('SIGHUP')).toBe(0)
    await expectNothingLeft(pidsAgain)
  })

  it('starts with an empty pool with --fresh, and stops completely when one process ends', async () => {
    const stack = await start({ args: ['--fresh'] })
    const stranger = '0x00000000000000000000000000000000000a11ce'
    expect(await rpc(stack.at('chain'), 'eth_getBalance', [stranger, 'latest'])).toBe('0x0')

    const pids = stack.pids()
    const chain = pids.find((pid) => nameOf(pid).includes('anvil'))
    if (chain === undefined) throw new Error('There is no chain node')
    process.kill(chain, 'SIGKILL')
    await expectNothingLeft(pids)
    expect(await stack.ended()).toBe(1)
    expect(stack.output()).toContain('chain ended by itself')
  })

  it('uses a given database and chain, and stops when its parent process is killed', async () => {
    const database = await startPostgres({ durable: false })
    const chain = await startAnvil({ chainId: 31_999 })
    try {
      const stack = await start({
        environment: { DATABASE_URL: database.url(), CHAIN_RPC_URL: chain.rpcUrl },
        // Like a package manager: a process between the terminal and the stack.
        through: [
          process.execPath,
          '-e',
          "require('child_process').spawn(process.argv[1], process.argv.slice(2), { stdio: 'inherit' })",
        ],
      })
      const pids = stack.pids()
      expect(pids.map(nameOf).filter((name) => /anvil|postgres -D/.test(name))).toEqual([])
      const answer = await fetch(`${stack.at('web')}/api/pool/chain`)
      expect(await answer.json()).toMatchObject({ data: { chainId: 31_999 } })

      stack.process.kill('SIGKILL')
      await expectNothingLeft(pids)
      expect(isAlive(database.pid) && isAlive(chain.pid)).toBe(true)
    } finally {
      await database.stop('SIGQUIT')
      await chain.stop()
    }
  })
})
