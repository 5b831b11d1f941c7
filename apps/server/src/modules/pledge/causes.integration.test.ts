import { randomUUID } from 'node:crypto'
import { addDays } from '@lode/kernel'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkAfterTampering } from '../../testing/check-after-tampering.ts'
import { causeFindings } from '../ledger/index.ts'
import { BTN, openPledgeFixture, type PledgeFixture } from './testing/pledge-fixture.ts'

/** What the audit's comparison of transactions with their causes finds in pledges, after the owner changed a row. */

let fixture: PledgeFixture
beforeAll(async () => {
  fixture = await openPledgeFixture({ members: 4 })
  const day = addDays(fixture.firstDay, 1)
  const noon = await fixture.setTime(day, 12)
  for (const member of [1, 2, 3]) await fixture.credit(member, 'BTN', 50_000n * BTN)
  await fixture.pledge(1, 20_000n, 1)
  await fixture.pledge(2, 20_000n, 7)
  const mixed = await fixture.order(3, { quantity: 20_000n, termDays: 7, balancePart: 5_000n * BTN })
  if (typeof mixed === 'string') throw new Error(mixed)
  await fixture.pay([mixed], noon)
  // The funding of a day without pledges is shared out on the next day.
  await fixture.fund(day, 30_000n)
  await fixture.fund(addDays(day, 1), 90_000n)
  await fixture.setTime(addDays(day, 2), 13)
  await fixture.close()
  await fixture.returnPledges()
  expect(await fixture.collect(2, randomUUID())).toBeGreaterThan(0n)
}, 60_000)
afterAll(() => fixture.end())

it('finds nothing if nothing was changed', async () => {
  expect(await causeFindings(fixture.owner)).toEqual([])
})

it.each([
  [
    'a pledge of another amount',
    'update lode.pay_order set amount = amount + 1, balance_part = balance_part + 1 where member_id = 2',
    'pledgeByBalance',
  ],
  ['a pledge paid by another log', 'update lode.pay_order set paid_log_index = 9 where member_id = 3', 'pledgePaid'],
  ['a return that was not due', 'update lode.pledge set returned_at = null where member_id = 1', 'pledgeReturn'],
  ['a return of one unit more', 'update lode.pledge set amount = amount - 1 where member_id = 1', 'pledgeReturn'],
  [
    'a day that shares out one unit more',
    'update lode.production_day set admitted = admitted - 1 where admitted > 0',
    'dividendClose',
  ],
  [
    'a day that shares out one unit more of what was carried over',
    'update lode.production_day set from_carry = from_carry - 1 where from_carry > 0',
    'dividendClose',
  ],
  ['a funding of another amount', 'update lode.dividend_funding set amount = amount - 1', 'dividendFunding'],
  [
    'a dividend of one unit more',
    'update lode.share_payment set amount = amount + 1 where member_id = 2',
    'pointReward',
  ],
  ['a dividend of nobody', 'delete from lode.share_payment where member_id = 2', 'pointReward'],
  ['a last dividend of another pledge', 'update lode.pledge set member_id = 4 where member_id = 1', 'pledgeRest'],
  [
    'a last dividend of a pledge that goes on',
    'update lode.pledge set settled_at = null where member_id = 1',
    'pledgeRest',
  ],
])('finds %s', async (_, statement, type) => {
  const found = await checkAfterTampering(fixture.owner, statement, causeFindings)
  expect(found).toContainEqual(expect.stringMatching(new RegExp(`^${type} .* has no cause that explains it$`)))
})
