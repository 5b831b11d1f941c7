import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOperators } from '../modules/operators/index.ts'
import { createPlans } from '../modules/plan/index.ts'
import { applyDecisions } from '../modules/treasury/index.ts'
import { readOperatorConfig } from '../platform/config/config.ts'
import { decimalsOf } from '../platform/config/pool-contracts.ts'
import { connectDatabase, type DatabaseConnection } from '../platform/db/database.ts'
import { startTestApi, type TestApi, testEnvironment, testPool } from '../testing/api.ts'
import { examplePlanText } from '../testing/plan.ts'
import { runLode } from '../testing/run-lode.ts'

/** The commands for what members read: the plan, notices and help articles. */

let api: TestApi
let worker: DatabaseConnection
let folder: string
const keys: Record<string, string> = {}
beforeAll(async () => {
  api = await startTestApi()
  worker = connectDatabase(api.database.urlOf('lode_worker'), { name: 'content test', max: 1 })
  folder = mkdtempSync(join(tmpdir(), 'lode-content-'))
  for (const name of ['alice', 'bob']) {
    writeFileSync(join(folder, `${name}.txt`), `the passphrase of ${name}\n`)
    const printed = await as(name, 'operator', 'key', join(folder, `${name}.json`), '--name', name)
    keys[name] = printed.trim().split('\n').at(-1) ?? ''
  }
  await signBoth('operator', 'init', keys.alice ?? '', keys.bob ?? '')
}, 120_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await worker.close()
  await api.close()
})

const as = (name: string, ...words: string[]): Promise<string> =>
  runLode(
    {
      environment: { ...testEnvironment(api.database), LODE_PASSPHRASE_FILE: join(folder, `${name}.txt`) },
      database: api.database,
    },
    ...words,
  )
const sign = (name: string, ...words: string[]): Promise<string> =>
  as(name, ...words, '--key', join(folder, `${name}.json`), '--yes')
async function signBoth(...words: string[]): Promise<string> {
  await sign('alice', ...words)
  return sign('bob', ...words)
}
const lode = (...words: string[]): Promise<string> => as('alice', ...words)
const readData = async (...words: string[]) => JSON.parse(await lode(...words, '--json'))

function writeFile(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

async function carryOut(): Promise<void> {
  const config = readOperatorConfig(testEnvironment(api.database))
  if (!config.ok) throw new Error('the settings are wrong')
  const { contracts } = config.value
  const operators = createOperators({ ...testPool(), ceremony: null })
  const plans = createPlans({ decimals: decimalsOf(contracts), operators: null })
  await applyDecisions(worker.db, { operators, plans, contracts })
}

const changePlan = (change: (plan: Record<string, Record<string, Record<string, string>>>) => void): string => {
  const plan = JSON.parse(examplePlanText)
  change(plan)
  return JSON.stringify(plan)
}

describe('lode plan show and diff', { timeout: 120_000 }, () => {
  it('say so while no plan is published', async () => {
    const file = writeFile('first.json', examplePlanText)
    await expect(lode('plan', 'show')).rejects.toThrow('No plan is published')
    expect(await lode('plan', 'diff', file)).toContain('there is nothing to compare it with')
    expect(await lode('plan', 'diff')).toBe('No version is coming.\n')
  })

  it('show the plan in force, and every value of it', async () => {
    await signBoth('plan', 'publish', writeFile('first.json', examplePlanText))
    await carryOut()
    const shown = await lode('plan', 'show')
    expect(shown).toMatch(/^Version 1 {2}in force, published on .* UTC, starts on .* UTC\n/)
    expect(shown).toContain('\n  transfer.USDT.fee  1\n')
    expect(await readData('plan', 'show', '1')).toMatchObject({
      version: 1,
      standing: 'current',
      plan: JSON.parse(examplePlanText),
    })
    await expect(lode('plan', 'show', '9')).rejects.toThrow('There is no version 9.')
  })

  it('compare a file with the plan in force and with the coming one', async () => {
    const dearer = changePlan((plan) => Object.assign(plan.transfer?.USDT ?? {}, { fee: '2' }))
    const second = writeFile('second.json', dearer)
    const before = await lode('plan', 'diff', second)
    expect(before).toContain('The file changes this against version 1, which is in force:')
    expect(before).toContain('  transfer.USDT.fee  1 → 2  (leaving is harder)\n')
    expect(before).toContain('starts 7 days after the second signature at the earliest')

    await signBoth('plan', 'publish', second)
    await carryOut()
    expect(await lode('plan', 'diff')).toMatch(
      /^Version 2, from .* UTC on, changes this against version 1, which is in force:\n {2}transfer\.USDT\.fee {2}1 → 2/,
    )
    const { comparisons } = await readData('plan', 'diff', writeFile('first.json', examplePlanText))
    expect(comparisons).toMatchObject([
      { against: { version: 1, standing: 'current' }, changes: [], harder: [] },
      {
        against: { version: 2, standing: 'coming' },
        changes: [{ path: 'transfer.USDT.fee', before: '2', after: '1' }],
        harder: [],
      },
    ])
    expect(await lode('plan', 'diff', second)).toContain('is the same as version 2, which is coming.')
    await expect(lode('plan', 'diff', writeFile('wrong.json', '{}'))).rejects.toThrow('The plan cannot be published:')
  })
})
