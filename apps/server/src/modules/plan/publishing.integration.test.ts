import { ok } from '@lode/kernel'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { connectDatabase, type DatabaseConnection } from '../../platform/db/database.ts'
import { createTestClock } from '../../testing/clock.ts'
import { createTestDatabase, refusalTo, type TestDatabase } from '../../testing/database.ts'
import { decideBy, holdCeremony, signAs, type TestOperator, testOperator } from '../../testing/operators.ts'
import { exampleText, publishPlan } from '../../testing/plan.ts'
import { changeQuestion, createOperators, type Pool, publishQuestion } from '../operators/index.ts'
import type { WrittenPlan } from './plan-text.ts'
import { createPlans, planHash } from './plans.ts'
import { preparePublication } from './publishing.ts'

const pool: Pool = { pool: '0x52908400098527886E0F7030069857D2E4169EE7', chainId: 31_337 }
const decimals = { USDT: 6, BTN: 18, BTC: 8 }
const DAY = 86_400
const WEEK_MS = 7 * DAY * 1_000

let database: TestDatabase
let signer: DatabaseConnection
let alice: TestOperator
let bob: TestOperator
let ceremony: Hex

beforeEach(async () => {
  database = await createTestDatabase()
  signer = connectDatabase(database.urlOf('lode_signer'), { name: 'plan test', max: 2 })
  ;({ alice, bob, ceremony } = await holdCeremony(database.db, pool))
  return async () => {
    await signer.close()
    await database.drop()
  }
})

const advance = (seconds: number) => createTestClock(database.db).advance(seconds)
const publish = (text = exampleText, starts: Date | null = null, by = [alice, bob]) =>
  publishPlan(database.db, pool, by, { text, starts })

/** `shown` reads as the api does. `believed` reads as the signer does, which trusts no row. */
const shown = () => createPlans({ decimals, operators: null })
const believed = (pinned: Hex = ceremony) =>
  createPlans({ decimals, operators: createOperators({ ...pool, ceremony: pinned }) })
const versionInForce = async () => (await shown().inForce(signer.db))?.version ?? null

const changed = (change: (plan: WrittenPlan) => void): string => {
  const plan: WrittenPlan = JSON.parse(exampleText)
  change(plan)
  return JSON.stringify(plan)
}
const dearer = changed((plan) => (plan.transfer.USDT.fee = '2'))
const easier = changed((plan) => (plan.transfer.USDT.fee = '0.5'))
const otherwise = changed((plan) => (plan.closeHour = 3))

async function stored() {
  const { rows } = await sql<{ version: number; starts_at: Date; published_at: Date; leaving_harder: boolean }>`
    select version, starts_at, published_at, leaving_harder from lode.plan order by version`.execute(database.db)
  return rows
}

