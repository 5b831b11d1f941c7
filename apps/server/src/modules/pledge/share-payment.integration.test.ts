import { randomUUID } from 'node:crypto'
import { addDays } from '@lode/kernel'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/db/database.ts'
import { codeOf, post, readBalances, readSystemBalances, type Transaction } from '../ledger/index.ts'
import { pledgeFindings } from './check.ts'
import { dividendPosting, finalDividendPosting } from './postings.ts'
import { BTN, openPledgeFixture, type PledgeFixture, planWithShortTerms } from './testing/pledge-fixture.ts'

/** Ann and Ben have the same pledges, so each is due the same. The thief has none. */
const [ANN, BEN, THIEF] = [1, 2, 3]
const FUNDED = 4_000n
const OF_EACH_PLEDGE = 1_000n

let fixture: PledgeFixture
beforeAll(async () => {
  // A weight that divides every amount without a remainder.
  const plan = planWithShortTerms({ pledgeTerms: [{ days: 7, weight: 10_000 }] })
  fixture = await openPledgeFixture({ members: 3, clients: 8, plan })
  const day = addDays(fixture.firstDay, 1)
  await fixture.setTime(day, 9)
  for (const member of [ANN, BEN]) {
    await fixture.credit(member, 'BTN', 50_000n * BTN)
    for (let pledge = 0; pledge < 2; pledge += 1)
      expect(await fixture.pledge(member, 20_000n, 7)).toMatchObject({ type: 3 })
  }
  await fixture.fund(addDays(day, 1), FUNDED)
  await fixture.setTime(addDays(day, 2), 13)
  await fixture.close()
  expect(await payable()).toBe(FUNDED)
}, 60_000)
afterAll(() => fixture.end())

const payable = async () => (await readSystemBalances(fixture.owner))('dividend:payable', 'BTC')
const held = async (member: number) => (await readBalances(fixture.owner, BigInt(member))).BTC.available

