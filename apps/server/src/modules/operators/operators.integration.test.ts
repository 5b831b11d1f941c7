import { ok, refused } from '@lode/kernel'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectAttacker } from '../../testing/attacker-fixture.ts'
import { createTestClock } from '../../testing/clock.ts'
import { createTestDatabase, findStatementError, type TestDatabase } from '../../testing/database.ts'
import { createTestOperator, holdCeremony, signAs, signInTurn, type TestOperator } from '../../testing/operators.ts'
import { readOpenDecisions } from './open-decisions.ts'
import type { PoolIdentity } from './operator-chain.ts'
import { createOperators, readStoredDecisions } from './operators.ts'
import { PAYOUTS_SUBJECT } from './pause.ts'
import {
  proposeApproval,
  proposeCeremony,
  proposeOperatorChange,
  proposeRejection,
  proposeResume,
  proposeWithdrawal,
} from './proposals.ts'
import { removeInvalidDecisions } from './repair.ts'
import { type Proposal, prepareDecision, readValidChain } from './sign-decision.ts'

const pool: PoolIdentity = { pool: '0x52908400098527886E0F7030069857D2E4169EE7', chainId: 31_337 }
const address = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const HOUR = 3_600

let database: TestDatabase
let alice: TestOperator
let bob: TestOperator
let ceremony: Hex
const carol = createTestOperator('carol')
const mallory = createTestOperator('mallory')

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
const approval = (id: string): Proposal => proposeApproval(id, { symbol: 'USDT', amount: '7000000', address })

const countSigners = async (
  id: string,
  given: Partial<Parameters<typeof createOperators>[0]> = {},
): Promise<string[]> => {
  const operators = createOperators({ ...pool, ceremony, ...given })
  const decisions = (await operators.readVerified(database.db, [`transfer:${id}`])).get(`transfer:${id}`) ?? []
  const names = new Map([alice, bob, carol].map(({ operator }) => [operator.key, operator.name]))
  return decisions.flatMap((decision) => decision.signers.map((key) => names.get(key) ?? key))
}

async function proposeChange(verb: 'add' | 'remove', { operator }: TestOperator): Promise<Proposal> {
  const question = await proposeOperatorChange(database.db, pool, verb, operator)
  if (!question.ok) throw new Error(question.error)
  return question.value
}

describe('a decision', () => {
  it('is one text that all operators with the same proposal sign', async () => {
    const id = newTransfer()
    await signInTurn(database.db, pool, approval(id), [alice, bob])
    expect(await countSigners(id)).toEqual(['alice', 'bob'])
    const { rows } = await sql`select id from lode.decision where subject = ${`transfer:${id}`}`.execute(database.db)
    expect(rows).toHaveLength(1)
  })

  it('cannot be signed twice by one key, nor by an unknown key', async () => {
    const id = newTransfer()
    await signInTurn(database.db, pool, approval(id), [alice])
    expect(await signAs(database.db, pool, approval(id), alice)).toContain('has signed it already')
    expect(await signAs(database.db, pool, approval(id), mallory)).toContain('not one of the operators')
    expect(await countSigners(id)).toEqual(['alice'])
  })

  it('is stored once if several operators begin it at the same moment', async () => {
    const id = newTransfer()
    const signed = await Promise.all([alice, bob].map((key) => signAs(database.db, pool, approval(id), key)))
    const { rows } = await sql`select id from lode.decision where subject = ${`transfer:${id}`}`.execute(database.db)
    expect(rows).toHaveLength(1)
    expect(signed.filter((count) => typeof count === 'number').length).toBeGreaterThan(0)
  })

  it('is valid only for this pool on this chain, and under the pinned ceremony', async () => {
    const id = newTransfer()
    await signInTurn(database.db, pool, approval(id), [alice, bob])
    expect(await countSigners(id, { ceremony: null })).toEqual(['alice', 'bob'])
    expect(await countSigners(id, { ceremony: `0x${'ab'.repeat(32)}` })).toEqual([])
    expect(await countSigners(id, { chainId: 1 })).toEqual([])
    expect(await countSigners(id, { pool: address })).toEqual([])
  })

  it('is not valid after its expiry', async () => {
    const id = newTransfer()
    await signInTurn(database.db, pool, { ...approval(id), validHours: 1 }, [alice])
    const clock = createTestClock(database.db)
    await clock.advance(HOUR + 1)
    expect(await countSigners(id)).toEqual([])
    expect(await signAs(database.db, pool, approval(id), bob)).toBe(1)
    expect(await countSigners(id)).toEqual(['bob'])
  })

  it('cannot be made without its note', async () => {
    expect(await signAs(database.db, pool, proposeResume(undefined), alice)).toContain('say what for')
    await signInTurn(database.db, pool, proposeResume('all is well'), [alice])
    // The second operator need not repeat the note.
    expect(await signAs(database.db, pool, proposeResume(undefined), bob)).toBe(2)
    const { rows } = await sql`select id from lode.decision where subject = ${PAYOUTS_SUBJECT}`.execute(database.db)
    expect(rows).toHaveLength(1)
  })
})