describe('publishing', () => {
  it('takes two operators, and is in force with the second signature', async () => {
    expect(await shown().inForce(signer.db)).toBeNull()
    await publish(exampleText, null, [alice])
    expect(await stored()).toEqual([])
    const publication = await preparePublication(database.db, pool, decimals, { text: exampleText, starts: null })
    if (!publication.ok) throw new Error(publication.error)
    expect(await signAs(database.db, pool, publication.value.question, alice, publication.value.publish)).toContain(
      'has signed it already',
    )
    expect(await stored()).toEqual([])
    expect(await signAs(database.db, pool, publication.value.question, bob, publication.value.publish)).toBe(2)
    expect((await shown().inForce(signer.db))?.levels[1]?.price).toBe(100_000_000n)
    expect((await believed().byVersion(signer.db, 1))?.transfer.BTN.fee).toBe(100n * 10n ** 18n)
    expect(await shown().byVersion(signer.db, 2)).toBeUndefined()
  })

  it('is of the next version, and of nothing that is the last one already', async () => {
    await publish()
    expect(await preparePublication(database.db, pool, decimals, { text: exampleText, starts: null })).toMatchObject({
      error: expect.stringContaining('version 1 as it is'),
    })
    expect(await publish(easier)).toBe(2)
    expect(await publish(exampleText)).toBe(3)
    expect((await stored()).map(({ version }) => version)).toEqual([1, 2, 3])
  })

  it('needs operators, and a plan without an objection', async () => {
    const broken = changed((plan) => (plan.allocation.agent = 0))
    expect(await preparePublication(database.db, pool, decimals, { text: broken, starts: null })).toMatchObject({
      error: expect.stringContaining('adds up to 9500'),
    })
    const elsewhere = { ...pool, chainId: 1 }
    expect(
      await preparePublication(database.db, elsewhere, decimals, { text: exampleText, starts: null }),
    ).toMatchObject({ error: expect.stringContaining('not a link of this pool') })
  })

  it('at once by two pairs makes one version each, in order', async () => {
    const [carol, dave] = [testOperator('carol'), testOperator('dave')]
    for (const { operator } of [carol, dave]) {
      const question = await changeQuestion(database.db, pool, 'add', operator)
      if (!question.ok) throw new Error(question.error)
      await decideBy(database.db, pool, question.value, [alice, bob])
    }
    await publish()
    /** Runs the command again if another publication took the version meanwhile. */
    const persistently = async (text: string, by: TestOperator[]): Promise<number> => {
      for (;;)
        try {
          return await publish(text, null, by)
        } catch (error) {
          if (!/meanwhile|has signed it already/.test(String(error))) throw error
        }
    }
    const versions = await Promise.all([persistently(easier, [alice, bob]), persistently(otherwise, [carol, dave])])
    expect(versions.toSorted()).toEqual([2, 3])
    const rows = await stored()
    expect(rows.map(({ version }) => version)).toEqual([1, 2, 3])
    expect(rows[2]?.published_at.getTime()).toBeGreaterThanOrEqual(rows[1]?.published_at.getTime() ?? Infinity)
  })

  it('is refused where both pairs had signed for the same version and one was first', async () => {
    const prepared = await preparePublication(database.db, pool, decimals, { text: exampleText, starts: null })
    const other = await preparePublication(database.db, pool, decimals, { text: otherwise, starts: null })
    if (!prepared.ok || !other.ok) throw new Error('not prepared')
    const sign = ({ value: { question, publish: then } }: typeof other, key: TestOperator) =>
      signAs(database.db, pool, question, key, then)
    await sign(prepared, alice)
    await sign(other, alice)
    const seconds = await Promise.all([sign(prepared, bob), sign(other, bob)])
    expect(seconds.filter((answer) => answer === 2)).toHaveLength(1)
    expect(seconds.filter((answer) => String(answer).includes('Version 1 was published meanwhile'))).toHaveLength(1)
    expect(await stored()).toHaveLength(1)
  })
})

describe('the start', () => {
  it('is a week after the second signature where leaving becomes harder, and not before', async () => {
    await publish()
    await publish(dearer, null, [alice])
    await advance(DAY)
    await publish(dearer, null, [bob])
    const [, second] = await stored()
    expect(second?.leaving_harder).toBe(true)
    expect((second?.starts_at.getTime() ?? 0) - (second?.published_at.getTime() ?? 0)).toBe(WEEK_MS)
    const { rows } = await sql<{ before: number; from: number }>`
      select lode.plan_in_force(starts_at - interval '1 microsecond') as before, lode.plan_in_force(starts_at) as from
      from lode.plan where version = 2`.execute(signer.db)
    expect(rows).toEqual([{ before: 1, from: 2 }])
    await advance(7 * DAY - 60)
    expect(await versionInForce()).toBe(1)
    await advance(61)
    expect(await versionInForce()).toBe(2)
    expect((await believed().inForce(signer.db))?.version).toBe(2)
  })

  it('is at once where leaving becomes no harder, or when it was asked for', async () => {
    await publish()
    await publish(easier)
    expect(await versionInForce()).toBe(2)
    const inThreeDays = new Date(Date.now() + 3 * DAY * 1_000)
    await publish(otherwise.replace('"fee":"1"', '"fee":"0.5"'), inThreeDays)
    expect((await stored())[2]?.starts_at).toEqual(inThreeDays)
    expect(await versionInForce()).toBe(2)
    await advance(3 * DAY + 1)
    expect(await versionInForce()).toBe(3)
    expect((await believed().inForce(signer.db))?.version).toBe(3)
  })

  it('looks at what is in force and at what is to come, not at what is over', async () => {
    await publish(easier)
    await publish(exampleText)
    await advance(8 * DAY)
    // The easier version is over, so it is not compared with any more.
    await publish(otherwise)
    expect((await stored()).map(({ leaving_harder }) => leaving_harder)).toEqual([false, true, false])
    await publish(easier, new Date(Date.now() + 30 * DAY * 1_000))
    await publish(exampleText)
    expect((await stored()).map(({ leaving_harder }) => leaving_harder)).toEqual([false, true, false, false, true])
  })

  it('of a later version takes back what was published for a later day', async () => {
    await publish()
    await publish(dearer)
    await publish(otherwise)
    expect(await versionInForce()).toBe(3)
    await advance(8 * DAY)
    expect(await versionInForce()).toBe(3)
  })
})

