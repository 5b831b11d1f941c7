import { randomUUID } from 'node:crypto'
import { ok, type Result } from '@lode/kernel'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import { connectAttacker } from '../../testing/attacker-fixture.ts'
import { createTestOperator, signAs, signInTurn, type TestOperator } from '../../testing/operators.ts'
import { examplePlanText } from '../../testing/plan.ts'
import { createTestWallet } from '../../testing/wallet.ts'
import { prepareNotice } from '../content/index.ts'
import { proposeEndOfStop, proposeRewind } from '../custody/index.ts'
import { createFirstMember, proposeDisabling, proposeEnabling, proposeEndOfSessions } from '../identity/index.ts'
import {
  ALL_MEMBERS,
  canonicalJson,
  type Proposal,
  proposeOperatorChange,
  proposeProvingAgain,
  readDecisions,
  storeSignedText,
} from '../operators/index.ts'
import { preparePublication } from '../plan/index.ts'
import { createTreasuryFixture, newAddress, type TreasuryFixture } from './testing/treasury-fixture.ts'

/**
 * Decisions that the worker carries out. Operators connect as `lode_operator`, the worker as `lode_worker`; the owner
 * only prepares what is decided about.
 */

let treasury: TreasuryFixture
let operator: ReturnType<typeof connectAttacker>
const { account } = createTestWallet()
const decimals = { USDT: 6, BTN: 18, BTC: 8 }

beforeAll(async () => {
  treasury = await createTreasuryFixture()
  operator = connectAttacker(treasury.database)
  await createFirstMember(treasury.owner, account)
  const { vault } = treasury.contracts
  await sql`
    insert into lode.chain_state (chain_id, vault, genesis_hash, posted_number, posted_hash, posted_time)
    values (31337, ${bytesOf(vault)}, sha256('genesis'), 90, sha256('posted'), lode.now())`.execute(treasury.owner)
})
afterAll(async () => {
  await operator.close()
  await treasury.close()
})

/** Open decisions of one test expire before the next. */
afterEach(() => treasury.clock.advance(8 * 86_400))

const read = async <Row>(text: string): Promise<Row[]> =>
  (await sql<Row>`${sql.raw(text)}`.execute(treasury.owner)).rows
const run = (text: string) => sql`${sql.raw(text)}`.execute(treasury.owner)
const has = async (text: string): Promise<boolean> => (await read(text)).length > 0

type Prepared = { readonly proposal: Proposal; readonly texts: readonly string[] }

type Decided = {
  readonly name: string
  readonly signatures: number
  /** Makes the state that the decision ends. Repeated calls make it again. */
  begin(): Promise<unknown>
  prepare(db: Database): Promise<Result<Prepared, string>>
  isCarriedOut(): Promise<boolean>
  readonly functionName: string
}

const withoutText = (proposal: Result<Proposal, string>): Result<Prepared, string> =>
  proposal.ok ? ok({ proposal: proposal.value, texts: [] }) : proposal

const words = (title: string) => ({ title, body: ['Payouts wait for an hour.'] })
let noticeTitle = ''
let planText = ''
let lastVersion = 0

