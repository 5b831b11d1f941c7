import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testPool } from '../../testing/api.ts'
import type { TestMember } from '../../testing/member.ts'
import { examplePlanText, publishPlan } from '../../testing/plan.ts'
import { post } from '../ledger/index.ts'
import { createOperators } from '../operators/index.ts'
import { readPayouts } from '../payout/index.ts'
import { createPlans } from '../plan/index.ts'
import { judgeTransfers } from './judge.ts'
import { freezePosting } from './postings.ts'
import { DECIMALS, idOf, startTransferFixture, type TransferFixture } from './testing/transfer-fixture.ts'

let fixture: TransferFixture
beforeAll(async () => {
  fixture = await startTransferFixture({ LOG_LEVEL: 'warn' })
})
afterAll(() => fixture.close())

/** Judges as a signer that has pinned the ceremony and trusts only signed plans. */
async function judge(id: string) {
  const operators = createOperators({ ...testPool(), ceremony: fixture.ceremony })
  const plans = createPlans({ decimals: DECIMALS, operators })
  const rows = await readPayouts(fixture.signer, sql`where id = ${id}`)
  return (await judgeTransfers(fixture.signer, rows, { plans, operators, pinned: true })).get(id)
}

/** Requests a transfer under a version that is over, as an attacker with the api's database role can. */
async function forgeTransfer(member: TestMember, version: number): Promise<string> {
  const [id, memberId] = [randomUUID(), await idOf(fixture.owner, member)]
  await fixture.asApi.transaction().execute(async (trx) => {
    await sql`
      select lode.request_transfer(${memberId}, (select id from lode.session where member_id = ${memberId} limit 1),
                                   ${id}, 'USDT', 10000000, 1000000, 0, ${version}, 1e30)`.execute(trx)
    const freeze = freezePosting({ id, memberId, asset: 'USDT', amount: 10_000_000n, fee: 1_000_000n })
    expect((await post(trx, [freeze]))[0]?.outcome).toBe('posted')
  })
  return id
}

it('a transfer keeps the plan version of its request, which must be the one in force', async () => {
  const member = await fixture.member({ USDT: '100' })
  const before = await fixture.makeOrder(member)
  const early = await forgeTransfer(member, 2)
  const cheaper = examplePlanText.replace('"fee": "1"', '"fee": "0.5"')
  await publishPlan(fixture.owner, testPool(), [fixture.alice, fixture.bob], { text: cheaper })

  expect((await fixture.tryOrder(member)).body.reason).toBe('plan-changed')
  const after = await fixture.makeOrder(member, { planVersion: 2 })
  expect([before.fee, after.fee]).toEqual(['1', '0.5'])
  expect(await judge(before.id)).toEqual({ kind: 'go' })
  expect(await judge(after.id)).toEqual({ kind: 'go' })

  await fixture.api.clock.advance(11 * 60)
  expect(await judge(before.id)).toEqual({ kind: 'go' })
  const late = await forgeTransfer(member, 1)
  expect(await judge(late)).toMatchObject({
    kind: 'check',
    problem: expect.stringContaining('version 1 was not in force'),
  })
  expect(await judge(early)).toMatchObject({
    kind: 'check',
    problem: expect.stringContaining('version 2 was not in force'),
  })
})
