import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOperators } from '../modules/operators/index.ts'
import { createPlans } from '../modules/plan/index.ts'
import { applyDecisions } from '../modules/treasury/index.ts'
import { readClock } from '../platform/clock/clock.ts'
import { readOperatorConfig } from '../platform/config/config.ts'
import { decimalsOf } from '../platform/config/pool-contracts.ts'
import { connectDatabase, type DatabaseConnection } from '../platform/db/database.ts'
import { startTestApi, type TestApi, testEnvironment, testPool } from '../testing/api.ts'
import { findErrorCode } from '../testing/database.ts'
import { registerMember } from '../testing/member.ts'
import { createOperatorCommands, type OperatorCommands } from '../testing/operator-commands.ts'
import { examplePlanText } from '../testing/plan.ts'

/** The commands for what members read: the plan, notices and help articles. */

const HELP_FOLDER = fileURLToPath(import.meta.resolve('../../help'))

let api: TestApi
let worker: DatabaseConnection
let operators: OperatorCommands
beforeAll(async () => {
  api = await startTestApi()
  worker = connectDatabase(api.database.urlOf('lode_worker'), { name: 'content test', max: 1 })
  operators = await createOperatorCommands(api, ['alice', 'bob'])
}, 120_000)
afterAll(async () => {
  operators.close()
  await worker.close()
  await api.close()
})

const as: OperatorCommands['as'] = (...words) => operators.as(...words)
const sign: OperatorCommands['sign'] = (...words) => operators.sign(...words)
async function signBoth(...words: string[]): Promise<string> {
  await sign('alice', ...words)
  return sign('bob', ...words)
}
const lode = (...words: string[]): Promise<string> => as('alice', ...words)
const readData = async (...words: string[]) => JSON.parse(await lode(...words, '--json'))

function writeFile(name: string, text: string): string {
  const path = join(operators.folder, name)
  writeFileSync(path, text)
  return path
}

async function carryOut(): Promise<void> {
  const config = readOperatorConfig(testEnvironment(api.database))
  if (!config.ok) throw new Error('the settings are wrong')
  const { contracts } = config.value
  const plans = createPlans({ decimals: decimalsOf(contracts), operators: null })
  await applyDecisions(worker.db, {
    operators: createOperators({ ...testPool(), ceremony: null }),
    plans,
    contracts,
  })
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
    // 20000 USDT, but nobody may send more than 10000 a day.
    const note = 'NOTE: no transfer of USDT needs two operators'
    expect(await lode('plan', 'diff', file)).toContain(note)
    const strict = changePlan((plan) => Object.assign(plan.transfer?.USDT ?? {}, { decisionAbove: '9999' }))
    expect(await lode('plan', 'diff', writeFile('strict.json', strict))).not.toContain(note)
    expect(await lode('plan', 'diff')).toBe('No version is coming.\n')
  })

  it('show the plan in force, and every value of it', async () => {
    const inAnHour = new Date((await readClock(api.db)).getTime() + 3_600_000).toISOString().replace(/\.\d+/, '')
    await signBoth('plan', 'publish', writeFile('first.json', examplePlanText), '--starts', inAnHour)
    await carryOut()
    expect(await lode('plan', 'diff')).toMatch(
      /^Version 1, from .* UTC on, has nothing to be compared with: no version is in force\.\n$/,
    )
    await api.clock.advance(3_601)
    const shown = await lode('plan', 'show')
    expect(shown).toMatch(/^Version 1 {2}in force, published on .* UTC, started on .* UTC\n/)
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
    expect(await sign('alice', 'plan', 'publish', writeFile('first.json', examplePlanText))).toContain(
      'If this one starts before, version 2 never comes into force.',
    )
    expect(await lode('plan', 'list')).toMatch(
      /^2 {2}coming, .*, starts on .* UTC\n1 {2}in force, .*, started on .* UTC\n$/,
    )
    await expect(lode('plan', 'diff', writeFile('wrong.json', '{}'))).rejects.toThrow('The plan cannot be published:')
  })
})

