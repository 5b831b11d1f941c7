import { ok } from '@lode/kernel'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { connectDatabase, type DatabaseConnection } from '../../platform/db/database.ts'
import { createTestClock } from '../../testing/clock.ts'
import { createTestDatabase, findStatementError, type TestDatabase } from '../../testing/database.ts'
import { createTestOperator, holdCeremony, signAs, signInTurn, type TestOperator } from '../../testing/operators.ts'
import { examplePlanText, publishPlan } from '../../testing/plan.ts'
import { createOperators, type PoolIdentity, proposeOperatorChange, proposePlan } from '../operators/index.ts'
import type { WrittenPlan } from './plan-text.ts'
import { createPlans, planHash } from './plans.ts'
import { preparePublication } from './publication.ts'

const pool: PoolIdentity = { pool: '0x52908400098527886E0F7030069857D2E4169EE7', chainId: 31_337 }
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
const publish = (text = examplePlanText, starts: Date | null = null, by = [alice, bob]) =>
  publishPlan(database.db, pool, by, { text, starts })

/** Reads as the api does, and as the signer does, which trusts no row. */
const readAsApi = () => createPlans({ decimals, operators: null })
const readAsSigner = (pinned: Hex = ceremony) =>
  createPlans({ decimals, operators: createOperators({ ...pool, ceremony: pinned }) })
const versionInForce = async () => (await readAsApi().inForce(signer.db))?.version ?? null

const changed = (change: (plan: WrittenPlan) => void): string => {
  const plan: WrittenPlan = JSON.parse(examplePlanText)
  change(plan)
  return JSON.stringify(plan)
}
const higherFee = changed((plan) => (plan.transfer.USDT.fee = '2'))
const lowerFee = changed((plan) => (plan.transfer.USDT.fee = '0.5'))
const otherCloseHour = changed((plan) => (plan.closeHour = 3))

async function stored() {
  const { rows } = await sql<{ version: number; starts_at: Date; published_at: Date; leaving_harder: boolean }>`
    select version, starts_at, published_at, leaving_harder from lode.plan order by version`.execute(database.db)
  return rows
}

describe('publishing', () => {
  it('needs two operators, and takes effect with the second signature', async () => {
    expect(await readAsApi().inForce(signer.db)).toBeNull()
    await publish(examplePlanText, null, [alice])
    expect(await stored()).toEqual([])
    const publication = await preparePublication(database.db, pool, decimals, { text: examplePlanText, starts: null })
    if (!publication.ok) throw new Error(publication.error)
    expect(await signAs(database.db, pool, publication.value.proposal, alice, publication.value.publish)).toContain(
      'has signed it already',
    )
    expect(await stored()).toEqual([])
    expect(await signAs(database.db, pool, publication.value.proposal, bob, publication.value.publish)).toBe(2)
    expect((await readAsApi().inForce(signer.db))?.levels[1]?.price).toBe(100_000_000n)
    expect((await readAsSigner().byVersion(signer.db, 1))?.transfer.BTN.fee).toBe(100n * 10n ** 18n)
    expect(await readAsApi().byVersion(signer.db, 2)).toBeUndefined()
  })

  it('makes the next version, and is refused for the text of the last one', async () => {
    await publish()
    expect(
      await preparePublication(database.db, pool, decimals, { text: examplePlanText, starts: null }),
    ).toMatchObject({
      error: expect.stringContaining('version 1 as it is'),
    })
    expect(await publish(lowerFee)).toBe(2)
    expect(await publish(examplePlanText)).toBe(3)
    expect((await stored()).map(({ version }) => version)).toEqual([1, 2, 3])
  })

  it('needs operators of this pool, and a valid plan', async () => {
    const broken = changed((plan) => (plan.allocation.agent = 0))
    expect(await preparePublication(database.db, pool, decimals, { text: broken, starts: null })).toMatchObject({
      error: expect.stringContaining('adds up to 9500'),
    })
    const elsewhere = { ...pool, chainId: 1 }
    expect(
      await preparePublication(database.db, elsewhere, decimals, { text: examplePlanText, starts: null }),
    ).toMatchObject({ error: expect.stringContaining('not a link of this pool') })
  })

  it('by two pairs of operators at the same time makes one version each, in order', async () => {
    const [carol, dave] = [createTestOperator('carol'), createTestOperator('dave')]
    for (const { operator } of [carol, dave]) {
      const question = await proposeOperatorChange(database.db, pool, 'add', operator)
      if (!question.ok) throw new Error(question.error)
      await signInTurn(database.db, pool, question.value, [alice, bob])
    }
    await publish()
    /** Runs the command again if another publication took the version meanwhile, or is half-signed. */
    const persistently = async (text: string, by: TestOperator[]): Promise<number> => {
      for (;;)
        try {
          return await publish(text, null, by)
        } catch (error) {
          if (!/meanwhile|has signed it already|what you typed differs/.test(String(error))) throw error
        }
    }
    const versions = await Promise.all([
      persistently(lowerFee, [alice, bob]),
      persistently(otherCloseHour, [carol, dave]),
    ])
    expect(versions.toSorted()).toEqual([2, 3])
    const rows = await stored()
    expect(rows.map(({ version }) => version)).toEqual([1, 2, 3])
    expect(rows[2]?.published_at.getTime()).toBeGreaterThanOrEqual(rows[1]?.published_at.getTime() ?? Infinity)
  })

  it('is refused if another text was published first as the same version', async () => {
    const prepared = await preparePublication(database.db, pool, decimals, { text: examplePlanText, starts: null })
    const other = await preparePublication(database.db, pool, decimals, { text: otherCloseHour, starts: null })
    if (!prepared.ok || !other.ok) throw new Error('not prepared')
    const sign = ({ value: { proposal, publish: then } }: typeof other, key: TestOperator) =>
      signAs(database.db, pool, proposal, key, then)
    await sign(prepared, alice)
    await sign(other, alice)
    const seconds = await Promise.all([sign(prepared, bob), sign(other, bob)])
    expect(seconds.filter((answer) => answer === 2)).toHaveLength(1)
    expect(seconds.filter((answer) => String(answer).includes('Version 1 was published meanwhile'))).toHaveLength(1)
    expect(await stored()).toHaveLength(1)
  })
})

