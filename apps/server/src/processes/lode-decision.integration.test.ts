import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post, type Transaction } from '../modules/ledger/index.ts'
import { removeInvalidDecisions } from '../modules/operators/index.ts'
import { bytesOf } from '../platform/chain/hex-column.ts'
import { connectDatabase, type Database, type DatabaseConnection } from '../platform/db/database.ts'
import { startTestApi, type TestApi, testPool } from '../testing/api.ts'
import { withoutCauseChecks } from '../testing/cause-checks.ts'
import { createTestClock } from '../testing/clock.ts'
import { registerMember } from '../testing/member.ts'
import { createOperatorCommands, type OperatorCommands } from '../testing/operator-commands.ts'
import { EXAMPLE_PLAN_FILE } from '../testing/plan.ts'
import { createTestWallet } from '../testing/wallet.ts'
import { describeFailure } from './lode/describe-failure.ts'

/** What operators see of decisions that need another signature, each at their own command line. */

let api: TestApi
let operators: OperatorCommands
beforeAll(async () => {
  api = await startTestApi()
  operators = await createOperatorCommands(api, ['alice', 'bob', 'carol'])
  await fundMining()
}, 120_000)
afterAll(async () => {
  operators.close()
  await api.close()
})

const as: OperatorCommands['as'] = (...words) => operators.as(...words)
const sign: OperatorCommands['sign'] = (...words) => operators.sign(...words)

async function fundMining(): Promise<void> {
  const worker = connectDatabase(api.database.urlOf('lode_worker'), { name: 'decision test', max: 1 })
  const moves = [{ asset: 'USDT', amount: 9_000_000_000n, from: 'custody:vault', to: 'pool:mining' }]
  const funding = { type: 'promotionPaid', key: `chain:31337:0x${'11'.repeat(32)}:0`, moves } as unknown as Transaction
  await withoutCauseChecks(api.db, () => post(worker.db, [funding]))
  await worker.close()
}