describe('lode notice', { timeout: 120_000 }, () => {
  const notice = (title: string, line: string): string => {
    const words = { title, body: [line] }
    return writeFile('notice.json', JSON.stringify({ en: words, zh_tw: words, zh_cn: words }))
  }

  it('is previewed in every language without a signature, and refused with all its errors', async () => {
    const shown = await lode('notice', 'preview', notice('A new node', 'Payouts wait for an hour.'))
    for (const lang of ['en', 'zh_tw', 'zh_cn']) expect(shown).toContain(`${lang}: A new node\n`)
    const { rows } = await sql`select id from lode.decision where verb = 'publish-notice'`.execute(api.db)
    expect(rows).toEqual([])
    await expect(lode('notice', 'preview', writeFile('wrong.json', '{}'))).rejects.toThrow(
      'The notice cannot be published:',
    )
  })

  it('needs a confirmation before it is signed', async () => {
    const file = notice('A new node', 'Payouts wait for an hour.')
    await expect(as('alice', 'notice', 'publish', file, '--key', join(operators.folder, 'alice.json'))).rejects.toThrow(
      'use --yes to confirm',
    )
  })

  it('is listed while it needs another signature, and once it is published', async () => {
    const file = notice('A new node', 'Payouts wait for an hour.')
    await sign('alice', 'notice', 'publish', file)
    expect(await lode('notice', 'list')).toMatch(/publish a notice “A new node”\n\s+signed by alice/)
    for (const words of [['status'], ['decision', 'list', '--open']])
      expect(await lode(...words)).toMatch(/publish a notice “A new node”\n/)
    expect(await lode('notice', 'preview', notice('Another', 'Nothing else.'))).toMatch(
      /Another notice needs a signature: decision \d+, signed by alice\./,
    )
    const differs = notice('A new node', 'Payouts wait for two hours.')
    expect(await lode('notice', 'preview', differs)).toContain(
      '\n  It differs from this one in: en, paragraph 1; zh_tw, paragraph 1; zh_cn, paragraph 1.\n',
    )
    await expect(sign('bob', 'notice', 'publish', differs)).rejects.toThrow(
      /^Nothing was signed\. Another operator has begun a decision of this kind[\s\S]*signed by alice[\s\S]*add --new/,
    )
    await expect(sign('alice', 'notice', 'publish', differs)).rejects.toThrow('You have begun')
    const { rows } = await sql`select from lode.decision where verb = 'publish-notice'`.execute(api.db)
    expect(rows).toHaveLength(1)
    await sign('bob', 'notice', 'publish', notice('A new node', 'Payouts wait for an hour.'))
    await expect(sign('alice', 'notice', 'publish', file)).rejects.toThrow('has two signatures for these words')
    await carryOut()
    const list = await lode('notice', 'list')
    expect(list).toMatch(/Published, the newest first:\n {2}\d+ {2}.* UTC {2}A new node \(decision \d+\)\n/)
    expect(list).toContain('Version 2 of the plan makes leaving harder')
    const { notices, open } = await readData('notice', 'list')
    expect([notices.length, notices[0].words.en.title, open]).toEqual([2, 'A new node', []])
  })

  it('with the same words is refused unless the operator says --again, and the same title is noticed', async () => {
    const same = notice('A new node', 'Payouts wait for an hour.')
    expect(await lode('notice', 'preview', same)).toMatch(/Notice \d+ of .* UTC has exactly these words\./)
    await expect(sign('alice', 'notice', 'publish', same)).rejects.toThrow(/exactly these words[\s\S]*add --again/)
    expect(await sign('alice', 'notice', 'publish', same, '--again')).toContain('It takes another operator')
    const other = notice('A new node', 'Payouts wait for two hours.')
    expect(await lode('notice', 'preview', other)).toMatch(/Notice \d+ of .* UTC has the same title, and other words\./)
  })

  it('can be signed by the second operator although false signatures are stored', async () => {
    const file = notice('Another node', 'Payouts wait for a day.')
    // The one of the test before, which only alice has signed.
    await sign('alice', 'notice', 'publish', file, '--new')
    await sql`
      insert into lode.decision_signature (decision_id, place, operator, signature)
      select max(id), 2, ${Buffer.alloc(32, 7)}, ${Buffer.alloc(64, 7)} from lode.decision
      where verb = 'publish-notice'`.execute(api.db)
    expect(await sign('bob', 'notice', 'publish', file)).toContain('Signed by alice and bob.')
    await carryOut()
    expect((await readData('notice', 'list')).notices[0].words.en.title).toBe('Another node')
  })

  it('to one member is not listed', async () => {
    const { rows } = await sql<{ id: bigint }>`
      with decided as (
        insert into lode.decision (subject, verb, body, expires_at)
        values ('posting:0:x', 'reverse', '{}', lode.now() + interval '1 day') returning id),
      told as (
        insert into lode.reversal (decision_id, transaction, member_id, asset, amount, note)
        select decided.id, 1, member.id, 'USDT', 300000000, 'no such deposit' from decided, lode.member
        where account = decode(substr(${(await registerMember(api)).wallet.account}, 3), 'hex')
        returning decision_id, member_id)
      select decision_id as id from told`.execute(api.db)
    await sql`
      insert into lode.notice (member_id, reversal_id)
      select member_id, decision_id from lode.reversal where decision_id = ${rows[0]?.id}`.execute(api.db)
    expect((await readData('notice', 'list')).notices).toHaveLength(3)
  })
})