const decisions: readonly Decided[] = [
  {
    name: 'ending a stop',
    signatures: 2,
    functionName: 'end_stop',
    begin: () => run(`update lode.chain_state set stopped_reason = '${randomUUID()}', stopped_at = lode.now()`),
    async prepare(db) {
      const proposed = await proposeEndOfStop(db, 'two nodes agree')
      return withoutText(proposed.ok ? ok(proposed.value.proposal) : proposed)
    },
    isCarriedOut: () => has('select from lode.chain_state where stopped_reason is null and stopped_at is null'),
  },
  {
    name: 'reading the chain again',
    signatures: 2,
    functionName: 'rewind_chain',
    begin: () => run(`update lode.chain_state set posted_number = 90, posted_hash = sha256('posted')`),
    prepare: async (db) => withoutText(await proposeRewind(db, 40n, 'a log is missing')),
    isCarriedOut: () => has('select from lode.chain_state where posted_number = 40 and posted_hash is null'),
  },
  {
    name: 'disabling a member',
    signatures: 2,
    functionName: 'disable_member',
    begin: () => run('update lode.member set disabled_at = null, disabled_by = null'),
    prepare: async (db) => withoutText(await proposeDisabling(db, account, 'your wallet was stolen')),
    isCarriedOut: () => has('select from lode.member where disabled_at = lode.now() or disabled_by is not null'),
  },
  {
    name: 'enabling a member',
    signatures: 2,
    functionName: 'enable_member',
    begin: () => run('update lode.member set disabled_at = lode.now(), disabled_by = null'),
    prepare: async (db) => withoutText(await proposeEnabling(db, account, 'it was found')),
    isCarriedOut: () => has('select from lode.member where disabled_at is null'),
  },
  {
    name: 'ending sessions',
    signatures: 1,
    functionName: 'end_sessions',
    begin: () =>
      run(
        `insert into lode.session (id, token_hash, member_id, mode)
         select gen_random_uuid(), sha256(random()::text::bytea), id, 'full' from lode.member`,
      ),
    prepare: async (db) => withoutText(await proposeEndOfSessions(db, ALL_MEMBERS, 'the api was stolen')),
    isCarriedOut: async () => !(await has('select from lode.session')),
  },
  {
    name: 'proving again',
    signatures: 2,
    functionName: 'prove_again',
    begin: () => run('insert into lode.proof (account, version) values (7, 3) on conflict do nothing'),
    prepare: async () => ok({ proposal: proposeProvingAgain('both nodes were replaced'), texts: [] }),
    isCarriedOut: async () => !(await has('select from lode.proof')),
  },
  {
    name: 'publishing a notice',
    signatures: 2,
    functionName: 'publish_notice',
    begin: async () => {
      noticeTitle = `Notice ${randomUUID()}`
    },
    async prepare() {
      const notice = prepareNotice(
        JSON.stringify({ en: words(noticeTitle), zh_tw: words('公告'), zh_cn: words('通知') }),
      )
      return notice.ok ? ok({ proposal: notice.value.proposal, texts: [notice.value.text] }) : notice
    },
    isCarriedOut: () => has(`select from lode.notice where words -> 'en' ->> 'title' = '${noticeTitle}'`),
  },
  {
    name: 'publishing a plan',
    signatures: 2,
    functionName: 'publish_plan',
    begin: async () => {
      const [row] = await read<{ version: number }>('select coalesce(max(version), 0) as version from lode.plan')
      lastVersion = row?.version ?? 0
      planText = examplePlanText.replace(/"closeHour": \d+/, `"closeHour": ${lastVersion + 2}`)
    },
    async prepare(db) {
      const publication = await preparePublication(db, treasury.pool, decimals, { text: planText, starts: null })
      if (!publication.ok) return publication
      return ok({ proposal: publication.value.proposal, texts: [JSON.stringify(JSON.parse(planText))] })
    },
    isCarriedOut: () => has(`select from lode.plan where version > ${lastVersion}`),
  },
]

/** Signs as the operators do, over a connection as `lode_operator`. Returns what was signed. */
async function sign(decided: Decided, signers: readonly TestOperator[]): Promise<Prepared> {
  const prepared = await decided.prepare(operator.db)
  if (!prepared.ok) throw new Error(prepared.error)
  const publication =
    decided.functionName === 'publish_plan'
      ? await preparePublication(operator.db, treasury.pool, decimals, { text: planText, starts: null })
      : null
  await signInTurn(operator.db, treasury.pool, prepared.value.proposal, signers, async (trx, signed) => {
    if (publication?.ok) return publication.value.publish(trx, signed)
    for (const text of prepared.value.texts) await storeSignedText(trx, text)
    return ok(null)
  })
  return prepared.value
}

const newestDecision = async (): Promise<{ id: bigint; body: string }> => {
  const [row] = await read<{ id: bigint; body: string }>('select id, body from lode.decision order by id desc limit 1')
  if (!row) throw new Error('there is no decision')
  return row
}

/** Stores a decision as somebody who has the operators' role, with these keys. */
async function storeSigned(body: string, keys: readonly TestOperator[], isGenuine = true): Promise<void> {
  const { subject, verb, expiry } = JSON.parse(body) as Record<string, string>
  const { rows } = await sql<{ id: bigint }>`
    insert into lode.decision (subject, verb, body, expires_at) values (${subject}, ${verb}, ${body}, ${expiry})
    returning id`.execute(operator.db)
  for (const [index, key] of keys.entries())
    await sql`
      insert into lode.decision_signature (decision_id, place, operator, signature)
      values (${rows[0]?.id}, ${index + 1}, ${Buffer.from(key.publicKey, 'hex')},
              ${isGenuine ? key.sign(body) : Buffer.alloc(64, 7)})`.execute(operator.db)
}

