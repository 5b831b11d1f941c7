import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestClock } from '../../testing/clock.ts'
import { createTestDatabase, refusalTo, type TestDatabase } from '../../testing/database.ts'
import { decideBy, holdCeremony, signAs, type TestOperator, testOperator } from '../../testing/operators.ts'
import { openThief } from '../../testing/thief.ts'
import type { Pool } from './chain.ts'
import { presentChain, type Question } from './decide.ts'
import { createOperators, storedDecisions } from './operators.ts'
import { PAYOUTS } from './pause.ts'
import { approvalQuestion, ceremonyQuestion, changeQuestion, rejectionQuestion, resumeQuestion } from './questions.ts'
import { takeOutNonsense } from './repair.ts'

const pool: Pool = { pool: '0x52908400098527886E0F7030069857D2E4169EE7', chainId: 31_337 }
const address = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const HOUR = 3_600

let database: TestDatabase
let alice: TestOperator
let bob: TestOperator
let ceremony: Hex
const carol = testOperator('carol')
const mallory = testOperator('mallory')

beforeAll(async () => {
  database = await createTestDatabase()
  ;({ alice, bob, ceremony } = await holdCeremony(database.db, pool))
})
afterAll(() => database.drop())

let transfers = 0
/** A new transfer id, without any decision. */
const newTransfer = (): string => {
  transfers += 1
  return `00000000-0000-4000-8000-${String(transfers).padStart(12, '0')}`
}
const approval = (id: string): Question => approvalQuestion(id, { symbol: 'USDT', amount: '7000000', address })

const counted = async (id: string, given: Partial<Parameters<typeof createOperators>[0]> = {}): Promise<string[]> => {
  const operators = createOperators({ ...pool, ceremony, ...given })
  const decisions = (await operators.verified(database.db, [`transfer:${id}`])).get(`transfer:${id}`) ?? []
  const names = new Map([alice, bob, carol].map(({ operator }) => [operator.key, operator.name]))
  return decisions.flatMap((decision) => decision.operators.map((key) => names.get(key) ?? key))
}

async function change(verb: 'add' | 'remove', { operator }: TestOperator): Promise<Question> {
  const question = await changeQuestion(database.db, pool, verb, operator)
  if (!question.ok) throw new Error(question.error)
  return question.value
}

describe('a decision', () => {
  it('is one text under the signatures of those who asked for the same', async () => {
    const id = newTransfer()
    await decideBy(database.db, pool, approval(id), [alice, bob])
    expect(await counted(id)).toEqual(['alice', 'bob'])
    const { rows } = await sql`select id from lode.decision where subject = ${`transfer:${id}`}`.execute(database.db)
    expect(rows).toHaveLength(1)
  })

  it('is not signed twice by one key, nor by a stranger', async () => {
    const id = newTransfer()
    await decideBy(database.db, pool, approval(id), [alice])
    expect(await signAs(database.db, pool, approval(id), alice)).toContain('has signed it already')
    expect(await signAs(database.db, pool, approval(id), mallory)).toContain('not one of the operators')
    expect(await counted(id)).toEqual(['alice'])
  })

  it('has one first signer, however many begin at the same moment', async () => {
    const id = newTransfer()
    const signed = await Promise.all([alice, bob].map((key) => signAs(database.db, pool, approval(id), key)))
    const { rows } = await sql`select id from lode.decision where subject = ${`transfer:${id}`}`.execute(database.db)
    expect(rows).toHaveLength(1)
    expect(signed.filter((count) => typeof count === 'number').length).toBeGreaterThan(0)
  })

  it('counts for this pool on this chain alone, by the ceremony that was pinned', async () => {
    const id = newTransfer()
    await decideBy(database.db, pool, approval(id), [alice, bob])
    expect(await counted(id, { ceremony: null })).toEqual(['alice', 'bob'])
    expect(await counted(id, { ceremony: `0x${'ab'.repeat(32)}` })).toEqual([])
    expect(await counted(id, { chainId: 1 })).toEqual([])
    expect(await counted(id, { pool: address })).toEqual([])
  })

  it('counts no more when it has expired', async () => {
    const id = newTransfer()
    await decideBy(database.db, pool, { ...approval(id), validHours: 1 }, [alice])
    const clock = createTestClock(database.db)
    await clock.advance(HOUR + 1)
    expect(await counted(id)).toEqual([])
    expect(await signAs(database.db, pool, approval(id), bob)).toBe(1)
    expect(await counted(id)).toEqual(['bob'])
  })

  it('cannot be made without the words that it needs', async () => {
    expect(await signAs(database.db, pool, resumeQuestion(undefined), alice)).toContain('say what for')
    await decideBy(database.db, pool, resumeQuestion('all is well'), [alice])
    // The second operator need not repeat the note.
    expect(await signAs(database.db, pool, resumeQuestion(undefined), bob)).toBe(2)
    const { rows } = await sql`select id from lode.decision where subject = ${PAYOUTS}`.execute(database.db)
    expect(rows).toHaveLength(1)
  })
})