describe('the start', () => {
  it('is a week after the second signature if leaving becomes harder', async () => {
    await publish()
    await publish(higherFee, null, [alice])
    await advance(DAY)
    await publish(higherFee, null, [bob])
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
    expect((await readAsSigner().inForce(signer.db))?.version).toBe(2)
  })

  it('is immediate if leaving does not become harder, or at the requested time', async () => {
    await publish()
    await publish(lowerFee)
    expect(await versionInForce()).toBe(2)
    const inThreeDays = new Date(Date.now() + 3 * DAY * 1_000)
    await publish(otherCloseHour.replace('"fee":"1"', '"fee":"0.5"'), inThreeDays)
    expect((await stored())[2]?.starts_at).toEqual(inThreeDays)
    expect(await versionInForce()).toBe(2)
    await advance(3 * DAY + 1)
    expect(await versionInForce()).toBe(3)
    expect((await readAsSigner().inForce(signer.db))?.version).toBe(3)
  })

  it('depends on the versions in force and to come, not on past ones', async () => {
    await publish(lowerFee)
    await publish(examplePlanText)
    await advance(8 * DAY)
    // The easier version is over, so it is not compared with any more.
    await publish(otherCloseHour)
    expect((await stored()).map(({ leaving_harder }) => leaving_harder)).toEqual([false, true, false])
    await publish(lowerFee, new Date(Date.now() + 30 * DAY * 1_000))
    await publish(examplePlanText)
    expect((await stored()).map(({ leaving_harder }) => leaving_harder)).toEqual([false, true, false, false, true])
  })

  it('of a later version replaces a version that has not started', async () => {
    await publish()
    await publish(higherFee)
    await publish(otherCloseHour)
    expect(await versionInForce()).toBe(3)
    await advance(8 * DAY)
    expect(await versionInForce()).toBe(3)
  })
})