/** The same decision with another nonce and other fields. */
const alter = (body: string, fields: object): string =>
  canonicalJson({ ...(JSON.parse(body) as Record<string, string>), nonce: randomUUID(), ...fields })

describe.each(decisions)('$name', (decided) => {
  it('takes all its signatures, and is carried out once by the worker', async () => {
    const { alice, bob } = treasury
    await decided.begin()
    expect(await decided.isCarriedOut()).toBe(false)
    if (decided.signatures === 2) {
      await sign(decided, [alice])
      await treasury.apply()
      expect(await decided.isCarriedOut()).toBe(false)
      // The database refuses it too, even if the worker asks for it.
      const { id } = await newestDecision()
      const more = decided.functionName === 'publish_plan' ? ', false' : ''
      const asked = sql`select ${sql.raw(`lode.${decided.functionName}(${id}${more})`)}`.execute(treasury.worker)
      await expect(asked).rejects.toThrow(/too few signatures/)
      const prepared = await decided.prepare(operator.db)
      if (!prepared.ok) throw new Error(prepared.error)
      expect(await signAs(operator.db, treasury.pool, prepared.value.proposal, alice)).toMatch(/has signed it already/)
      expect(await signAs(operator.db, treasury.pool, prepared.value.proposal, bob)).toBe(2)
    } else await sign(decided, [alice])
    await treasury.apply()
    expect(await decided.isCarriedOut()).toBe(true)

    const [listed] = await readDecisions(operator.db, treasury.pool, { before: null, limit: 1 })
    expect(listed).toMatchObject({
      signers: [{ name: 'alice' }, { name: 'bob' }].slice(0, decided.signatures),
      outcome: { refusal: null },
    })

    // Carried out once: the same decision does not count for the next time.
    await decided.begin()
    await treasury.apply()
    expect(await decided.isCarriedOut()).toBe(false)
    const { id, body } = await newestDecision()
    if (decided.functionName !== 'publish_plan')
      expect(
        (await sql`select ${sql.raw(`lode.${decided.functionName}(${id})`)} as answer`.execute(treasury.worker)).rows,
      ).toEqual([{ answer: 'done' }])
    await expect(storeSigned(body, [alice, bob])).rejects.toThrow(/decision_body_hash_key/)
    expect(await decided.isCarriedOut()).toBe(false)
  })

  it('does not happen by invented signatures, for another pool, or by one key twice', async () => {
    const { alice, bob } = treasury
    await decided.begin()
    await sign(decided, [alice])
    const { body } = await newestDecision()
    if (decided.signatures === 1) {
      await treasury.apply()
      await decided.begin()
    }
    await storeSigned(alter(body, {}), [alice, bob], false)
    await storeSigned(alter(body, {}), [createTestOperator('eve'), createTestOperator('mallory')])
    await storeSigned(alter(body, { pool: newAddress() }), [alice, bob])
    await storeSigned(alter(body, { chainId: 1 }), [alice, bob])
    const [{ id = 0n } = {}] = await read<{ id: bigint }>('select max(id) as id from lode.decision')
    const again = sql`
      insert into lode.decision_signature (decision_id, place, operator, signature)
      values (${id}, 3, ${Buffer.from(alice.publicKey, 'hex')}, ${alice.sign(body)})`.execute(operator.db)
    await expect(again).rejects.toThrow(/decision_signature_decision_id_operator_key/)
    await treasury.apply()
    expect(await decided.isCarriedOut()).toBe(false)
  })

  it('does not happen after it expired', async () => {
    await decided.begin()
    await sign(decided, [treasury.alice, treasury.bob].slice(0, decided.signatures))
    const { id } = await newestDecision()
    await treasury.clock.advance(8 * 86_400)
    await treasury.apply()
    expect(await decided.isCarriedOut()).toBe(false)
    const more = decided.functionName === 'publish_plan' ? ', false' : ''
    const asked = sql`select ${sql.raw(`lode.${decided.functionName}(${id}${more})`)}`.execute(treasury.worker)
    await expect(asked).rejects.toThrow(/has expired/)
  })

  it('does not happen by an operator who was removed', async () => {
    const { alice, bob, owner, pool } = treasury
    const carol = createTestOperator('carol')
    const change = async (verb: 'add' | 'remove') => {
      const proposal = await proposeOperatorChange(owner, pool, verb, carol.operator)
      if (!proposal.ok) throw new Error(proposal.error)
      await signInTurn(owner, pool, proposal.value, [alice, bob])
    }
    await change('add')
    await decided.begin()
    await sign(decided, [carol, alice].slice(0, decided.signatures))
    await change('remove')
    await treasury.apply()
    expect(await decided.isCarriedOut()).toBe(false)
  })

  it('cannot be done by the operators’ role itself', async () => {
    const { id } = await newestDecision()
    const more = decided.functionName === 'publish_plan' ? ', false' : ''
    const asked = sql`select ${sql.raw(`lode.${decided.functionName}(${id}${more})`)}`.execute(operator.db)
    await expect(asked).rejects.toThrow(/permission denied/)
  })
})