describe('the operators', () => {
  it('can hold the ceremony only once', async () => {
    expect(await signAs(database.db, pool, proposeCeremony([carol.operator, mallory.operator]), carol)).toContain(
      'operators already',
    )
  })

  it('are changed by two signatures, and a removed operator’s signatures no longer count', async () => {
    const [before, after] = [newTransfer(), newTransfer()]
    await signInTurn(database.db, pool, await proposeChange('add', carol), [alice, bob])
    await signInTurn(database.db, pool, approval(before), [carol, alice])
    expect(await countSigners(before)).toEqual(['carol', 'alice'])

    const removal = await proposeChange('remove', carol)
    await signInTurn(database.db, pool, removal, [alice])
    expect(await countSigners(before)).toEqual(['carol', 'alice'])
    expect(await signAs(database.db, pool, removal, carol)).toBe(2)
    expect(await countSigners(before)).toEqual(['alice'])
    expect(await signAs(database.db, pool, approval(after), carol)).toContain('not one of the operators')
    expect(await readValidChain(database.db, pool)).toMatchObject({
      value: { operators: [{ name: expect.any(String) }, { name: expect.any(String) }], head: { number: 3 } },
    })
  })

  it('do not add a link if another one was added meanwhile', async () => {
    const overtaken = await proposeChange('add', mallory)
    await signInTurn(database.db, pool, overtaken, [alice])
    await signInTurn(database.db, pool, await proposeChange('add', carol), [alice, bob])
    expect(await signAs(database.db, pool, overtaken, bob)).toContain('The operators have changed meanwhile')
    expect(await readValidChain(database.db, pool)).toMatchObject({ value: { head: { number: 4 } } })
  })
})

