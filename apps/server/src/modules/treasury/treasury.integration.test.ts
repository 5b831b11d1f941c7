import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type Database } from '../../platform/db/database.ts'
import { decideBy, signAs, testOperator } from '../../testing/operators.ts'
import { openThief } from '../../testing/thief.ts'
import { isReserved } from '../custody/index.ts'
import { audit, suspenseOf, systemBalances } from '../ledger/index.ts'
import type { Question } from '../operators/index.ts'
import { changeQuestion, takeOutNonsense } from '../operators/index.ts'
import { type PayoutRow, readPayouts, type Verdict } from '../payout/index.ts'
import { judgeTreasury } from './judge.ts'
import { listings, listPublicPayments, payments } from './queries.ts'
import { newAddress, openTreasury, type Treasury } from './testing/treasury.ts'

let treasury: Treasury
beforeAll(async () => {
  treasury = await openTreasury()
  await treasury.fund('pool:mining', 'USDT', 1_000n)
  await treasury.fund('reserve:mining', 'BTN', 1_000n)
})
afterAll(() => treasury.close())

const held = async () => {
  const balance = await systemBalances(treasury.owner)
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
  (await payments(treasury.owner, treasury.operators, 'pay')).flatMap(({ body, standing }) =>
    body.address === address && standing.state === 'refused' ? [standing.reason] : [],
  )

function made<V extends Question>(question: { ok: true; value: V } | { ok: false; error: string }): V {
  if (!question.ok) throw new Error(question.error)
  return question.value
}

describe('a payment from the pool’s own account', () => {
  it('is booked at the second signature, once, and may then be signed', async () => {
    const address = newAddress()
    await treasury.list(address)
    const before = await held()
    const question = await treasury.ask({ address, amount: 40n })
    await treasury.decide(question, [treasury.alice])
    expect(await treasury.apply()).toEqual({ done: 0, refused: 0, expired: 0 })
    await treasury.decide(await treasury.ask({ address, amount: 41n }), [treasury.bob])
    expect(await treasury.apply()).toMatchObject({ done: 0 })

    expect(await signAs(treasury.owner, treasury.pool, made(question), treasury.bob)).toBe(2)
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
    expect(await held()).toEqual({ ...before, mining: before.mining - 40n, paying: before.paying + 40n })
    expect(await verdictOn(payout)).toEqual({ kind: 'go' })
  })

  it('of the same terms, decided twice, is made twice', async () => {
    const address = newAddress()
    await treasury.list(address)
    await treasury.decide(await treasury.ask({ address }))
    await treasury.decide(await treasury.ask({ address }))
    expect(await treasury.apply()).toMatchObject({ done: 2 })
    expect(await payoutsTo(address)).toHaveLength(2)
  })

  it('never goes beyond what the account holds, and says so afterwards', async () => {
    const address = newAddress()
    await treasury.list(address)
    const { mining, ...others } = await held()
    expect(await treasury.ask({ address, amount: mining + 1n })).toMatchObject({
      error: 'There is less than that in pool:mining.',
    })
    await treasury.decide(await treasury.ask({ address, amount: mining }))
    await treasury.decide(await treasury.ask({ address, amount: mining, evidence: 'invoice 18' }))
    expect(await treasury.apply()).toEqual({ done: 1, refused: 1, expired: 0 })
    expect(await treasury.apply()).toEqual({ done: 0, refused: 0, expired: 0 })
    expect(await payoutsTo(address)).toHaveLength(1)
    expect(await held()).toEqual({ ...others, mining: 0n, paying: others.paying + mining })
    expect(await reasonsTo(address)).toEqual(['there is less than that in pool:mining'])
    await treasury.fund('pool:mining', 'USDT', 1_000n)
  })

  it('goes only to an address that two had listed 48 hours before', async () => {
    const address = newAddress()
    expect(await treasury.ask({ address })).toMatchObject({ error: expect.stringContaining('is not listed') })
    await treasury.list(address, { fresh: true })
    expect(await treasury.ask({ address })).toMatchObject({ error: expect.stringContaining('can be paid to from') })
    expect(await listings(treasury.owner, treasury.operators)).toContainEqual({
      address,
      note: 'the hosting company',
      payableFrom: expect.any(Date),
      until: expect.any(Date),
    })

    // Signed by operators who do not check whether it can be carried out.
    const [old, fresh, unlisted] = [newAddress(), newAddress(), newAddress()]
    await treasury.list(old)
    const question = made(await treasury.ask({ address: old }))
    await treasury.list(fresh, { fresh: true })
    for (const to of [fresh, unlisted]) {
      const forged = { ...question, terms: { ...question.terms, address: to } }
      await decideBy(treasury.owner, treasury.pool, forged, [treasury.alice, treasury.bob])
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

  it('goes from no other account', async () => {
    const address = newAddress()
    await treasury.list(address)
    await treasury.fund('reserve:airdrop', 'BTN', 9n)
    const question = made(await treasury.ask({ address, from: 'reserve:mining', symbol: 'BTN' }))
    expect(await treasury.ask({ address, from: 'reserve:mining', symbol: 'USDT' })).toMatchObject({ ok: false })
    for (const from of ['reserve:airdrop', 'pool:paying', 'dividend:funded', 'available'])
      await decideBy(treasury.owner, treasury.pool, { ...question, terms: { ...question.terms, from } }, [
        treasury.alice,
        treasury.bob,
      ])
    expect(await treasury.apply()).toMatchObject({ done: 0, refused: 4 })
    expect(await reasonsTo(address)).toContain('reserve:airdrop is not an account that operators pay from')
    expect(await payoutsTo(address)).toEqual([])
  })

  it('goes back to its account when its decision expires unsigned', async () => {
    const address = newAddress()
    await treasury.list(address)
    const before = await held()
    await treasury.decide(await treasury.ask({ address, amount: 7n }))
    await treasury.apply()
    await treasury.clock.advance(14 * 86_400 + 1)
    const [unsigned] = await payoutsTo(address)
    expect(await verdictOn(unsigned)).toMatchObject({ kind: 'check' })
    await treasury.apply()
    expect(await payoutsTo(address)).toMatchObject([{ ended: 'cancelled' }])
    expect((await held()).mining).toBeGreaterThanOrEqual(before.mining)
    expect(await treasury.apply()).toEqual({ done: 0, refused: 0, expired: 0 })
    expect((await audit(treasury.owner)).findings).toEqual([])
  })
})

describe('what was paid from the pool’s own accounts', () => {
  it('is shown to anybody, page by page, with what for and where it stands', async () => {
    const [address, returned] = [newAddress(), newAddress()]
    await treasury.list(returned)
    await treasury.decide(await treasury.ask({ address: returned, amount: 3n, evidence: 'never mind' }))
    await treasury.apply()
    await treasury.clock.advance(14 * 86_400 + 1)
    await treasury.apply()
    await treasury.list(address)
    for (const amount of [1n, 2n]) {
      await treasury.decide(await treasury.ask({ address, amount, evidence: `invoice ${amount}` }))
      await treasury.apply()
    }
    // A payment with one signature is not decided, and returned suspense is not the pool's own money.
    await treasury.decide(await treasury.ask({ address, amount: 9n }), [treasury.alice])
    const stranger = newAddress()
    await treasury.suspend(stranger, 'USDT', 30n)
    await treasury.decide(await treasury.askReturn({ address: stranger, amount: 30n }))
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
  it('signs nothing that differs from what two operators signed', async () => {
    const address = newAddress()
    await treasury.list(address)
    await treasury.decide(await treasury.ask({ address, amount: 11n }))
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

  it('signs nothing to the pool’s own addresses, and nothing that one who is removed had signed', async () => {
    const address = newAddress()
    await treasury.list(address)
    const carol = testOperator('carol')
    await treasury.decide(await changeQuestion(treasury.owner, treasury.pool, 'add', carol.operator))
    await treasury.decide(await treasury.ask({ address, amount: 2n }), [treasury.alice, carol])
    await treasury.apply()
    const [payout] = await payoutsTo(address)
    expect(await verdictOn(payout)).toEqual({ kind: 'go' })

    await sql`insert into lode.pool_address values (${Buffer.from(address.slice(2), 'hex')}, 'cold', 1)`.execute(
      treasury.owner,
    )
    expect(await verdictOn(payout)).toEqual({ kind: 'check', what: 'its address is the pool’s own' })
    await sql`delete from lode.pool_address`.execute(treasury.owner)

    await treasury.decide(await changeQuestion(treasury.owner, treasury.pool, 'remove', carol.operator))
    expect(await verdictOn(payout)).toEqual({ kind: 'check', what: 'two operators have not signed it, or no longer' })
  })
})

describe('an address that is listed', () => {
  it('is nobody’s account, and a member’s is not listed', async () => {
    const { owner, contracts } = treasury
    const [listed, members] = [newAddress(), newAddress()]
    expect(await isReserved(owner, contracts, listed)).toBe(false)
    await treasury.list(listed, { fresh: true })
    expect(await isReserved(owner, contracts, listed)).toBe(true)
    await sql`insert into lode.member (account, invite_code, lang) values (${Buffer.from(members.slice(2), 'hex')}, '00000000', 'en')`.execute(
      owner,
    )
    await expect(treasury.list(members)).rejects.toThrow('is a member’s')
    await expect(treasury.list(contracts.vault)).rejects.toThrow('is the pool’s own')
  })
})

describe('whoever can write decisions down and has no key', () => {
  it('keeps no address from registering', async () => {
    const { database, owner, contracts, alice, bob } = treasury
    const thief = openThief(database)
    const address = newAddress()
    const subject = `treasury-address:${address.toLowerCase()}`
    const [id] = await thief.decide({ subject, verb: 'list', by: [alice, bob] })
    await sql`
      insert into lode.treasury_address (decision_id, address)
      values (${id}, ${Buffer.from(address.slice(2), 'hex')})`.execute(thief.db)
    expect(await isReserved(owner, contracts, address)).toBe(false)
    const listed = newAddress()
    await treasury.list(listed, { fresh: true })

    // While the operators' decisions cannot be verified, every address in the table stays reserved.
    await thief.link([alice, bob])
    expect([await isReserved(owner, contracts, address), await isReserved(owner, contracts, listed)]).toEqual([
      true,
      true,
    ])
    expect(await isReserved(owner, contracts, newAddress())).toBe(false)
    expect(await takeOutNonsense(owner, treasury.pool)).toMatchObject({ ok: true, value: { links: 1, decisions: 2 } })
    expect([await isReserved(owner, contracts, address), await isReserved(owner, contracts, listed)]).toEqual([
      false,
      true,
    ])
    await thief.close()
  })

  it('holds payments with a link that does not verify, which the worker tells, until it is taken out', async () => {
    const { database, owner, alice, bob } = treasury
    const address = newAddress()
    await treasury.list(address)
    await treasury.decide(await treasury.ask({ address, amount: 2n }))
    await treasury.apply()
    const [payout] = await payoutsTo(address)
    expect(await verdictOn(payout)).toEqual({ kind: 'go' })
    const thief = openThief(database)
    await thief.link([alice, bob])
    expect(await verdictOn(payout)).toMatchObject({ kind: 'check', what: expect.stringContaining('does not verify') })
    await expect(treasury.apply()).rejects.toThrow('the operators’ chain does not verify')
    await takeOutNonsense(owner, treasury.pool)
    expect(await verdictOn(payout)).toEqual({ kind: 'go' })
    await treasury.apply()
    await thief.close()
  })
})

describe('what came from an address that nobody registered', () => {
  it('goes back there and nowhere else, as much as there is', async () => {
    const address = newAddress()
    await treasury.suspend(address, 'USDT', 30n)
    const before = await held()
    expect(await treasury.askReturn({ address, amount: 31n })).toMatchObject({
      error: `Less than that waits for ${address}.`,
    })
    expect(await treasury.askReturn({ address: newAddress(), amount: 1n })).toMatchObject({ ok: false })
    await treasury.decide(await treasury.askReturn({ address, amount: 30n }))
    await treasury.decide(await treasury.askReturn({ address, amount: 20n }))
    expect(await treasury.apply()).toEqual({ done: 1, refused: 1, expired: 0 })
    const [payout] = await payoutsTo(address)
    expect(payout).toMatchObject({ kind: 'suspense', amount: 30n, address })
    expect(await verdictOn(payout)).toEqual({ kind: 'go' })
    expect(await suspenseOf(treasury.owner, address)).toEqual([])
    expect((await held()).returning).toBe(before.returning + 30n)

    await treasury.clock.advance(14 * 86_400 + 1)
    await treasury.apply()
    expect(await suspenseOf(treasury.owner, address)).toMatchObject([{ amount: 30n }])
    expect((await audit(treasury.owner)).findings).toEqual([])
  })
})

describe('a payment for which the books have put nothing aside', () => {
  it('is not signed', async () => {
    const address = newAddress()
    await treasury.list(address)
    const question = made(await treasury.ask({ address, from: 'reserve:mining', symbol: 'BTN', amount: 3n }))
    await decideBy(treasury.owner, treasury.pool, question, [treasury.alice, treasury.bob])
    // As an attacker with the worker's role could: the row without its posting.
    await sql`
      select lode.make_payment(max(id)) from lode.decision where verb = 'pay'`.execute(treasury.worker)
    const [payout] = await payoutsTo(address)
    expect(await verdictOn(payout)).toMatchObject({ kind: 'check', what: expect.stringContaining('put aside') })

    // Money that was never set aside is not given back, and other decisions do not wait for this one.
    await treasury.clock.advance(14 * 86_400 + 1)
    await expect(treasury.apply()).rejects.toThrow('1 decisions could not be carried out')
    expect((await audit(treasury.owner)).findings).toEqual([])
  })
})