describe('a decision about a state that has changed since', () => {
  it('does not end a later stop, although the reason is the same', async () => {
    const { alice, bob } = treasury
    const stop = () => run(`update lode.chain_state set stopped_reason = 'the same', stopped_at = lode.now()`)
    await stop()
    const proposed = await proposeEndOfStop(operator.db, 'it was nothing')
    if (!proposed.ok) throw new Error(proposed.error)
    await signInTurn(operator.db, treasury.pool, proposed.value.proposal, [alice, bob])
    await treasury.clock.advance(1)
    await stop()
    expect(await treasury.apply()).toMatchObject({ done: 0, refused: 1 })
    expect(await has('select from lode.chain_state where stopped_reason is not null')).toBe(true)
    const [listed] = await readDecisions(operator.db, treasury.pool, { before: null, limit: 1 })
    expect(listed?.outcome?.refusal).toBe('nothing is stopped any more, or it stopped again since')
  })

  it('does not enable a member who was disabled again', async () => {
    const disable = () => run('update lode.member set disabled_at = lode.now()')
    await disable()
    await treasury.decide(await proposeEnabling(operator.db, account, 'it was found'))
    await treasury.clock.advance(1)
    await disable()
    expect(await treasury.apply()).toMatchObject({ done: 0, refused: 1 })
    expect(await has('select from lode.member where disabled_at is not null')).toBe(true)
  })

  it('cannot be proposed if there is nothing to decide', async () => {
    const other = newAddress()
    await run('update lode.chain_state set stopped_reason = null, stopped_at = null')
    expect(await proposeEndOfStop(operator.db, 'why')).toMatchObject({ error: 'The worker is not stopped.' })
    expect(await proposeRewind(operator.db, 90n, 'why')).toMatchObject({ error: 'Nothing after block 90 is posted.' })
    expect(await proposeDisabling(operator.db, other, 'why')).toMatchObject({ error: `${other} is not registered.` })
    expect(await proposeDisabling(operator.db, account, 'why')).toMatchObject({ ok: false })
    await run('update lode.member set disabled_at = null, disabled_by = null')
    expect(await proposeEnabling(operator.db, account, 'why')).toMatchObject({ error: `${account} is not disabled.` })
  })
})

describe('a plan that the worker publishes late', () => {
  it('starts when it is published, so that nobody’s week is shorter', async () => {
    const plan = decisions.find(({ functionName }) => functionName === 'publish_plan')
    if (!plan) throw new Error('no such decision')
    planText = examplePlanText.replace('"fee": "1"', '"fee": "2"')
    await sign(plan, [treasury.alice, treasury.bob])
    await treasury.clock.advance(5 * 86_400)
    await treasury.apply()
    const [row] = await read<{ leaving_harder: boolean; week: boolean }>(`
      select leaving_harder, starts_at = lode.now() + interval '7 days' or starts_at > lode.now() + interval '6.99 days' as week
      from lode.plan order by version desc limit 1`)
    expect(row).toEqual({ leaving_harder: true, week: true })
  })
})
