import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type Database } from '../../platform/db/database.ts'
import { connectAttacker } from '../../testing/attacker-fixture.ts'
import { withoutCauseChecks } from '../../testing/cause-checks.ts'
import { createTestOperator, signAs, signInTurn } from '../../testing/operators.ts'
import { countReversible } from '../../testing/reversible-postings.ts'
import { isReservedAddress } from '../custody/index.ts'
import { audit, readSuspense, readSystemBalances } from '../ledger/index.ts'
import type { Proposal } from '../operators/index.ts'
import { proposeOperatorChange, removeInvalidDecisions } from '../operators/index.ts'
import { type PayoutRow, readPayouts, type Verdict } from '../payout/index.ts'
import { judgeTreasury } from './judge-treasury.ts'
import { listPublicPayments, readListings, readPayments } from './queries.ts'
import { createTreasuryFixture, newAddress, type TreasuryFixture } from './testing/treasury-fixture.ts'

let treasury: TreasuryFixture
beforeAll(async () => {
  treasury = await createTreasuryFixture()
  await treasury.fund('pool:mining', 'USDT', 1_000n)
  await treasury.fund('reserve:mining', 'BTN', 1_000n)
})
afterAll(() => treasury.close())

const readBalances = async () => {
  const balance = await readSystemBalances(treasury.owner)
  return {
    mining: balance('pool:mining', 'USDT'),
    paying: balance('pool:paying', 'USDT'),
    returning: balance('suspense:returning', 'USDT'),
  }
}

const payoutsTo = (address: string): Promise<PayoutRow[]> =>
  readPayouts(treasury.owner, sql`where address = ${Buffer.from(address.slice(2), 'hex')} order by number`)

async function verdictOn(payout: PayoutRow | undefined, db: Database = treasury.signer): Promise<Verdict | undefined> {
  if (!payout) throw new Error('there is no payout')
  const { operators, contracts } = treasury
  return (await judgeTreasury(db, [payout], { operators, contracts })).get(payout.id)
}

const reasonsTo = async (address: string): Promise<string[]> =>
  (await readPayments(treasury.owner, treasury.operators, 'pay')).flatMap(({ body, status }) =>
    body.address === address && status.state === 'refused' ? [status.reason] : [],
  )

function unwrap<V extends Proposal>(question: { ok: true; value: V } | { ok: false; error: string }): V {
  if (!question.ok) throw new Error(question.error)
  return question.value
}