describe('the operators', () => {
  it('begin once', async () => {
    expect(await signAs(database.db, pool, ceremonyQuestion([carol.operator, mallory.operator]), carol)).toContain(
      'operators already',
    )
  })

  it('are changed by two, and what one who was removed has signed counts no more', async () => {
    const [before, after] = [newTransfer(), newTransfer()]
    await decideBy(database.db, pool, await change('add', carol), [alice, bob])
    await decideBy(database.db, pool, approval(before), [carol, alice])
    expect(await counted(before)).toEqual(['carol', 'alice'])

    const removal = await change('remove', carol)
    await decideBy(database.db, pool, removal, [alice])
    expect(await counted(before)).toEqual(['carol', 'alice'])
    expect(await signAs(database.db, pool, removal, carol)).toBe(2)
    expect(await counted(before)).toEqual(['alice'])
    expect(await signAs(database.db, pool, approval(after), carol)).toContain('not one of the operators')
    expect(await presentChain(database.db, pool)).toMatchObject({
      value: { operators: [{ name: expect.any(String) }, { name: expect.any(String) }], head: { number: 3 } },
    })
  })

  it('do not follow a link that another one has overtaken', async () => {
    const overtaken = await change('add', mallory)
    await decideBy(database.db, pool, overtaken, [alice])
    await decideBy(database.db, pool, await change('add', carol), [alice, bob])
    expect(await signAs(database.db, pool, overtaken, bob)).toContain('The operators have changed meanwhile')
    expect(await presentChain(database.db, pool)).toMatchObject({ value: { head: { number: 4 } } })
  })
})