describe('the database', () => {
  const answer = async (role: Parameters<typeof findStatementError>[1], statement: string) =>
    (await findStatementError(database, role, statement))?.message

  const zeros = (bytes: number) => `decode(repeat('00', ${bytes}), 'hex')`
  const forged = [
    [
      'make a decision',
      "insert into lode.decision (subject, verb, body, expires_at) values ('a', 'pay', '{}', lode.now())",
    ],
    [
      'sign a decision',
      `insert into lode.decision_signature (decision_id, place, operator, signature) values (1, 9, ${zeros(32)}, ${zeros(64)})`,
    ],
    ['add an operator', `insert into lode.operator_link values (9, 1, ${zeros(32)})`],
    ['list an address', `insert into lode.treasury_address (decision_id, address) values (1, ${zeros(20)})`],
    ['store an outcome', 'insert into lode.decision_outcome (decision_id) values (1)'],
    ['delete an outcome', 'delete from lode.decision_outcome'],
  ] as const

  it.each(
    (['lode_api', 'lode_worker', 'lode_signer'] as const).flatMap((role) =>
      forged.map((row) => [role, ...row] as const),
    ),
  )('does not let %s %s', async (role, _what, statement) => {
    expect(await answer(role, statement)).toContain('permission denied')
  })

  it('lets only the worker carry out a decision', async () => {
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
    ['an outcome', 'insert into lode.decision_outcome (decision_id) values (1)'],
    ['a payment', 'select lode.make_payment(1)'],
    ['a member', 'update lode.member set disabled_at = null'],
    [
      'the time of a signature',
      `insert into lode.decision_signature values (1, 9, ${zeros(32)}, ${zeros(64)}, lode.now())`,
    ],
    ['a posting', 'delete from lode.posting'],
    ['a session', 'select * from lode.session'],
    ['a price', 'delete from lode.price'],
    ['a job of another kind', "select graphile_worker.add_job('seal-ledger')"],
  ])('lets the operator role store decisions, and does not give it access to %s', async (_what, statement) => {
    expect(await answer('lode_operator', statement)).toContain('permission denied')
  })

  it('stores one signature of each key under a decision, even for the owner', async () => {
    const again = `insert into lode.decision_signature (decision_id, place, operator, signature)
      select decision_id, 9, operator, signature from lode.decision_signature limit 1`
    expect(await answer('owner', again)).toContain('decision_signature_decision_id_operator_key')
  })

  it('refuses a treasury payment without a second signature', async () => {
    const id = newTransfer()
    await signInTurn(database.db, pool, approval(id), [alice])
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
    ['unsigned', 'delete from lode.decision_signature'],
    ['unlinked', 'delete from lode.operator_link'],
    ['truncated', 'truncate lode.decision cascade'],
  ])('does not let signed decisions be %s, even by the owner', async (_what, statement) => {
    expect(await answer('owner', statement)).toContain('what was written stays')
  })

  it('sets the time of a signature itself', async () => {
    const id = newTransfer()
    await signInTurn(database.db, pool, approval(id), [alice])
    await sql`
      insert into lode.decision_signature (decision_id, place, operator, signature, at)
      select id, 2, ${Buffer.alloc(32)}, ${Buffer.alloc(64)}, '2000-01-01'
      from lode.decision where subject = ${`transfer:${id}`}`.execute(database.db)
    const { rows } = await sql<{ recent: boolean }>`
      select min(at) > lode.now() - interval '1 minute' as recent from lode.decision_signature where place = 2
      and operator = ${Buffer.alloc(32)}`.execute(database.db)
    expect(rows).toEqual([{ recent: true }])
    expect(await countSigners(id)).toEqual(['alice'])
  })
})

describe('a withdrawal', () => {
  it('is refused if the decision was completed while the operator typed the passphrase', async () => {
    const answers = [ok(null), refused('it is complete')]
    const proposal = proposeWithdrawal({ id: 1n, textHash: '00'.repeat(32) }, async () => answers.shift() ?? ok(null))
    expect(await signAs(database.db, pool, proposal, alice)).toBe('it is complete')
    const { rows } = await sql`select id from lode.decision where verb = 'withdraw'`.execute(database.db)
    expect(rows).toEqual([])
  })
})

describe('a rejection with another reason', () => {
  it('is not signed while one is open: of another operator, or of one’s own', async () => {
    const reject = (id: string, note: string) =>
      proposeRejection(id, { symbol: 'USDT', amount: '7000000', address }, note)
    const id = newTransfer()
    await signInTurn(database.db, pool, reject(id, 'not yours'), [alice])
    const prepare = ({ publicKey }: TestOperator) =>
      prepareDecision(database.db, pool, reject(id, 'stolen'), { publicKey })
    expect(await prepare(bob)).toMatchObject({ error: expect.stringContaining('what you typed differs') })
    expect(await prepare(alice)).toMatchObject({
      error: expect.stringMatching(/You have begun (\d+) .*lode decision withdraw \1, or add --new/),
    })
  })
})