describe('a payment from a pool account', () => {
  it('is posted once, at the second signature, and may then be signed by the signer', async () => {
    const address = newAddress()
    await treasury.list(address)
    const before = await readBalances()
    const question = await treasury.draftPayment({ address, amount: 40n })
    await treasury.decide(question, [treasury.alice])
    expect(await treasury.apply()).toEqual({ done: 0, refused: 0, expired: 0 })
    const mistyped = unwrap(await treasury.draftPayment({ address, amount: 41n }))
    expect(await signAs(treasury.owner, treasury.pool, mistyped, treasury.bob)).toContain('what you typed differs')
    expect(await treasury.apply()).toMatchObject({ done: 0 })

    expect(await signAs(treasury.owner, treasury.pool, unwrap(question), treasury.bob)).toBe(2)
    const applied = await Promise.all([treasury.apply(), treasury.apply(), treasury.apply()])
    expect(applied.every(({ refused }) => refused === 0)).toBe(true)
    const [payout, ...others] = await payoutsTo(address)
    expect(others).toEqual([])
    expect(payout).toMatchObject({
      kind: 'treasury',
      asset: 'USDT',
      amount: 40n,
      address,
      paidFrom: 'pool:mining',
      purpose: 'invoice 17',
    })
    expect(await readBalances()).toEqual({ ...before, mining: before.mining - 40n, paying: before.paying + 40n })
    expect(await verdictOn(payout)).toEqual({ kind: 'go' })
  })

  it('with the same terms as another decision is made too', async () => {
    const address = newAddress()
    await treasury.list(address)
    await treasury.decide(await treasury.draftPayment({ address }))
    await treasury.decide(await treasury.draftPayment({ address }))
    expect(await treasury.apply()).toMatchObject({ done: 2 })
    expect(await payoutsTo(address)).toHaveLength(2)
  })

  it('is refused with the reason if the account holds less', async () => {
    const address = newAddress()
    await treasury.list(address)
    const { mining, ...others } = await readBalances()
    expect(await treasury.draftPayment({ address, amount: mining + 1n })).toMatchObject({
      error: 'pool:mining has less USDT than this amount.',
    })
    await treasury.decide(await treasury.draftPayment({ address, amount: mining }))
    await treasury.decide(await treasury.draftPayment({ address, amount: mining, evidence: 'invoice 18' }))
    expect(await treasury.apply()).toEqual({ done: 1, refused: 1, expired: 0 })
    expect(await treasury.apply()).toEqual({ done: 0, refused: 0, expired: 0 })
    expect(await payoutsTo(address)).toHaveLength(1)
    expect(await readBalances()).toEqual({ ...others, mining: 0n, paying: others.paying + mining })
    expect(await reasonsTo(address)).toEqual(['less than this amount is in pool:mining'])
    await treasury.fund('pool:mining', 'USDT', 1_000n)
  })

  it('goes only to an address that two operators listed 48 hours before', async () => {
    const address = newAddress()
    expect(await treasury.draftPayment({ address })).toMatchObject({ error: expect.stringContaining('is not listed') })
    await treasury.list(address, { fresh: true })
    expect(await treasury.draftPayment({ address })).toMatchObject({
      error: expect.stringContaining('can be paid to from'),
    })
    expect(await readListings(treasury.owner, treasury.operators)).toContainEqual({
      address,
      note: 'the hosting company',
      payableFrom: expect.any(Date),
      until: expect.any(Date),
    })

    // Signed by operators who do not check whether it can be carried out.
    const [old, fresh, unlisted] = [newAddress(), newAddress(), newAddress()]
    await treasury.list(old)
    const question = unwrap(await treasury.draftPayment({ address: old }))
    await treasury.list(fresh, { fresh: true })
    for (const to of [fresh, unlisted]) {
      const forged = { ...question, terms: { ...question.terms, address: to } }
      await signInTurn(treasury.owner, treasury.pool, forged, [treasury.alice, treasury.bob])
    }
    expect(await treasury.apply()).toMatchObject({ done: 0, refused: 2 })
    expect(await reasonsTo(fresh)).toEqual([`${fresh} was listed less than 48 hours before`])
    expect(await reasonsTo(unlisted)).toEqual([`${unlisted} is not listed`])
    // The database refuses such a payment too, even if the worker asks for it.
    const { rows } = await sql<{ id: bigint }>`
      select id from lode.decision where body like ${`%${fresh}%`} and verb = 'pay'`.execute(treasury.owner)
    await sql`delete from lode.decision_outcome where decision_id = ${rows[0]?.id}`.execute(treasury.owner)
    const answer = await sql`select lode.make_payment(${rows[0]?.id}) as answer`.execute(treasury.worker)
    expect(answer.rows).toEqual([{ answer: 'unlisted' }])
    expect(await payoutsTo(fresh)).toEqual([])
  })

  it('cannot be made from any other account', async () => {
    const address = newAddress()
    await treasury.list(address)
    await treasury.fund('reserve:airdrop', 'BTN', 9n)
    const question = unwrap(await treasury.draftPayment({ address, from: 'reserve:mining', symbol: 'BTN' }))
    expect(await treasury.draftPayment({ address, from: 'reserve:mining', symbol: 'USDT' })).toMatchObject({
      ok: false,
    })
    for (const from of ['reserve:airdrop', 'pool:paying', 'dividend:funded', 'available'])
      await signInTurn(treasury.owner, treasury.pool, { ...question, terms: { ...question.terms, from } }, [
        treasury.alice,
        treasury.bob,
      ])
    expect(await treasury.apply()).toMatchObject({ done: 0, refused: 4 })
    expect(await reasonsTo(address)).toContain('reserve:airdrop is not an account that operators pay from')
    expect(await payoutsTo(address)).toEqual([])
  })

  it('goes back to its account if its decision expires before the signer signs', async () => {
    const address = newAddress()
    await treasury.list(address)
    const before = await readBalances()
    await treasury.decide(await treasury.draftPayment({ address, amount: 7n }))
    await treasury.apply()
    await treasury.clock.advance(14 * 86_400 + 1)
    const [unsigned] = await payoutsTo(address)
    expect(await verdictOn(unsigned)).toMatchObject({ kind: 'check' })
    await treasury.apply()
    expect(await payoutsTo(address)).toMatchObject([{ ended: 'cancelled' }])
    expect((await readBalances()).mining).toBeGreaterThanOrEqual(before.mining)
    expect(await treasury.apply()).toEqual({ done: 0, refused: 0, expired: 0 })
    expect((await audit(treasury.owner)).findings).toEqual([])
  })
})