describe('what was published', () => {
  const refusal = async (statement: string, role: Parameters<typeof refusalTo>[1] = 'owner') =>
    (await refusalTo(database, role, statement))?.message ?? null

  it('is never edited, whoever tries', async () => {
    await publish()
    for (const statement of [
      "update lode.plan set body = '{}'",
      'update lode.plan set starts_at = lode.now()',
      'delete from lode.plan',
      'truncate lode.plan cascade',
    ])
      expect(await refusal(statement)).toContain('what was written stays')
  })

  const insert = (version: number, decision: string) => `
    insert into lode.plan (version, body, leaving_harder, starts_at, published_at, decision_id)
    select ${version}, '{}', false, lode.now(), lode.now(), ${decision}`

  it.each(['lode_api', 'lode_worker', 'lode_signer'] as const)('cannot be written by %s', async (role) => {
    await publish()
    expect(await refusal(insert(2, 'decision_id from lode.plan'), role)).toContain('permission denied')
    expect(await refusal("update lode.plan set body = ''", role)).toContain('permission denied')
    expect(await refusal('select body from lode.plan', role)).toBeNull()
  })

  it('is reckoned in the decimals of the first, which no process writes, nor an operator', async () => {
    await publish()
    const known = async () =>
      (await sql<{ asset: string; decimals: number }>`select asset, decimals from lode.token`.execute(signer.db)).rows
    expect(Object.fromEntries((await known()).map(({ asset, decimals: digits }) => [asset, digits]))).toEqual(decimals)
    for (const role of ['lode_api', 'lode_worker', 'lode_signer', 'lode_operator'] as const) {
      for (const statement of [
        "update lode.token set decimals = 6 where asset = 'BTN'",
        "insert into lode.token values ('BTN', 6) on conflict do nothing",
        ...['delete from lode.token', 'truncate lode.token'],
      ])
        expect(await refusal(statement, role), `${role}: ${statement}`).toContain('permission denied')
      expect(await refusal('select decimals from lode.token', role)).toBeNull()
    }
    // A process that is configured with other decimals for BTN, or was started so before the first plan.
    const otherwiseSet = { ...decimals, BTN: 8 }
    await expect(createPlans({ decimals: otherwiseSet, operators: null }).inForce(signer.db)).rejects.toThrow(
      'other decimals than ours',
    )
    const asked = { text: easier, starts: null }
    await expect(preparePublication(database.db, pool, otherwiseSet, asked)).rejects.toThrow('other decimals than ours')
  })

  it('has two signatures under this very text as this very version', async () => {
    await publish()
    expect(await refusal(insert(2, '1'))).toContain('two operators have not signed version 2 as it is')
    expect(await refusal(insert(3, '1'))).toContain('version 3 is not the next')
    const half = await publishQuestion(database.db, pool, { version: 2, plan: planHash('{}'), starts: 'at once' })
    if (!half.ok) throw new Error(half.error)
    await decideBy(database.db, pool, half.value, [alice])
    expect(await refusal(insert(2, 'max(id) from lode.decision'))).toContain('two operators have not signed version 2')
  })

  /** Forges a plan row as an attacker with the owner's role would, with the trigger disabled. */
  async function forge(version: number, text: string, decision: bigint, startsAt: Date | null = null): Promise<void> {
    await sql`alter table lode.plan disable trigger stamp`.execute(database.db)
    await sql`
      insert into lode.plan (version, body, leaving_harder, starts_at, published_at, decision_id)
      values (${version}, ${text}, false, coalesce(${startsAt}, lode.now()), lode.now(), ${decision})`.execute(
      database.db,
    )
    await sql`alter table lode.plan enable always trigger stamp`.execute(database.db)
  }
  async function decisionFor(version: number, text: string, by: TestOperator[], starts = 'at once'): Promise<bigint> {
    const question = await publishQuestion(database.db, pool, { version, plan: planHash(text), starts })
    if (!question.ok) throw new Error(question.error)
    await decideBy(database.db, pool, question.value, by)
    const { rows } = await sql<{ id: bigint }>`select max(id) as id from lode.decision`.execute(database.db)
    return rows[0]?.id ?? 0n
  }

  it('counts for nothing with the signer where the owner made it up', async () => {
    await publish()
    const bodies = await sql<{ body: string }>`select body from lode.plan`.execute(database.db)
    const text = bodies.rows[0]?.body ?? ''
    const cheaper = text.replace('"fee":"1"', '"fee":"0.1"')
    // Two signatures, one of them by no operator.
    const decision = await decisionFor(2, cheaper, [alice])
    await sql`
      insert into lode.decision_signature (decision_id, place, operator, signature)
      values (${decision}, 2, ${Buffer.alloc(32, 7)}, ${Buffer.alloc(64, 7)})`.execute(database.db)
    await forge(2, cheaper, decision)
    expect((await shown().inForce(signer.db))?.version).toBe(2)
    expect(await believed().byVersion(signer.db, 2)).toBeUndefined()
    expect(await believed().inForce(signer.db)).toBeNull()
    expect((await believed().byVersion(signer.db, 1))?.version).toBe(1)
  })

  it('is not published over a signature that nobody gave', async () => {
    const text = await publishedText()
    const cheaper = (text ?? '').replace('"fee":"1"', '"fee":"0.1"')
    const first = await preparePublication(database.db, pool, decimals, { text: cheaper, starts: null })
    if (!first.ok) throw new Error(first.error)
    const { question, publish: alsoPublish } = first.value
    expect(await signAs(database.db, pool, question, alice, alsoPublish)).toBe(1)
    await sql`
      insert into lode.decision_signature (decision_id, place, operator, signature)
      select max(id), 2, ${Buffer.alloc(32, 7)}, ${Buffer.alloc(64, 7)} from lode.decision`.execute(database.db)
    expect(await signAs(database.db, pool, question, bob, alsoPublish)).toContain('lode operator repair')
    expect((await stored()).map(({ version }) => version)).toEqual([1])
  })

  it('counts for nothing with the signer as another text, or as another version, than was signed', async () => {
    const text = (await publishedText()) ?? ''
    const cheaper = text.replace('"fee":"1"', '"fee":"0.1"')
    await forge(2, text.replace('"fee":"1"', '"fee":"0.2"'), await decisionFor(2, cheaper, [alice, bob]))
    await forge(3, cheaper, await decisionFor(2, cheaper, [alice, bob]))
    expect(await believed().byVersion(signer.db, 2)).toBeUndefined()
    expect(await believed().byVersion(signer.db, 3)).toBeUndefined()
  })

  it('counts for nothing with the signer where it starts before it may', async () => {
    const text = (await publishedText()) ?? ''
    const harder = text.replace('"fee":"1"', '"fee":"9"')
    // The trigger stays enabled here: only the signer checks which values make leaving harder.
    await sql`
      insert into lode.plan (version, body, leaving_harder, decision_id)
      values (2, ${harder}, false, ${await decisionFor(2, harder, [alice, bob])})`.execute(database.db)
    expect((await shown().inForce(signer.db))?.version).toBe(2)
    expect(await believed().byVersion(signer.db, 2)).toBeUndefined()
    const later = text.replace('"fee":"1"', '"fee":"0.1"')
    const inAYear = new Date(Date.now() + 365 * DAY * 1_000).toISOString()
    await forge(3, later, await decisionFor(3, later, [alice, bob], inAYear))
    expect(await believed().byVersion(signer.db, 3)).toBeUndefined()
  })

  it('counts for nothing with a signer who has pinned other operators', async () => {
    await publish()
    expect(await believed(`0x${'ab'.repeat(32)}`).byVersion(signer.db, 1)).toBeUndefined()
  })

  it('counts for ever: when the time for signing is over, and when those who signed are operators no more', async () => {
    await publish()
    await publish(easier)
    const [carol, dave] = [testOperator('carol'), testOperator('dave')]
    for (const [verb, { operator }] of [
      ['add', carol],
      ['add', dave],
      ['remove', alice],
    ] as const) {
      const question = await changeQuestion(database.db, pool, verb, operator)
      if (!question.ok) throw new Error(question.error)
      await decideBy(database.db, pool, question.value, [alice, bob])
    }
    const removal = await changeQuestion(database.db, pool, 'remove', bob.operator)
    if (!removal.ok) throw new Error(removal.error)
    await decideBy(database.db, pool, removal.value, [carol, dave])
    await advance(365 * DAY)
    expect((await believed().inForce(signer.db))?.version).toBe(2)
    expect((await believed().byVersion(signer.db, 1))?.version).toBe(1)
    expect(await publish(otherwise, null, [carol, dave])).toBe(3)
    expect((await believed().byVersion(signer.db, 3))?.version).toBe(3)
  })

  it('is signed by the operators of now: one who was removed signs nothing new', async () => {
    await publish()
    const carol = testOperator('carol')
    const question = await changeQuestion(database.db, pool, 'add', carol.operator)
    if (!question.ok) throw new Error(question.error)
    const prepared = await preparePublication(database.db, pool, decimals, { text: easier, starts: null })
    if (!prepared.ok) throw new Error(prepared.error)
    await decideBy(database.db, pool, question.value, [alice, bob])
    expect(await signAs(database.db, pool, prepared.value.question, alice, async () => ok(null))).toContain(
      'The operators have changed meanwhile',
    )
  })

  async function publishedText(): Promise<string | undefined> {
    await publish()
    const { rows } = await sql<{ body: string }>`select body from lode.plan`.execute(database.db)
    return rows[0]?.body
  }
})