async function pledgesOf(member: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from lode.pledge where member_id = ${member} order by id`.execute(fixture.owner)
  return rows.map(({ id }) => id)
}

const reward = (member: number, amount: bigint) => dividendPosting(randomUUID(), BigInt(member), amount)

const recordPayment = (trx: Database, ids: readonly string[], transaction: bigint | null, each = OF_EACH_PLEDGE) =>
  sql`
    select lode.pay_pledges(${ids}::uuid[], ${ids.map(() => String(each))}::numeric[],
                            ${ids.map(() => transaction && String(transaction))}::bigint[], false)`.execute(trx)

/** Acts as an attacker with the api's connection: posts any ledger transaction and records it for any pledges. */
const payAsAttacker = (transaction: Transaction, ...notedFor: readonly (readonly string[])[]) =>
  fixture.api.transaction().execute(async (trx) => {
    const [posted] = await post(trx, [transaction])
    if (posted?.outcome !== 'posted') throw new Error(`it was ${posted?.outcome}`)
    for (const ids of notedFor) await recordPayment(trx, ids, posted.transaction)
    return posted.transaction
  })

describe('an attacker with the api’s database role', { timeout: 60_000 }, () => {
  it('cannot pay out what others have not collected yet', async () => {
    const ofAnn = await pledgesOf(ANN)
    await expect(post(fixture.api, [reward(THIEF, FUNDED)])).rejects.toThrow('has no cause that explains it')
    await expect(post(fixture.api, [reward(THIEF, 1n)])).rejects.toThrow('has no cause that explains it')
    // A payment to a member who is due as much, without recording it.
    await expect(post(fixture.api, [reward(ANN, OF_EACH_PLEDGE)])).rejects.toThrow('has no cause that explains it')
    // Recorded as if it were Ann's, or as if it were Ben's as well.
    await expect(payAsAttacker(reward(THIEF, 2n * OF_EACH_PLEDGE), ofAnn)).rejects.toThrow('is not in the ledger')
    await expect(payAsAttacker(reward(ANN, 2n * OF_EACH_PLEDGE), await pledgesOf(BEN))).rejects.toThrow(
      'is not in the ledger',
    )
    const ofBoth = [...ofAnn, ...(await pledgesOf(BEN))]
    await expect(payAsAttacker(reward(ANN, FUNDED), ofBoth)).rejects.toThrow('is not in the ledger')
    // More than is recorded.
    await expect(payAsAttacker(reward(ANN, FUNDED), ofAnn)).rejects.toThrow('is not in the ledger')
    // Right in everything but the key, which is the key of an order that others will need.
    const underOtherKey = { ...reward(ANN, 2n * OF_EACH_PLEDGE), key: `order:${randomUUID()}:settle` } as Transaction
    await expect(payAsAttacker(underOtherKey, ofAnn)).rejects.toThrow('has no cause that explains it')
    // Or but the name of the log line, which the last dividend of the pledge will need.
    const key = `collect:${randomUUID()}`
    const underOtherName = { ...dividendPosting(ofAnn[0] ?? '', BigInt(ANN), 2n * OF_EACH_PLEDGE), key } as Transaction
    await expect(payAsAttacker(underOtherName, ofAnn)).rejects.toThrow('has no cause that explains it')
    expect([await payable(), await held(ANN), await held(THIEF)]).toEqual([FUNDED, 0n, 0n])
  })

  it('cannot record a payment that was not made', async () => {
    const [first = '', second = ''] = await pledgesOf(ANN)
    await expect(recordPayment(fixture.api, [first], null)).rejects.toThrow('is not in the ledger')
    await expect(recordPayment(fixture.api, [first], null, OF_EACH_PLEDGE + 1n)).rejects.toThrow('not entitled')
    // A transaction of another type, a deposit; and one that does not exist.
    const { rows } = await sql<{
      id: bigint
    }>`select max(id) as id from lode.ledger_transaction where type = ${codeOf('type.deposit')}`.execute(fixture.owner)
    for (const other of [rows[0]?.id ?? 0n, 1_000_000n])
      await expect(recordPayment(fixture.api, [first], other)).rejects.toThrow('is not in the ledger')
    // One payment for two pledges that are due the same.
    await expect(payAsAttacker(reward(ANN, OF_EACH_PLEDGE), [first], [second])).rejects.toThrow('share_payment_pkey')
    await expect(payAsAttacker(reward(ANN, OF_EACH_PLEDGE), [first, second])).rejects.toThrow('is not in the ledger')
    expect([await payable(), await held(ANN)]).toEqual([FUNDED, 0n])
  })

  it('cannot pay a member twice with concurrent calls', async () => {
    const ofAnn = await pledgesOf(ANN)
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, () => payAsAttacker(reward(ANN, 2n * OF_EACH_PLEDGE), ofAnn)),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect([await payable(), await held(ANN)]).toEqual([2n * OF_EACH_PLEDGE, 2n * OF_EACH_PLEDGE])

    // Later payments are refused too: in a new transaction, with the existing one, or by collecting.
    await expect(post(fixture.api, [reward(ANN, 1n)])).rejects.toThrow('has no cause that explains it')
    await expect(payAsAttacker(reward(ANN, 2n * OF_EACH_PLEDGE), ofAnn)).rejects.toThrow(
      'has no cause that explains it',
    )
    expect(await fixture.collect(ANN, randomUUID())).toBe(0n)
    const { rows } = await sql<{ transaction: bigint }>`select transaction from lode.share_payment`.execute(
      fixture.owner,
    )
    expect(rows).toHaveLength(1)
    await expect(recordPayment(fixture.api, await pledgesOf(BEN), rows[0]?.transaction ?? null)).rejects.toThrow(
      'is not in the ledger',
    )
    expect(await pledgeFindings(fixture.owner)).toEqual([])
  })
})

describe('an attacker with the worker’s database role', { timeout: 60_000 }, () => {
  it('cannot pay the final dividend of a pledge by itself', async () => {
    const [first = ''] = await pledgesOf(BEN)
    for (const member of [BEN, THIEF])
      await expect(post(fixture.worker, [finalDividendPosting(first, BigInt(member), OF_EACH_PLEDGE)])).rejects.toThrow(
        'has no cause that explains it',
      )
  })
})

it('after the attacks every member gets the exact amount that is due, and no day waits', async () => {
  const [first = ''] = await pledgesOf(BEN)
  // A part is paid now, and the rest automatically when the term is over.
  await payAsAttacker(reward(BEN, OF_EACH_PLEDGE), [first])
  await fixture.fund(addDays(fixture.firstDay, 3), FUNDED)
  await fixture.setTime(addDays(fixture.firstDay, 12), 13)
  expect(await fixture.close()).toContain(addDays(fixture.firstDay, 8))
  expect([await payable(), await held(ANN), await held(BEN), await held(THIEF)]).toEqual([...[0n, FUNDED, FUNDED, 0n]])
  expect(await pledgeFindings(fixture.owner)).toEqual([])
})