describe('the public list of treasury payments', () => {
  it('has the purpose and the state of each payment, page by page', async () => {
    const [address, returned] = [newAddress(), newAddress()]
    await treasury.list(returned)
    await treasury.decide(await treasury.draftPayment({ address: returned, amount: 3n, evidence: 'never mind' }))
    await treasury.apply()
    await treasury.clock.advance(14 * 86_400 + 1)
    await treasury.apply()
    await treasury.list(address)
    for (const amount of [1n, 2n]) {
      await treasury.decide(await treasury.draftPayment({ address, amount, evidence: `invoice ${amount}` }))
      await treasury.apply()
    }
    // A payment with one signature is not decided, and returned suspense is not the pool's own money.
    await treasury.decide(await treasury.draftPayment({ address, amount: 9n }), [treasury.alice])
    const stranger = newAddress()
    await treasury.depositToSuspense(stranger, 'USDT', 30n)
    await treasury.decide(await treasury.draftReturn({ address: stranger, amount: 30n }))
    await treasury.apply()

    const asApi = connectDatabase(treasury.database.urlOf('lode_api'), { name: 'treasury test', max: 1 })
    const list = (before?: string) =>
      listPublicPayments(
        asApi.db,
        { limit: 2, ...(before === undefined ? {} : { before: BigInt(before) }) },
        { USDT: 6, BTN: 18, BTC: 8 },
      )
    const { items, next } = await list()
    const waiting = { from: 'pool:mining', symbol: 'USDT', address, state: 'waiting', paidAt: null, tx: null }
    expect(items).toMatchObject([
      { ...waiting, amount: '0.000002', purpose: 'invoice 2' },
      { ...waiting, amount: '0.000001', purpose: 'invoice 1' },
    ])
    const second = await list(next ?? '')
    expect(second.items[0]).toMatchObject({ purpose: 'never mind', state: 'returned', address: returned, tx: null })
    await asApi.close()
  })
})

describe('the signer', () => {
  it('signs no payment that differs from what two operators signed', async () => {
    const address = newAddress()
    await treasury.list(address)
    await treasury.decide(await treasury.draftPayment({ address, amount: 11n }))
    await treasury.apply()
    const [payout] = await payoutsTo(address)
    if (!payout) throw new Error('there is no payout')
    expect(await verdictOn(payout)).toEqual({ kind: 'go' })
    const changes: Partial<PayoutRow>[] = [
      { amount: 12n },
      { asset: 'BTN' },
      { address: newAddress() },
      { paidFrom: 'pool:operations' },
      { kind: 'suspense' },
      { decisionId: (payout.decisionId ?? 0n) - 1n },
      { id: '00000000-0000-4000-8000-000000000000' },
    ]
    for (const change of changes) expect(await verdictOn({ ...payout, ...change })).toMatchObject({ kind: 'check' })
  })

  it('signs no payment to the pool’s own addresses, and none with the signature of a removed operator', async () => {
    const address = newAddress()
    await treasury.list(address)
    const carol = createTestOperator('carol')
    await treasury.decide(await proposeOperatorChange(treasury.owner, treasury.pool, 'add', carol.operator))
    await treasury.decide(await treasury.draftPayment({ address, amount: 2n }), [treasury.alice, carol])
    await treasury.apply()
    const [payout] = await payoutsTo(address)
    expect(await verdictOn(payout)).toEqual({ kind: 'go' })

    await sql`insert into lode.pool_address values (${Buffer.from(address.slice(2), 'hex')}, 'cold', 1)`.execute(
      treasury.owner,
    )
    expect(await verdictOn(payout)).toEqual({ kind: 'check', problem: 'its address belongs to the pool' })
    await sql`delete from lode.pool_address`.execute(treasury.owner)

    await treasury.decide(await proposeOperatorChange(treasury.owner, treasury.pool, 'remove', carol.operator))
    expect(await verdictOn(payout)).toEqual({
      kind: 'check',
      problem: 'it does not have the signatures of two present operators',
    })
  })
})

describe('a listed address', () => {
  it('cannot register, and a member’s address cannot be listed', async () => {
    const { owner, contracts } = treasury
    const [listed, members] = [newAddress(), newAddress()]
    expect(await isReservedAddress(owner, contracts, listed)).toBe(false)
    await treasury.list(listed, { fresh: true })
    expect(await isReservedAddress(owner, contracts, listed)).toBe(true)
    await sql`insert into lode.member (account, invite_code, lang) values (${Buffer.from(members.slice(2), 'hex')}, '00000000', 'en')`.execute(
      owner,
    )
    await expect(treasury.list(members)).rejects.toThrow('is the address of a member')
    await expect(treasury.list(contracts.vault)).rejects.toThrow('belongs to the pool')
  })
})