describe('an attacker who can write decisions and has no operator key', () => {
  const rejection = (id: string): Proposal => proposeRejection(id, { symbol: 'USDT', amount: '7000000', address }, 'no')
  let thief: ReturnType<typeof connectAttacker>
  beforeAll(() => {
    thief = connectAttacker(database)
  })
  afterAll(() => thief.close())

  it.each([
    ['with another number', 'last.number + 2', 'sha256(last.hash || convert_to(body, $$UTF8$$))'],
    ['with another hash', 'last.number + 1', 'sha256(convert_to(body, $$UTF8$$))'],
  ])('cannot add a link %s', async (_what, number, hash) => {
    const [id] = await thief.insertForgedDecisions({ subject: 'operators', verb: 'add', by: [alice, bob] })
    const inserted = sql`
      insert into lode.operator_link (number, decision_id, hash) select ${sql.raw(number)}, id, ${sql.raw(hash)}
      from lode.decision, (select number, hash from lode.operator_link order by number desc limit 1) as last
      where id = ${id}`.execute(thief.db)
    await expect(inserted).rejects.toThrow('this is no link after')
  })

  it('cannot add a link without two signatures', async () => {
    await expect(thief.insertForgedLink([alice])).rejects.toThrow('this is no link after')
  })

  it.each(["'infinity'", "lode.now() + interval '401 days'"])(
    'cannot store a decision that expires at %s',
    async (expiry) => {
      const inserted = sql`
      insert into lode.decision (subject, verb, body, expires_at)
      values (${PAYOUTS_SUBJECT}, 'pause', 'until then', ${sql.raw(expiry)})`.execute(thief.db)
      await expect(inserted).rejects.toThrow('check constraint')
    },
  )

  it('can suspend decisions that pay with an invalid link, but none that holds money back', async () => {
    const [approved, rejected, later] = [newTransfer(), newTransfer(), newTransfer()]
    await signInTurn(database.db, pool, approval(approved), [alice, bob])
    await signInTurn(database.db, pool, rejection(rejected), [alice, bob])
    await thief.insertForgedLink([alice, bob])
    const operators = createOperators({ ...pool, ceremony })
    expect(Array.from((await operators.findDoubts(database.db, [PAYOUTS_SUBJECT])).values())).toEqual([
      expect.stringContaining('the operator chain does not verify: link 5'),
    ])
    expect(await countSigners(approved)).toEqual([])
    expect(await countSigners(rejected)).toEqual(['alice', 'bob'])
    expect(await signAs(database.db, pool, approval(later), alice)).toContain('lode operator repair')
    await signInTurn(database.db, pool, rejection(later), [alice, bob])
    expect(await countSigners(later)).toEqual(['alice', 'bob'])

    expect(await removeInvalidDecisions(thief.db, pool)).toMatchObject({
      error: expect.stringContaining('Only the owner'),
    })
    expect(await removeInvalidDecisions(database.db, { ...pool, chainId: 1 })).toMatchObject({
      error: expect.stringContaining('Even the first link is invalid'),
    })
    expect(await removeInvalidDecisions(database.db, pool)).toMatchObject({ value: { links: 1 } })
    expect(await operators.findDoubts(database.db, [PAYOUTS_SUBJECT])).toEqual(new Map())
    expect(await countSigners(approved)).toEqual(['alice', 'bob'])
    await expect(sql`delete from lode.operator_link`.execute(database.db)).rejects.toThrow('what was written stays')
  })

  it('can block an operator’s signature only until the repair', async () => {
    const id = newTransfer()
    await signInTurn(database.db, pool, approval(id), [alice])
    await sql`
      insert into lode.decision_signature (decision_id, place, operator, signature)
      select id, 2, ${Buffer.from(bob.publicKey, 'hex')}, ${Buffer.alloc(64)}
      from lode.decision where subject = ${`transfer:${id}`}`.execute(thief.db)
    await expect(signAs(database.db, pool, approval(id), bob)).rejects.toThrow(
      'decision_signature_decision_id_operator_key',
    )
    expect(await removeInvalidDecisions(database.db, pool)).toMatchObject({
      value: { links: 0, decisions: 0, signatures: 1 },
    })
    expect(await signAs(database.db, pool, approval(id), bob)).toBe(2)
    expect(await countSigners(id)).toEqual(['alice', 'bob'])
  })

  it('cannot stop a decision with a text that PostgreSQL cannot convert', async () => {
    const body = '{"evidence":"\\u0000"}'
    await sql`
      insert into lode.decision (subject, verb, body, expires_at)
      values ('pay:1', 'pay', ${body}, lode.now() + interval '1 year')`.execute(thief.db)
    await sql`
      insert into lode.decision_signature (decision_id, place, operator, signature)
      values (lode.id_of_decision(${body}), 1, ${Buffer.from(alice.publicKey, 'hex')}, ${Buffer.alloc(64)})`.execute(
      thief.db,
    )
    expect(await readOpenDecisions(thief.db, pool, { verb: 'pay' })).toMatchObject({
      open: [{ purpose: '(unreadable)' }],
      isCut: false,
    })
    expect(await signAs(thief.db, pool, rejection(newTransfer()), bob)).toBe(1)
    expect(await signAs(thief.db, pool, approval(newTransfer()), bob)).toBe(1)
    expect(await removeInvalidDecisions(database.db, pool)).toMatchObject({ value: { decisions: 1 } })
    expect((await readOpenDecisions(thief.db, pool, { verb: 'pay' })).open).toEqual([])
  })

  it('cannot stop a rejection with a false withdrawal', async () => {
    const id = newTransfer()
    await signInTurn(database.db, pool, rejection(id), [alice])
    const { rows } = await sql<{ id: bigint; hash: string }>`
      select id, encode(body_hash, 'hex') as hash from lode.decision
      where subject = ${`transfer:${id}`}`.execute(database.db)
    const body = `{"text":"${rows[0]?.hash}"}`
    await sql`
      insert into lode.decision (subject, verb, body, expires_at)
      values (${`decision:${rows[0]?.id}`}, 'withdraw', ${body}, lode.now() + interval '1 day')`.execute(thief.db)
    await sql`
      insert into lode.decision_signature (decision_id, place, operator, signature)
      values (lode.id_of_decision(${body}), 1, ${Buffer.from(alice.publicKey, 'hex')}, ${Buffer.alloc(64)})`.execute(
      thief.db,
    )
    expect(await signAs(thief.db, pool, rejection(id), bob)).toBe(1)
    expect(await countSigners(id)).toEqual(['alice', 'bob'])
    await removeInvalidDecisions(database.db, pool)
  })

  it('cannot hide an open decision behind a flood without a warning', async () => {
    await thief.insertForgedDecisions({ subject: 'proof', verb: 'prove-again', by: [alice], count: 1_000 })
    expect(await readOpenDecisions(thief.db, pool)).toMatchObject({ isCut: true })
    await removeInvalidDecisions(database.db, pool)
    expect(await readOpenDecisions(thief.db, pool)).toMatchObject({ isCut: false })
  })

  it('can stop payments with a flood of decisions, of which only the newest are read', async () => {
    const id = newTransfer()
    await signInTurn(database.db, pool, approval(id), [alice])
    await thief.insertForgedDecisions({ subject: `transfer:${id}`, verb: 'approve', by: [alice, bob], count: 2_000 })
    expect(await readStoredDecisions(database.db, [`transfer:${id}`], [alice.operator])).toHaveLength(200)
    expect(await countSigners(id)).toEqual([])
    const doubts = await createOperators({ ...pool, ceremony }).findDoubts(database.db, [
      `transfer:${id}`,
      PAYOUTS_SUBJECT,
    ])
    expect(Array.from(doubts.keys())).toEqual([`transfer:${id}`])
    await removeInvalidDecisions(database.db, pool)
    expect(await countSigners(id)).toEqual(['alice'])
  })
})