async function countDecisions(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from lode.decision`.execute(api.db)
  return rows[0]?.count ?? 0
}

/** Everything that the operators' role can read about decisions, and everything that the commands print. */
async function readEverything(): Promise<string> {
  const operator = connectDatabase(api.database.urlOf('lode_operator'), { name: 'decision test', max: 1 })
  const tables = [
    sql`select * from lode.decision`,
    sql`select * from lode.treasury_address`,
    sql`select * from lode.half_signed_payments(null, array(select operator from lode.decision_signature))`,
  ]
  const dumps: string[] = []
  for (const statement of tables) dumps.push(JSON.stringify((await statement.execute(operator.db)).rows, asText))
  await operator.close()
  const commands = [
    ['decision', 'list'],
    ['decision', 'list', '--open'],
    ['treasury', 'list'],
    ['suspense', 'list'],
  ]
  for (const words of commands) dumps.push(await as('bob', ...words), await as('bob', ...words, '--json'))
  const { open } = JSON.parse(await as('bob', 'decision', 'list', '--json'))
  for (const { id } of open)
    dumps.push(await as('bob', 'decision', 'show', id), await as('bob', 'decision', 'show', id, '--json'))
  return dumps.join('\n').toLowerCase()
}

const asText = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

/** Stores payments of the treasury that are paid already, without their postings. */
async function storePaid({ amount, address, times }: { amount: number; address: string; times: number }) {
  const storeOne = (trx: Database) => {
    const id = randomUUID()
    const terms = { verb: 'pay', from: 'pool:mining', symbol: 'USDT', amount: String(amount), address, evidence: id }
    return sql`
      with decided as (
        insert into lode.decision (subject, verb, body, expires_at)
        values (${id}, 'pay', ${JSON.stringify(terms)}, lode.now() + interval '1 day') returning id
      ), signed as (
        insert into lode.decision_signature (decision_id, place, operator, signature)
        select id, place, sha256(place::text::bytea), sha512(place::text::bytea) from decided, generate_series(1, 2) as place
      ), done as (insert into lode.decision_outcome (decision_id) select id from decided)
      insert into lode.payout (id, kind, asset, amount, address, paid_from, purpose, decision_id, decision_place,
                               ended, ended_at, paid_tx, paid_log_index, paid_at)
      select ${id}, 'treasury', 'USDT', ${amount}, ${bytesOf(address as Hex)}, 'pool:mining', ${id}, id, 2,
             'final', lode.now(), sha256(${id}::bytea), 0, lode.now() from decided`.execute(trx)
  }
  await withoutCauseChecks(api.db, () =>
    api.db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx)
      for (let time = 0; time < times; time += 1) await storeOne(trx)
    }),
  )
}

async function openId(purpose: string): Promise<string> {
  const { open } = JSON.parse(await as('bob', 'decision', 'list', '--open', '--json'))
  return open.find((decision: { purpose: string }) => decision.purpose === purpose)?.id ?? 'none'
}

describe('a half-signed decision about the pool’s money', { timeout: 180_000 }, () => {
  const address = createTestWallet().account

  it('shows kind, signer and purpose of a listed address, and never the address', async () => {
    await sign('alice', 'treasury', 'address', address, 'the hosting company')
    const seen = await readEverything()
    expect(seen).not.toContain(address.slice(2).toLowerCase())
    for (const words of ['list an address', 'signed by alice', 'the hosting company']) expect(seen).toContain(words)

    const before = await countDecisions()
    await expect(sign('bob', 'treasury', 'address', createTestWallet().account)).rejects.toThrow(
      /Nothing was signed.*differs.*signed by alice: the hosting company.*--new/s,
    )
    expect(await countDecisions()).toBe(before)
    expect(await sign('bob', 'treasury', 'address', address)).toContain('Signed by alice and bob')
    await createTestClock(api.db).advance(49 * 3600)
    expect(await as('bob', 'treasury', 'list')).toContain(address)
  })

  it('shows no amount of a payment, and a difference stops the second operator', async () => {
    await sign('alice', 'treasury', 'pay', 'pool:mining', '1234.567', address, 'Invoice 17')
    const seen = await readEverything()
    for (const amount of ['1234567000', '1234.567', '"1234']) expect(seen).not.toContain(amount)
    expect(seen).toContain('pay from the treasury: invoice 17')

    const before = await countDecisions()
    const pay = (amount: string, ...others: string[]) =>
      sign('bob', 'treasury', 'pay', 'pool:mining', amount, address, ...others)
    await expect(pay('1234.568', 'Invoice 17')).rejects.toThrow('what you typed differs')
    await expect(pay('1234.567', 'Invoice 18')).rejects.toThrow('what you typed differs')
    expect(await countDecisions()).toBe(before)
    expect(await pay('1234.567', 'invoice  17')).toContain('Signed by alice and bob')
    expect(await countDecisions()).toBe(before)
    expect(await as('bob', 'treasury', 'list')).toContain('1234.567 USDT')
  })

  it('is refused if the same was paid before, or will be, unless the operator says again', async () => {
    const pay = (...others: string[]) => sign('bob', 'treasury', 'pay', 'pool:mining', '1234.567', address, ...others)
    const before = await countDecisions()
    await expect(pay('Invoice 17')).rejects.toThrow(/The same payment exists already.*invoice 17.*--again/is)
    const fromElsewhere = sign('bob', 'treasury', 'pay', 'pool:liquidity', '1234.567', address, 'Invoice 17')
    await expect(fromElsewhere).rejects.toThrow(/The same payment exists already.*pool:mining/s)
    expect(await countDecisions()).toBe(before)
    expect(await pay('Invoice 18', '--again')).toContain('You are the first to sign it')
    await sign('bob', 'decision', 'withdraw', await openId('Invoice 18'))
  })

  it('is refused however many payments came after the same one', async () => {
    const pay = () => sign('bob', 'treasury', 'pay', 'pool:mining', '0.5', address, 'Invoice 19')
    await storePaid({ amount: 500_000, address, times: 1 })
    await storePaid({ amount: 700_000, address, times: 120 })
    await expect(pay()).rejects.toThrow('The same payment exists already')
  })

  it('is begun anew beside another one only if the operator says so', async () => {
    await sign('alice', 'treasury', 'pay', 'pool:mining', '20', address, 'Invoice 20')
    const other = ['treasury', 'pay', 'pool:mining', '21', address, 'Invoice 21']
    await expect(sign('bob', ...other)).rejects.toThrow('what you typed differs')
    expect(await sign('bob', ...other, '--new')).toMatch(
      /Signed by bob as decision (\d+)\. It takes another operator: .*\. lode decision withdraw \1 takes it back\./,
    )
    expect(await sign('alice', 'treasury', 'pay', 'pool:mining', '21', address)).toContain('Signed by bob and alice')
  })

  it('is withdrawn by its first signer only, and then nobody can sign it', async () => {
    const id = await openId('Invoice 20')
    await expect(sign('bob', 'decision', 'withdraw', id)).rejects.toThrow('Only alice can withdraw it')
    expect(await sign('alice', 'decision', 'withdraw', id)).toContain('It is withdrawn')
    expect(await openId('Invoice 20')).toBe('none')
    const operator = connectDatabase(api.database.urlOf('lode_operator'), { name: 'decision test', max: 1 })
    const signature = sql`
      insert into lode.decision_signature (decision_id, place, operator, signature)
      values (${id}, 2, decode(repeat('22', 32), 'hex'), decode(repeat('22', 64), 'hex'))`
    await expect(signature.execute(operator.db)).rejects.toThrow('is withdrawn')
    await operator.close()
    await expect(sign('bob', 'treasury', 'pay', 'pool:mining', '20', address)).rejects.toThrow(
      'Nothing waits for your signature here, so you would be the first to sign: give a note',
    )
    expect(await sign('bob', 'treasury', 'pay', 'pool:mining', '20', address, 'Invoice 20')).toContain(
      'You are the first to sign it',
    )
    await sign('bob', 'decision', 'withdraw', await openId('Invoice 20'))
  })
})

const listedAddress = createTestWallet().account
const pay = (name: string, amount: string, ...others: string[]) =>
  sign(name, 'treasury', 'pay', 'pool:mining', amount, listedAddress, ...others)

/** What somebody can store who has the password of `lode_operator`, but no key. */
describe('a false row beside a half-signed payment', { timeout: 180_000 }, () => {
  const keyOf = (name: string): Buffer => Buffer.from(operators.keys[name]?.split('=')[1] ?? '', 'hex')
  let thief: DatabaseConnection
  beforeAll(async () => {
    thief = connectDatabase(api.database.urlOf('lode_operator'), { name: 'thief', max: 1 })
    for (const name of ['alice', 'bob']) await sign(name, 'treasury', 'address', listedAddress, 'the lawyers')
    await createTestClock(api.db).advance(49 * 3600)
  }, 60_000)
  afterAll(() => thief.close())

  const addFalseSignature = (trx: Database, id: string, place: number, operator: Buffer) =>
    sql`
      insert into lode.decision_signature (decision_id, place, operator, signature)
      values (${id}, ${place}, ${operator}, decode(repeat('22', 64), 'hex'))`.execute(trx)

  async function addFalseWithdrawal(id: string, body: string): Promise<void> {
    await sql`
      insert into lode.decision (subject, verb, body, expires_at)
      values (${`decision:${id}`}, 'withdraw', ${body}, lode.now() + interval '1 day')`.execute(thief.db)
    const { rows } = await sql<{ id: string }>`select lode.id_of_decision(${body})::text as id`.execute(thief.db)
    await addFalseSignature(thief.db, rows[0]?.id ?? '', 1, keyOf('alice'))
  }

  it('does not show the text to the transaction that stored a false second signature', async () => {
    await pay('alice', '41', 'Invoice 41')
    const id = await openId('Invoice 41')
    const seen = thief.db.transaction().execute(async (trx) => {
      await addFalseSignature(trx, id, 2, Buffer.alloc(32, 2))
      const { rows } = await sql`select body from lode.decision where id = ${id}`.execute(trx)
      throw new Error(`rolled back, ${rows.length} rows`)
    })
    await expect(seen).rejects.toThrow('rolled back, 0 rows')
  })

  it('does not hide the payment: the second operator still signs the same one', async () => {
    const id = await openId('Invoice 41')
    await addFalseSignature(thief.db, id, 2, Buffer.alloc(32, 3))
    expect(await openId('Invoice 41')).toBe(id)
    expect(await pay('bob', '41')).toContain('Signed by alice and bob')
    expect(await openId('Invoice 41')).toBe('none')
  })

  it('withdraws nothing in advance, and a false withdrawal is reported and removed by the repair', async () => {
    const { rows } = await sql<{ next: string }>`
      select (nextval(pg_get_serial_sequence('lode.decision', 'id')) + 2)::text as next`.execute(api.db)
    await addFalseWithdrawal(rows[0]?.next ?? '', '{"text":"in advance"}')
    await pay('alice', '42', 'Invoice 42')
    const id = await openId('Invoice 42')
    expect(id).toBe(rows[0]?.next)
    expect(await as('bob', 'decision', 'list', '--open')).not.toContain('CANNOT BE SIGNED')
    const { rows: hashes } = await sql<{ hash: string }>`
      select encode(body_hash, 'hex') as hash from lode.decision where id = ${id}`.execute(api.db)
    await addFalseWithdrawal(id, `{"text":"${hashes[0]?.hash}"}`)
    expect(await as('bob', 'decision', 'list', '--open')).toContain('CANNOT BE SIGNED')
    await expect(pay('bob', '42')).rejects.toThrow(/did not sign.*lode operator repair/)
    await removeInvalidDecisions(api.db, testPool())
    expect(await pay('bob', '42')).toContain('Signed by alice and bob')
  })
})

describe('a half-signed payment of one’s own', { timeout: 180_000 }, () => {
  it('is named to the operator who began it before another one begins', async () => {
    await pay('alice', '43', 'Invoice 43')
    const id = await openId('Invoice 43')
    await expect(pay('alice', '44', 'Invoice 44')).rejects.toThrow(`You have begun ${id} with other terms`)
    expect(await pay('alice', '44', 'Invoice 44', '--new')).toContain('You are the first to sign it')
    for (const invoice of ['Invoice 43', 'Invoice 44'])
      await sign('alice', 'decision', 'withdraw', await openId(invoice))
  })
})

describe('a withdrawn decision', { timeout: 180_000 }, () => {
  it('is shown as withdrawn, and one that is complete cannot be withdrawn', async () => {
    await sign('alice', 'proof', 'again', 'a mistake')
    const id = await openId('a mistake')
    await sign('alice', 'decision', 'withdraw', id)
    expect(await as('bob', 'decision', 'show', id)).toMatch(/\n {4}Withdrawn\n/)
    expect(await as('bob', 'decision', 'list')).toContain('It counts: nobody can sign the decision that it withdraws')
    await sign('alice', 'proof', 'again', 'a new node')
    const complete = await openId('a new node')
    await sign('bob', 'proof', 'again')
    await expect(sign('alice', 'decision', 'withdraw', complete)).rejects.toThrow('does not wait for another signature')
  })
})

describe('lode decision list', { timeout: 180_000 }, () => {
  it('has every kind of half-signed decision, with its first signer and its expiry', async () => {
    const member = (await registerMember(api)).wallet.account
    await sign('bob', 'transfer', 'pause', '2', 'a drill')
    const begun = [
      ['operator', 'add', operators.keys.carol ?? ''],
      ['transfer', 'resume', 'the drill is over'],
      ['account', 'disable', member, 'asked for by mail'],
      ['plan', 'publish', EXAMPLE_PLAN_FILE],
      ['proof', 'again', 'after an incident'],
    ]
    for (const words of begun) await sign('alice', ...words)
    const { open } = JSON.parse(await as('bob', 'decision', 'list', '--open', '--json'))
    expect(open.map(({ verb }: { verb: string }) => verb).toSorted()).toEqual(
      ['add', 'disable', 'prove-again', 'publish', 'resume'].toSorted(),
    )
    for (const { signers, expiresAt } of open) {
      expect(signers).toEqual(['alice'])
      expect(Date.parse(expiresAt)).toBeGreaterThan(0)
    }
    const printed = await as('bob', 'decision', 'list')
    for (const words of [
      'add an operator (carol)\n',
      'publish a plan (1)\n',
      'let the signer prove everything again: ',
    ])
      expect(printed).toContain(words)
    await expect(sign('bob', 'proof', 'again', 'another reason')).rejects.toThrow(
      /let the signer prove everything again, signed by alice: after an incident/,
    )
    await expect(sign('alice', 'correct', 'fund', 'USDT', '5', 'why')).rejects.toThrow('No USDT is missing.')
    expect(printed).toMatch(/resume payouts.*the drill is over\n\s+signed by alice on .* UTC, expires on .* UTC/)
    await expect(sign('bob', 'transfer', 'resume', 'another reason')).rejects.toThrow('what you typed differs')
    expect(await sign('bob', 'transfer', 'resume', 'The drill is over')).toContain('Signed by alice and bob')
  })
})

describe('every list', { timeout: 180_000 }, () => {
  it.each([
    ['status'],
    ['chain', 'status'],
    ['operator', 'list'],
    ['plan', 'list'],
    ['day', 'list'],
    ['transfer', 'list'],
    ['treasury', 'list'],
    ['correct', 'list'],
    ['suspense', 'list'],
    ['expert', 'list'],
    ['partner', 'list'],
    ['decision', 'list'],
    ['vault', 'announcements'],
  ])('is one JSON value with --json: %s %s', async (...words) => {
    const data = JSON.parse(await as('bob', ...words, '--json'))
    expect(Object.keys(data).length).toBeGreaterThan(0)
    expect(data).not.toHaveProperty('message')
    expect(await as('bob', ...words)).not.toMatch(/^\s*\{|\d{4}-\d{2}-\d{2}T/)
  })

  it('that only the owner may see is refused to an operator in words', async () => {
    const failure = await as('bob', 'audit').catch((error: unknown) => describeFailure(error))
    expect(failure).toContain('The role in DATABASE_URL may not do this.')
  })
})
