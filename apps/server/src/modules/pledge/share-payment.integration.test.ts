import { randomUUID } from 'node:crypto'
import { addDays } from '@lode/kernel'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/db/database.ts'
import { balances, codeOf, post, systemBalances, type Transaction } from '../ledger/index.ts'
import { pledgeFindings } from './check.ts'
import { restPosting, rewardPosting } from './postings.ts'
import { BTN, type Field, openField, shortTerms } from './testing/field.ts'

/** Ann and Ben have the same pledges, so each is due the same. The thief has none. */
const [ANN, BEN, THIEF] = [1, 2, 3]
const FUNDED = 4_000n
const OF_EACH_PLEDGE = 1_000n

let field: Field
beforeAll(async () => {
  // A weight that divides every amount without a remainder.
  const plan = shortTerms({ pledgeTerms: [{ days: 7, weight: 10_000 }] })
  field = await openField({ members: 3, clients: 8, plan })
  const day = addDays(field.firstDay, 1)
  await field.setTime(day, 9)
  for (const member of [ANN, BEN]) {
    await field.credit(member, 'BTN', 50_000n * BTN)
    for (let pledge = 0; pledge < 2; pledge += 1)
      expect(await field.pledge(member, 20_000n, 7)).toMatchObject({ type: 3 })
  }
  await field.fund(addDays(day, 1), FUNDED)
  await field.setTime(addDays(day, 2), 13)
  await field.close()
  expect(await payable()).toBe(FUNDED)
}, 60_000)
afterAll(() => field.end())

const payable = async () => (await systemBalances(field.owner))('dividend:payable', 'BTC')
const held = async (member: number) => (await balances(field.owner, BigInt(member))).BTC.available

async function pledgesOf(member: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from lode.pledge where member_id = ${member} order by id`.execute(field.owner)
  return rows.map(({ id }) => id)
}

const reward = (member: number, amount: bigint) => rewardPosting(randomUUID(), BigInt(member), amount)

const noting = (inside: Database, ids: readonly string[], transaction: bigint | null, each = OF_EACH_PLEDGE) =>
  sql`
    select lode.pay_pledges(${ids}::uuid[], ${ids.map(() => String(each))}::numeric[],
                            ${ids.map(() => transaction && String(transaction))}::bigint[], false)`.execute(inside)

/** Acts as an attacker with the api's connection: posts any transaction and records it for any pledges. */
const paying = (posting: Transaction, ...notedFor: readonly (readonly string[])[]) =>
  field.api.transaction().execute(async (inside) => {
    const [posted] = await post(inside, [posting])
    if (posted?.outcome !== 'posted') throw new Error(`it was ${posted?.outcome}`)
    for (const ids of notedFor) await noting(inside, ids, posted.transaction)
    return posted.transaction
  })

describe('a stolen api', { timeout: 60_000 }, () => {
  it('pays nobody what others have not collected yet', async () => {
    const ofAnn = await pledgesOf(ANN)
    await expect(post(field.api, [reward(THIEF, FUNDED)])).rejects.toThrow('nobody is due')
    await expect(post(field.api, [reward(THIEF, 1n)])).rejects.toThrow('nobody is due')
    // A payment to a member who is due as much, without recording it.
    await expect(post(field.api, [reward(ANN, OF_EACH_PLEDGE)])).rejects.toThrow('nobody is due')
    // Recorded as if it were Ann's, or as if it were Ben's as well.
    await expect(paying(reward(THIEF, 2n * OF_EACH_PLEDGE), ofAnn)).rejects.toThrow('is not in the books')
    await expect(paying(reward(ANN, 2n * OF_EACH_PLEDGE), await pledgesOf(BEN))).rejects.toThrow('is not in the books')
    const ofBoth = [...ofAnn, ...(await pledgesOf(BEN))]
    await expect(paying(reward(ANN, FUNDED), ofBoth)).rejects.toThrow('is not in the books')
    // More than is recorded.
    await expect(paying(reward(ANN, FUNDED), ofAnn)).rejects.toThrow('is not in the books')
    expect([await payable(), await held(ANN), await held(THIEF)]).toEqual([FUNDED, 0n, 0n])
  })

  it('notes nothing as paid that it does not pay', async () => {
    const [first = '', second = ''] = await pledgesOf(ANN)
    await expect(noting(field.api, [first], null)).rejects.toThrow('is not in the books')
    // A transaction of another type, a deposit; and one that does not exist.
    const { rows } = await sql<{
      id: bigint
    }>`select max(id) as id from lode.ledger_transaction where type = ${codeOf('type.deposit')}`.execute(field.owner)
    for (const other of [rows[0]?.id ?? 0n, 1_000_000n])
      await expect(noting(field.api, [first], other)).rejects.toThrow('is not in the books')
    // One payment for two pledges that are due the same.
    await expect(paying(reward(ANN, OF_EACH_PLEDGE), [first], [second])).rejects.toThrow('share_payment_pkey')
    await expect(paying(reward(ANN, OF_EACH_PLEDGE), [first, second])).rejects.toThrow('is not in the books')
    expect([await payable(), await held(ANN)]).toEqual([FUNDED, 0n])
  })

  it('pays a member once, however many try at the same moment', async () => {
    const ofAnn = await pledgesOf(ANN)
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, () => paying(reward(ANN, 2n * OF_EACH_PLEDGE), ofAnn)),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect([await payable(), await held(ANN)]).toEqual([2n * OF_EACH_PLEDGE, 2n * OF_EACH_PLEDGE])

    // Later payments are refused too: in a new transaction, with the existing one, or by collecting.
    await expect(post(field.api, [reward(ANN, 1n)])).rejects.toThrow('nobody is due')
    await expect(paying(reward(ANN, 2n * OF_EACH_PLEDGE), ofAnn)).rejects.toThrow('nobody is due')
    expect(await field.collect(ANN, randomUUID())).toBe(0n)
    const { rows } = await sql<{ transaction: bigint }>`select transaction from lode.share_payment`.execute(field.owner)
    expect(rows).toHaveLength(1)
    await expect(noting(field.api, await pledgesOf(BEN), rows[0]?.transaction ?? null)).rejects.toThrow(
      'is not in the books',
    )
    expect(await pledgeFindings(field.owner)).toEqual([])
  })
})

describe('a stolen worker', { timeout: 60_000 }, () => {
  it('pays nobody else the rest of a pledge', async () => {
    const [first = ''] = await pledgesOf(BEN)
    for (const member of [BEN, THIEF])
      await expect(post(field.worker, [restPosting(first, BigInt(member), OF_EACH_PLEDGE)])).rejects.toThrow(
        'nobody is due',
      )
  })
})

it('then everybody who is due something gets it, to the unit, and no day waits', async () => {
  const [first = ''] = await pledgesOf(BEN)
  // A part is paid now, and the rest automatically when the term is over.
  await paying(reward(BEN, OF_EACH_PLEDGE), [first])
  await field.fund(addDays(field.firstDay, 3), FUNDED)
  await field.setTime(addDays(field.firstDay, 12), 13)
  expect(await field.close()).toContain(addDays(field.firstDay, 8))
  expect([await payable(), await held(ANN), await held(BEN), await held(THIEF)]).toEqual([...[0n, FUNDED, FUNDED, 0n]])
  expect(await pledgeFindings(field.owner)).toEqual([])
})