describe('a published version', () => {
  const refusal = async (statement: string, role: Parameters<typeof findStatementError>[1] = 'owner') =>
    (await findStatementError(database, role, statement))?.message ?? null

  it('cannot be edited, not even by the owner role', async () => {
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

  it('uses the token decimals of the first version, which no process and no operator can change', async () => {
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
      'other token decimals than this process',
    )
    const asked = { text: lowerFee, starts: null }
    await expect(preparePublication(database.db, pool, otherwiseSet, asked)).rejects.toThrow(
      'other token decimals than this process',
    )
  })

  it('has two signatures for exactly this text and this version', async () => {
    await publish()
    expect(await refusal(insert(2, '1'))).toContain('two operators have not signed version 2 as it is')
    expect(await refusal(insert(3, '1'))).toContain('version 3 is not the next')
    const half = await proposePlan(database.db, pool, { version: 2, plan: planHash('{}'), starts: 'at once' })
    if (!half.ok) throw new Error(half.error)
    await signInTurn(database.db, pool, half.value, [alice])
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
    const question = await proposePlan(database.db, pool, { version, plan: planHash(text), starts })
    if (!question.ok) throw new Error(question.error)
    await signInTurn(database.db, pool, question.value, by)
    const { rows } = await sql<{ id: bigint }>`select max(id) as id from lode.decision`.execute(database.db)
    return rows[0]?.id ?? 0n
  }

  it('is ignored by the signer if the owner role forged it', async () => {
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
    expect((await readAsApi().inForce(signer.db))?.version).toBe(2)
    expect(await readAsSigner().byVersion(signer.db, 2)).toBeUndefined()
    expect(await readAsSigner().inForce(signer.db)).toBeNull()
    expect((await readAsSigner().byVersion(signer.db, 1))?.version).toBe(1)
  })

  it('is not published while the decision has a forged signature', async () => {
    const text = await publishedText()
    const cheaper = (text ?? '').replace('"fee":"1"', '"fee":"0.1"')
    const first = await preparePublication(database.db, pool, decimals, { text: cheaper, starts: null })
    if (!first.ok) throw new Error(first.error)
    const { proposal, publish: alsoPublish } = first.value
    expect(await signAs(database.db, pool, proposal, alice, alsoPublish)).toBe(1)
    await sql`
      insert into lode.decision_signature (decision_id, place, operator, signature)
      select max(id), 2, ${Buffer.alloc(32, 7)}, ${Buffer.alloc(64, 7)} from lode.decision`.execute(database.db)
    expect(await signAs(database.db, pool, proposal, bob, alsoPublish)).toContain('lode operator repair')
    expect((await stored()).map(({ version }) => version)).toEqual([1])
  })

  it('is ignored by the signer if its text or its number is not the signed one', async () => {
    const text = (await publishedText()) ?? ''
    const cheaper = text.replace('"fee":"1"', '"fee":"0.1"')
    await forge(2, text.replace('"fee":"1"', '"fee":"0.2"'), await decisionFor(2, cheaper, [alice, bob]))
    await forge(3, cheaper, await decisionFor(2, cheaper, [alice, bob]))
    expect(await readAsSigner().byVersion(signer.db, 2)).toBeUndefined()
    expect(await readAsSigner().byVersion(signer.db, 3)).toBeUndefined()
  })

  it('is ignored by the signer if it starts too early', async () => {
    const text = (await publishedText()) ?? ''
    const harder = text.replace('"fee":"1"', '"fee":"9"')
    // The trigger stays enabled here: only the signer checks which values make leaving harder.
    await sql`
      insert into lode.plan (version, body, leaving_harder, decision_id)
      values (2, ${harder}, false, ${await decisionFor(2, harder, [alice, bob])})`.execute(database.db)
    expect((await readAsApi().inForce(signer.db))?.version).toBe(2)
    expect(await readAsSigner().byVersion(signer.db, 2)).toBeUndefined()
    const later = text.replace('"fee":"1"', '"fee":"0.1"')
    const inAYear = new Date(Date.now() + 365 * DAY * 1_000).toISOString()
    await forge(3, later, await decisionFor(3, later, [alice, bob], inAYear))
    expect(await readAsSigner().byVersion(signer.db, 3)).toBeUndefined()
  })

  it('is ignored by a signer that pins other operators', async () => {
    await publish()
    expect(await readAsSigner(`0x${'ab'.repeat(32)}`).byVersion(signer.db, 1)).toBeUndefined()
  })

  it('stays valid after the time for signing, and after the operators who signed it are removed', async () => {
    await publish()
    await publish(lowerFee)
    const [carol, dave] = [createTestOperator('carol'), createTestOperator('dave')]
    for (const [verb, { operator }] of [
      ['add', carol],
      ['add', dave],
      ['remove', alice],
    ] as const) {
      const question = await proposeOperatorChange(database.db, pool, verb, operator)
      if (!question.ok) throw new Error(question.error)
      await signInTurn(database.db, pool, question.value, [alice, bob])
    }
    const removal = await proposeOperatorChange(database.db, pool, 'remove', bob.operator)
    if (!removal.ok) throw new Error(removal.error)
    await signInTurn(database.db, pool, removal.value, [carol, dave])
    await advance(365 * DAY)
    expect((await readAsSigner().inForce(signer.db))?.version).toBe(2)
    expect((await readAsSigner().byVersion(signer.db, 1))?.version).toBe(1)
    expect(await publish(otherCloseHour, null, [carol, dave])).toBe(3)
    expect((await readAsSigner().byVersion(signer.db, 3))?.version).toBe(3)
  })

  it('cannot be signed with a question from before a change of operators', async () => {
    await publish()
    const carol = createTestOperator('carol')
    const question = await proposeOperatorChange(database.db, pool, 'add', carol.operator)
    if (!question.ok) throw new Error(question.error)
    const prepared = await preparePublication(database.db, pool, decimals, { text: lowerFee, starts: null })
    if (!prepared.ok) throw new Error(prepared.error)
    await signInTurn(database.db, pool, question.value, [alice, bob])
    expect(await signAs(database.db, pool, prepared.value.proposal, alice, async () => ok(null))).toContain(
      'The operators have changed meanwhile',
    )
  })

  async function publishedText(): Promise<string | undefined> {
    await publish()
    const { rows } = await sql<{ body: string }>`select body from lode.plan`.execute(database.db)
    return rows[0]?.body
  }
})