describe('the database', () => {
  const answer = async (role: Parameters<typeof refusalTo>[1], statement: string) =>
    (await refusalTo(database, role, statement))?.message

  const zeros = (bytes: number) => `decode(repeat('00', ${bytes}), 'hex')`
  const forged = [
    [
      'make a decision',
      "insert into lode.decision (subject, verb, body, expires_at) values ('a', 'pay', '{}', lode.now())",
    ],
    [
      'sign one',
      `insert into lode.decision_signature (decision_id, place, operator, signature) values (1, 9, ${zeros(32)}, ${zeros(64)})`,
    ],
    ['make an operator', `insert into lode.operator_link values (9, 1, ${zeros(32)})`],
    ['list an address', `insert into lode.treasury_address (decision_id, address) values (1, ${zeros(20)})`],
    ['say what came of one', 'insert into lode.decision_outcome (decision_id) values (1)'],
    ['forget what came of one', 'delete from lode.decision_outcome'],
  ] as const

  it.each(
    (['lode_api', 'lode_worker', 'lode_signer'] as const).flatMap((role) =>
      forged.map((row) => [role, ...row] as const),
    ),
  )('does not let %s %s', async (role, _what, statement) => {
    expect(await answer(role, statement)).toContain('permission denied')
  })

  it('lets nobody but the worker carry out a decision', async () => {
    for (const role of ['lode_api', 'lode_signer'] as const)
      for (const call of [
        'make_payment(1)',
        "note_decision_outcome(1, 'no')",
        `end_expired_payment('${newTransfer()}')`,
      ])
        expect(await answer(role, `select lode.${call}`)).toContain('permission denied')
  })

  it.each([
    ['a payout', `insert into lode.payout (id) values ('${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}')`],
    ['what came of a decision', 'insert into lode.decision_outcome (decision_id) values (1)'],
    ['a payment', 'select lode.make_payment(1)'],
    ['a member', 'update lode.member set disabled_at = null'],
    [
      'when something was signed',
      `insert into lode.decision_signature values (1, 9, ${zeros(32)}, ${zeros(64)}, lode.now())`,
    ],
    ['a posting', 'delete from lode.posting'],
    ['a session', 'select * from lode.session'],
    ['a price', 'delete from lode.price'],
    ['a job of another kind', "select graphile_worker.add_job('seal-ledger')"],
  ])('lets an operator’s machine write down decisions, and not touch %s', async (_what, statement) => {
    expect(await answer('lode_operator', statement)).toContain('permission denied')
  })

  it('counts one key once under a decision, whoever writes it', async () => {
    const again = `insert into lode.decision_signature (decision_id, place, operator, signature)
      select decision_id, 9, operator, signature from lode.decision_signature limit 1`
    expect(await answer('owner', again)).toContain('decision_signature_decision_id_operator_key')
  })

  it('has no payment of the operators without a second signature', async () => {
    const id = newTransfer()
    await decideBy(database.db, pool, approval(id), [alice])
    const forgedPayout = (place: string) => `
      insert into lode.payout (id, kind, asset, amount, address, paid_from, decision_id, decision_place)
      select gen_random_uuid(), 'treasury', 'USDT', 1, ${zeros(20)}, 'pool:mining', id, ${place}
      from lode.decision where subject = 'transfer:${id}'`
    expect(await answer('owner', forgedPayout('2'))).toContain('payout_decision_id_decision_place_fkey')
    expect(await answer('owner', forgedPayout('1'))).toContain('payout_decision_place_check')
    expect(await answer('owner', forgedPayout('null'))).toContain('payout_check')
  })

  it.each([
    ['changed', 'update lode.decision set subject = subject'],
    ['taken back', 'delete from lode.decision_signature'],
    ['unmade', 'delete from lode.operator_link'],
    ['emptied', 'truncate lode.decision cascade'],
  ])('does not let what was signed be %s, even by its owner', async (_what, statement) => {
    expect(await answer('owner', statement)).toContain('what was written stays')
  })

  it('says itself when something was signed', async () => {
    const id = newTransfer()
    await decideBy(database.db, pool, approval(id), [alice])
    await sql`
      insert into lode.decision_signature (decision_id, place, operator, signature, at)
      select id, 2, ${Buffer.alloc(32)}, ${Buffer.alloc(64)}, '2000-01-01'
      from lode.decision where subject = ${`transfer:${id}`}`.execute(database.db)
    const { rows } = await sql<{ recent: boolean }>`
      select min(at) > lode.now() - interval '1 minute' as recent from lode.decision_signature where place = 2
      and operator = ${Buffer.alloc(32)}`.execute(database.db)
    expect(rows).toEqual([{ recent: true }])
    expect(await counted(id)).toEqual(['alice'])
  })
})

