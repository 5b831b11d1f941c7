import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv, promisify } from 'node:util'
import { createStackOperators, type StackOperators } from '@lode/scripts/operators'
import { type DeployedContracts, runLode } from '@lode/scripts/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../sim/query.ts'
import { type DevStack, startDev } from './running-stack.ts'

const run = promisify(execFile)
const WITHIN_MS = 60_000

let folder: string
let stack: DevStack
let ownerUrl: string
let operators: StackOperators
let environment: Record<string, string>

/** A small version of the demo of `pnpm dev --demo`. `make.ts` puts it where the development stack finds it. */
async function makeSmallDemo(): Promise<void> {
  writeFileSync(
    join(folder, 'secrets.json'),
    JSON.stringify({ rolePassword: 'of-this-run-only', nonceSecret: 'a secret of this run only, long enough' }),
  )
  const make = resolve(import.meta.dirname, '../demo/make.ts')
  await run(process.execPath, [make, folder, '--members', '40', '--days', '31'], {
    env: { ...process.env, LODE_PROFILE: 'development' },
  })
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lode-decisions-'))
  // PostgreSQL does not run as root and must be able to reach its data folder.
  chmodSync(folder, 0o755)
  await makeSmallDemo()
  stack = await startDev(folder, { args: ['--demo'], withinMs: 300_000 })
  const settings = parseEnv(readFileSync(join(folder, 'lode.env'), 'utf8')) as Record<string, string>
  ownerUrl = settings.DATABASE_URL ?? ''
  environment = settings
  const contracts = JSON.parse(readFileSync(join(folder, 'contracts.json'), 'utf8')) as DeployedContracts
  operators = createStackOperators(join(folder, 'operators'), {
    profile: 'development',
    ownerUrl,
    contracts,
    chain: { id: Number(settings.CHAIN_ID) },
  })
}, 1_200_000)
afterAll(async () => {
  await stack?.end('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

/** The ids of the transfers that wait for the operators, the oldest first. */
async function underReview(): Promise<string[]> {
  const list = await runLode(ownerUrl, ['transfer', 'list', '--status', 'review', '--json'], undefined, environment)
  const { transfers } = JSON.parse(list) as { transfers: { id: string }[] }
  return transfers.map(({ id }) => id)
}

/** Whether the vault has paid it, by the blocks that were posted. */
async function isPaid(id: string): Promise<boolean> {
  const [row] = await query<{ paid: boolean }>(
    ownerUrl,
    `select ended = 'final' or exists (select from lode.chain_outgoing where payout_id = '${id}') as paid
     from lode.payout where id = '${id}'`,
  )
  return row?.paid ?? false
}

const expectPaid = (id: string): Promise<void> => expect.poll(() => isPaid(id), { timeout: WITHIN_MS }).toBe(true)

async function signerSays(): Promise<Record<string, string>> {
  const answer = await fetch(new URL('/readyz', stack.at('signer')))
  return (await answer.json()) as Record<string, string>
}

describe('operators of the demo', { timeout: 300_000 }, () => {
  it('approve a transfer, which is paid out within a minute', async () => {
    // The stack is up before the signer has made its first turn.
    await expect.poll(signerSays, { timeout: WITHIN_MS }).toEqual({ status: 'ready' })
    const [id = ''] = await underReview()
    await operators.decide('ada', 'transfer', 'approve', id)
    await expectPaid(id)
  })

  it('pause payouts; transfers approved meanwhile are paid only after two operators resume', async () => {
    const [id = ''] = await underReview()
    await operators.decide('ada', 'transfer', 'pause', '1', 'a drill')
    await operators.decide('bo', 'transfer', 'approve', id)
    await expect.poll(signerSays, { timeout: WITHIN_MS }).toEqual({
      status: 'ready',
      payouts: expect.stringMatching(/^paused until/),
    })
    await sleep(5_000)
    expect(await isPaid(id)).toBe(false)
    for (const name of ['ada', 'bo'] as const) await operators.decide(name, 'transfer', 'resume', 'it was a drill')
    await expectPaid(id)
    // The signer says what it read at the beginning of its turn, and it may have paid in the turn of the resume.
    await expect.poll(signerSays, { timeout: WITHIN_MS }).toEqual({ status: 'ready' })
  })
})