describe('an attacker who can insert decisions but has no operator key', () => {
  it('cannot keep an address from registering', async () => {
    const { database, owner, contracts, alice, bob } = treasury
    const thief = connectAttacker(database)
    const address = newAddress()
    const subject = `treasury-address:${address.toLowerCase()}`
    const [id] = await thief.insertForgedDecisions({ subject, verb: 'list', by: [alice, bob] })
    await sql`
      insert into lode.treasury_address (decision_id, address)
      values (${id}, ${Buffer.from(address.slice(2), 'hex')})`.execute(thief.db)
    expect(await isReservedAddress(owner, contracts, address)).toBe(false)
    const listed = newAddress()
    await treasury.list(listed, { fresh: true })

    // While the operators' decisions cannot be verified, every address in the table stays reserved.
    await thief.insertForgedLink([alice, bob])
    expect([
      await isReservedAddress(owner, contracts, address),
      await isReservedAddress(owner, contracts, listed),
    ]).toEqual([true, true])
    expect(await isReservedAddress(owner, contracts, newAddress())).toBe(false)
    expect(await removeInvalidDecisions(owner, treasury.pool)).toMatchObject({
      ok: true,
      value: { links: 1, decisions: 2 },
    })
    expect([
      await isReservedAddress(owner, contracts, address),
      await isReservedAddress(owner, contracts, listed),
    ]).toEqual([false, true])
    await thief.close()
  })

  it('can hold payments with an invalid link, which the worker reports, until it is removed', async () => {
    const { database, owner, alice, bob } = treasury
    const address = newAddress()
    await treasury.list(address)
    await treasury.decide(await treasury.draftPayment({ address, amount: 2n }))
    await treasury.apply()
    const [payout] = await payoutsTo(address)
    expect(await verdictOn(payout)).toEqual({ kind: 'go' })
    const thief = connectAttacker(database)
    await thief.insertForgedLink([alice, bob])
    expect(await verdictOn(payout)).toMatchObject({
      kind: 'check',
      problem: expect.stringContaining('does not verify'),
    })
    await expect(treasury.apply()).rejects.toThrow('the operator chain does not verify')
    await removeInvalidDecisions(owner, treasury.pool)
    expect(await verdictOn(payout)).toEqual({ kind: 'go' })
    await treasury.apply()
    await thief.close()
  })
})

describe('suspense of an address that nobody registered', () => {
  it('can be returned only to that address, and only up to its amount', async () => {
    const address = newAddress()
    await treasury.depositToSuspense(address, 'USDT', 30n)
    const before = await readBalances()
    expect(await treasury.draftReturn({ address, amount: 31n })).toMatchObject({
      error: `The suspense of ${address} has less USDT than this amount.`,
    })
    expect(await treasury.draftReturn({ address: newAddress(), amount: 1n })).toMatchObject({ ok: false })
    await treasury.decide(await treasury.draftReturn({ address, amount: 30n }))
    await treasury.decide(await treasury.draftReturn({ address, amount: 20n }))
    expect(await treasury.apply()).toEqual({ done: 1, refused: 1, expired: 0 })
    const [payout] = await payoutsTo(address)
    expect(payout).toMatchObject({ kind: 'suspense', amount: 30n, address })
    expect(await verdictOn(payout)).toEqual({ kind: 'go' })
    expect(await readSuspense(treasury.owner, address)).toEqual([])
    expect((await readBalances()).returning).toBe(before.returning + 30n)

    await treasury.clock.advance(14 * 86_400 + 1)
    await treasury.apply()
    expect(await readSuspense(treasury.owner, address)).toMatchObject([{ amount: 30n }])
    expect(await countReversible(treasury.owner)).toMatchObject({ suspenseReturn: 0, suspenseReturnUndone: 0 })
    expect((await audit(treasury.owner)).findings).toEqual([])
  })
})

describe('a payment without money set aside in the ledger', () => {
  it('is not signed', async () => {
    const address = newAddress()
    await treasury.list(address)
    const question = unwrap(await treasury.draftPayment({ address, from: 'reserve:mining', symbol: 'BTN', amount: 3n }))
    await signInTurn(treasury.owner, treasury.pool, question, [treasury.alice, treasury.bob])
    // The row without its ledger transaction.
    const makePayment = sql`select lode.make_payment(max(id)) from lode.decision where verb = 'pay'`
    await expect(makePayment.execute(treasury.worker)).rejects.toThrow('is not in the ledger')
    await withoutCauseChecks(treasury.owner, () => makePayment.execute(treasury.worker))
    const [payout] = await payoutsTo(address)
    expect(await verdictOn(payout)).toMatchObject({ kind: 'check', problem: expect.stringContaining('put aside') })

    // Money that was never set aside is not given back, and other decisions do not wait for this one.
    await treasury.clock.advance(14 * 86_400 + 1)
    await expect(treasury.apply()).rejects.toThrow('1 decisions, expired payments or reversals failed')
    expect((await audit(treasury.owner)).findings).toEqual([])
  })
})