describe('whoever can write decisions down and has no key', () => {
  const rejection = (id: string): Question =>
    rejectionQuestion(id, { symbol: 'USDT', amount: '7000000', address }, 'no')
  let thief: ReturnType<typeof openThief>
  beforeAll(() => {
    thief = openThief(database)
  })
  afterAll(() => thief.close())

  it.each([
    ['in another place', 'last.number + 2', 'sha256(last.hash || convert_to(body, $$UTF8$$))'],
    ['with another hash', 'last.number + 1', 'sha256(convert_to(body, $$UTF8$$))'],
  ])('adds no link %s', async (_what, number, hash) => {
    const [id] = await thief.decide({ subject: 'operators', verb: 'add', by: [alice, bob] })
    const inserted = sql`
      insert into lode.operator_link (number, decision_id, hash) select ${sql.raw(number)}, id, ${sql.raw(hash)}
      from lode.decision, (select number, hash from lode.operator_link order by number desc limit 1) as last
      where id = ${id}`.execute(thief.db)
    await expect(inserted).rejects.toThrow('this is no link after')
  })

  it('adds no link without two signatures', async () => {
    await expect(thief.link([alice])).rejects.toThrow('this is no link after')
  })

  it.each(["'infinity'", "lode.now() + interval '401 days'"])('decides nothing until %s', async (expiry) => {
    const inserted = sql`
      insert into lode.decision (subject, verb, body, expires_at)
      values (${PAYOUTS}, 'pause', 'until then', ${sql.raw(expiry)})`.execute(thief.db)
    await expect(inserted).rejects.toThrow('check constraint')
  })

  it('undoes with a link that does not verify nothing that keeps money back, and all that lets it go', async () => {
    const [approved, rejected, later] = [newTransfer(), newTransfer(), newTransfer()]
    await decideBy(database.db, pool, approval(approved), [alice, bob])
    await decideBy(database.db, pool, rejection(rejected), [alice, bob])
    await thief.link([alice, bob])
    const operators = createOperators({ ...pool, ceremony })
    expect(Array.from((await operators.doubts(database.db, [PAYOUTS])).values())).toEqual([
      expect.stringContaining('the operators’ chain does not verify: link 5'),
    ])
    expect(await counted(approved)).toEqual([])
    expect(await counted(rejected)).toEqual(['alice', 'bob'])
    expect(await signAs(database.db, pool, approval(later), alice)).toContain('lode operator repair')
    await decideBy(database.db, pool, rejection(later), [alice, bob])
    expect(await counted(later)).toEqual(['alice', 'bob'])

    expect(await takeOutNonsense(thief.db, pool)).toMatchObject({ error: expect.stringContaining('Only the owner') })
    expect(await takeOutNonsense(database.db, { ...pool, chainId: 1 })).toMatchObject({
      error: expect.stringContaining('Not even the first link holds'),
    })
    expect(await takeOutNonsense(database.db, pool)).toMatchObject({ value: { links: 1 } })
    expect(await operators.doubts(database.db, [PAYOUTS])).toEqual(new Map())
    expect(await counted(approved)).toEqual(['alice', 'bob'])
    await expect(sql`delete from lode.operator_link`.execute(database.db)).rejects.toThrow('what was written stays')
  })

  it('is in the way of an operator’s signature only until that is taken out', async () => {
    const id = newTransfer()
    await decideBy(database.db, pool, approval(id), [alice])
    await sql`
      insert into lode.decision_signature (decision_id, place, operator, signature)
      select id, 2, ${Buffer.from(bob.publicKey, 'hex')}, ${Buffer.alloc(64)}
      from lode.decision where subject = ${`transfer:${id}`}`.execute(thief.db)
    await expect(signAs(database.db, pool, approval(id), bob)).rejects.toThrow(
      'decision_signature_decision_id_operator_key',
    )
    expect(await takeOutNonsense(database.db, pool)).toMatchObject({ value: { links: 0, decisions: 0, signatures: 1 } })
    expect(await signAs(database.db, pool, approval(id), bob)).toBe(2)
    expect(await counted(id)).toEqual(['alice', 'bob'])
  })

  it('has no more than the newest of a flood read, and with that nothing is paid', async () => {
    const id = newTransfer()
    await decideBy(database.db, pool, approval(id), [alice])
    await thief.decide({ subject: `transfer:${id}`, verb: 'approve', by: [alice, bob], count: 2_000 })
    expect(await storedDecisions(database.db, [`transfer:${id}`], [alice.operator])).toHaveLength(200)
    expect(await counted(id)).toEqual([])
    const doubts = await createOperators({ ...pool, ceremony }).doubts(database.db, [`transfer:${id}`, PAYOUTS])
    expect(Array.from(doubts.keys())).toEqual([`transfer:${id}`])
    await takeOutNonsense(database.db, pool)
    expect(await counted(id)).toEqual(['alice'])
  })
})