describe('lode help', { timeout: 120_000 }, () => {
  const copyHelp = (): string => {
    const copy = join(operators.folder, 'help')
    cpSync(HELP_FOLDER, copy, { recursive: true })
    return copy
  }

  it('previews what publishing would change, and signs nothing', async () => {
    const shown = await lode('help', 'preview', HELP_FOLDER)
    expect(shown).toContain('  new: how-to-begin\n')
    expect(shown).toContain('\nen how-to-begin: How to begin\n')
    expect((await readData('help', 'list')).articles).toEqual([])
    await expect(lode('help', 'preview', operators.folder)).rejects.toThrow('must have the folders en, zh_tw, zh_cn')
  })

  it('is published by two operators with the same articles, and members read it', async () => {
    expect(await sign('alice', 'help', 'publish', HELP_FOLDER)).toContain('the same folder and another key')
    expect(await lode('help', 'list')).toMatch(/publish the help articles\n\s+signed by alice/)
    const other = copyHelp()
    for (const lang of ['en', 'zh_tw', 'zh_cn']) writeFileSync(join(other, lang, '90-new.md'), '# New\n\nOne line.')
    expect(await lode('help', 'preview', other)).toMatch(
      /\nCompared with decision \d+, signed by alice:\n {2}new: new\n/,
    )
    await expect(sign('bob', 'help', 'publish', other)).rejects.toThrow('what you typed differs')
    expect(await sign('bob', 'help', 'publish', HELP_FOLDER)).toContain('Signed by alice and bob.')
    await carryOut()
    expect(await lode('help', 'list')).toMatch(
      /Articles, in their order:\n {2}how-to-begin {2}How to begin \(decision \d+\)/,
    )
    const { wallet, token } = await registerMember(api)
    const { body } = await api.call('help/list', { account: wallet.account, lang: 'zh_tw' }, { token })
    expect(body.data.articles[0]).toMatchObject({ slug: 'how-to-begin', blocks: expect.any(Array) })
  })

  it('with the same articles is refused, and a change names the articles and languages', async () => {
    await expect(sign('alice', 'help', 'publish', HELP_FOLDER)).rejects.toThrow('nothing would change')
    const other = copyHelp()
    writeFileSync(join(other, 'en', '90-new.md'), '# Newer\n\nOne line.')
    for (const lang of ['zh_tw', 'zh_cn']) writeFileSync(join(other, lang, '90-new.md'), '# New\n\nOne line.')
    expect((await readData('help', 'preview', other)).changes).toEqual({ added: ['new'], changed: [], removed: [] })
    await signBoth('help', 'publish', other)
    await carryOut()
    writeFileSync(join(other, 'en', '90-new.md'), '# New\n\nOne line.')
    expect(await lode('help', 'preview', other)).toContain('  changed: new (en)\n')
    expect(await lode('help', 'preview', HELP_FOLDER)).toContain('  removed: new\n')
  })

  it('cannot be changed with the role of an operator or of the worker', async () => {
    for (const role of ['lode_operator', 'lode_worker'] as const)
      expect(await findErrorCode(api.database, role, 'update lode.help_article set title = slug')).toBe('42501')
    expect(await findErrorCode(api.database, 'lode_operator', 'select lode.publish_help(1)')).toBe('42501')
  })
})
