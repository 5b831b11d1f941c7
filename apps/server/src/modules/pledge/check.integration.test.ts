import { randomUUID } from 'node:crypto'
import { addDays } from '@lode/kernel'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../platform/db/database.ts'
import { checkAfterTampering } from '../../testing/check-after-tampering.ts'
import { codeOf } from '../ledger/index.ts'
import { orderFindings } from '../orders/index.ts'
import { pledgeFindings } from './check.ts'
import { BTN, openPledgeFixture, type PledgeFixture } from './testing/pledge-fixture.ts'

let fixture: PledgeFixture
beforeAll(async () => {
  fixture = await openPledgeFixture({ members: 4 })
  const day = addDays(fixture.firstDay, 1)
  const noon = await fixture.setTime(day, 12)
  for (const member of [1, 2, 3]) await fixture.credit(member, 'BTN', 50_000n * BTN)
  expect(await fixture.pledge(1, 20_000n, 1)).toMatchObject({ type: 3 })
  expect(await fixture.pledge(2, 20_000n, 7)).toMatchObject({ type: 3 })
  const mixed = await fixture.order(3, { quantity: 20_000n, termDays: 7, balancePart: 5_000n * BTN })
  if (typeof mixed === 'string') throw new Error(mixed)
  await fixture.pay([mixed], noon)
  await fixture.order(3, { quantity: 20_000n, termDays: 7, balancePart: 10n * BTN })
  await fixture.fund(addDays(day, 1), 90_000n)
  await fixture.setTime(addDays(day, 2), 13)
  await fixture.close()
  await fixture.returnPledges()
  expect(await fixture.collect(2, randomUUID())).toBeGreaterThan(0n)
}, 60_000)
afterAll(() => fixture.end())

const findings = async (db: Database) => [...(await orderFindings(db)), ...(await pledgeFindings(db))]

it('finds nothing if nothing was changed', async () => {
  expect(await findings(fixture.owner)).toEqual([])
})

const DIVIDEND_AS_PARTNER_REWARD = `
  update lode.ledger_transaction set type = ${codeOf('type.partnerReward')} where type = ${codeOf('type.pointReward')}`

it.each([
  [
    'an order that was never paid and is marked as paid',
    `update lode.pay_order set ended = 'success', ended_at = now(), settlement = 1000, deadline = null, balance_part = amount
     where ended is null`,
    'not in the ledger',
  ],
  [
    'the frozen part of an open order',
    'update lode.pay_order set balance_part = 11 where ended is null',
    'frozen balances',
  ],
  [
    'the log index of a payment',
    'update lode.pay_order set paid_log_index = 7 where paid_tx is not null',
    'not in the ledger',
  ],
  ['the owner of a pledge', 'update lode.pledge set member_id = 4 where member_id = 2', 'another amount of BTN locked'],
  [
    'a running pledge to returned',
    'update lode.pledge set returned_at = now() where member_id = 2',
    'another amount of BTN locked',
  ],
  [
    'the weight of a pledge',
    'update lode.pledge set weight = weight + 1 where member_id = 2',
    'differs from its order',
  ],
  ['the end of a pledge', 'update lode.pledge set end_day = end_day - 1 where member_id = 2', 'differs from its order'],
  ['a pledge that was deleted', 'delete from lode.pledge where member_id = 2', 'whose pledge is missing'],
  ['the amount that a pledge was paid', 'update lode.pledge set paid = 0 where member_id = 2', 'another dividend'],
  [
    'the funding of a closed day',
    'update lode.dividend_funding set amount = amount + 1',
    'was closed with another amount than its funding',
  ],
  ['a payment record that was deleted', 'delete from lode.share_payment', 'not both recorded and in the ledger'],
  [
    'a payment record without a payment',
    `insert into lode.share_payment (member_id, transaction, amount)
     select 2, max(id), 1 from lode.ledger_transaction where type = ${codeOf('type.deposit')}`,
    'not both recorded and in the ledger',
  ],
  [
    'a pledge that begins on a closed day',
    'update lode.pledge set start_day = start_day - 1, end_day = end_day - 1 where member_id = 2',
    'another weight than its pledges add up to',
  ],
  ['the type of a dividend (dividends no longer match)', DIVIDEND_AS_PARTNER_REWARD, 'another dividend'],
  ['the type of a dividend (partner rewards no longer match)', DIVIDEND_AS_PARTNER_REWARD, 'another partner reward'],
])('finds this change: %s', async (_what, statement, finding) => {
  expect(await checkAfterTampering(fixture.owner, statement, findings)).toContainEqual(expect.stringContaining(finding))
})
