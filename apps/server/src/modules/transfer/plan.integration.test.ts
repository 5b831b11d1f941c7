import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testPool } from '../../testing/api.ts'
import type { TestMember } from '../../testing/member.ts'
import { exampleText, publishPlan } from '../../testing/plan.ts'
import { post } from '../ledger/index.ts'
import { createOperators } from '../operators/index.ts'
import { readPayouts } from '../payout/index.ts'
import { createPlans } from '../plan/index.ts'
import { judgeTransfers } from './judge.ts'
import { requestPosting } from './postings.ts'
import { DECIMALS, idOf, type Office, openOffice } from './testing/office.ts'

let office: Office
beforeAll(async () => {
  office = await openOffice({ LOG_LEVEL: 'warn' })
})
afterAll(() => office.close())

/** Judges as a signer that has pinned the ceremony and trusts only signed plans. */
async function judged(id: string) {
  const operators = createOperators({ ...testPool(), ceremony: office.ceremony })
  const plans = createPlans({ decimals: DECIMALS, operators })
  const rows = await readPayouts(office.signer, sql`where id = ${id}`)
  return (await judgeTransfers(office.signer, rows, { plans, operators, pinned: true })).get(id)
}

/** Requests a transfer under a version that is over, as an attacker with the api's database role can. */
async function forge(member: TestMember, version: number): Promise<string> {
  const [id, memberId] = [randomUUID(), await idOf(office.owner, member)]
  await sql`
    select lode.request_transfer(${memberId}, (select id from lode.session where member_id = ${memberId} limit 1), ${id},
                                 'USDT', 10000000, 1000000, 0, ${version}, 1e30)`.execute(office.asApi)
  const posting = requestPosting({ id, memberId, asset: 'USDT', amount: 10_000_000n, fee: 1_000_000n })
  expect((await post(office.asApi, [posting]))[0]?.outcome).toBe('posted')
  return id
}

it('a transfer keeps the version that it was asked for under, and can be asked for under no other', async () => {
  const member = await office.member({ USDT: '100' })
  const before = await office.made(member)
  const early = await forge(member, 2)
  const cheaper = exampleText.replace('"fee": "1"', '"fee": "0.5"')
  await publishPlan(office.owner, testPool(), [office.alice, office.bob], { text: cheaper })

  expect((await office.order(member)).body.reason).toBe('plan-changed')
  const after = await office.made(member, { planVersion: 2 })
  expect([before.fee, after.fee]).toEqual(['1', '0.5'])
  expect(await judged(before.id)).toEqual({ kind: 'go' })
  expect(await judged(after.id)).toEqual({ kind: 'go' })

  await office.api.clock.advance(11 * 60)
  expect(await judged(before.id)).toEqual({ kind: 'go' })
  const late = await forge(member, 1)
  expect(await judged(late)).toMatchObject({
    kind: 'check',
    what: expect.stringContaining('version 1 was not in force'),
  })
  expect(await judged(early)).toMatchObject({
    kind: 'check',
    what: expect.stringContaining('version 2 was not in force'),
  })
})
