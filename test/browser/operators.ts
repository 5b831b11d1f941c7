import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { contractVariablesOf } from '@lode/scripts/server'
import type { BrowserStack } from './stack.ts'

const run = promisify(execFile)
const tool = resolve(import.meta.dirname, '../../apps/server/src/processes/lode.ts')
const plan = resolve(import.meta.dirname, '../../apps/server/plans/example.json')

/** Two operators of a pool that had none, who decide as operators do: by the command line, with a key of their own each. */
export async function appointOperators(stack: BrowserStack) {
  const folder = await mkdtemp(join(tmpdir(), 'lode-operators-'))
  const passphrases = join(folder, 'passphrase')
  await writeFile(passphrases, 'of this test only, long enough')
  const env = {
    ...process.env,
    ...contractVariablesOf({ ...stack.contracts, firstBlock: 1 }),
    ...{ LODE_PROFILE: 'test', DATABASE_URL: stack.ownerUrl, PLAN_FILE: plan, LODE_PASSPHRASE_FILE: passphrases },
    ...{ CHAIN_ID: String(stack.chain.chainId), CHAIN_RPC_URL: stack.chain.rpcUrl },
  }
  const lode = async (...args: string[]): Promise<string> =>
    (await run(process.execPath, [tool, ...args], { env, timeout: 60_000 })).stdout

  const names = ['ada', 'bo'] as const
  const keyOf = (name: string) => join(folder, `${name}.key`)
  const publicKeys: string[] = []
  for (const name of names) {
    const printed = await lode('operator', 'key', keyOf(name), '--name', name)
    publicKeys.push(/\b[0-9a-f]{64}\b/.exec(printed)?.[0] ?? '')
  }
  const decide = (name: (typeof names)[number], ...args: string[]) => lode(...args, '--yes', '--key', keyOf(name))
  for (const name of names)
    await decide(name, 'operator', 'init', ...names.map((each, at) => `${each}=${publicKeys[at]}`))
  return { decide, dismiss: () => rm(folder, { recursive: true, force: true }) }
}
