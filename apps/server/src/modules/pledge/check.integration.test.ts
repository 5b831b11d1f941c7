import { randomUUID } from 'node:crypto'
import { addDays } from '@lode/kernel'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../platform/db/database.ts'
import { findingsAfter } from '../../testing/breaking.ts'
import { codeOf } from '../ledger/index.ts'
import { orderFindings } from '../orders/index.ts'
import { pledgeFindings } from './check.ts'
import { BTN, type Field, openField } from './testing/field.ts'

let field: Field
beforeAll(async () => {
  field = await openField({ members: 4 })
  const day = addDays(field.firstDay, 1)
  const noon = await field.setTime(day, 12)
  for (const member of [1, 2, 3]) await field.credit(member, 'BTN', 50_000n * BTN)
  expect(await field.pledge(1, 20_000n, 1)).toMatchObject({ type: 3 })
  expect(await field.pledge(2, 20_000n, 7)).toMatchObject({ type: 3 })
  const mixed = await field.order(3, { quantity: 20_000n, termDays: 7, balancePart: 5_000n * BTN })
  if (typeof mixed === 'string') throw new Error(mixed)
  await field.pay([mixed], noon)
  await field.order(3, { quantity: 20_000n, termDays: 7, balancePart: 10n * BTN })
  await field.fund(addDays(day, 1), 90_000n)
  await field.setTime(addDays(day, 2), 13)
  await field.close()
  await field.returnPledges()
  expect(await field.collect(2, randomUUID())).toBeGreaterThan(0n)
}, 60_000)
afterAll(() => field.end())

const findings = async (db: Database) => [...(await orderFindings(db)), ...(await pledgeFindings(db))]

it('finds nothing wrong where nothing is', async () => {
  expect(await findings(field.owner)).toEqual([])
})

const DIVIDEND_AS_PARTNER_REWARD = `
  update lode.ledger_transaction set type = ${codeOf('type.partnerReward')} where type = ${codeOf('type.pointReward')}`

it.each([
  [
    'an order that nobody paid',
    `update lode.pay_order set ended = 'success', ended_at = now(), settlement = 1000, deadline = null, balance_part = amount
     where ended is null`,
    'not in the books',
  ],
  ['what was put aside', 'update lode.pay_order set balance_part = 11 where ended is null', 'balances put aside'],
  ['a log that paid', 'update lode.pay_order set paid_log_index = 7 where paid_tx is not null', 'not in the books'],
  ['whose pledge it is', 'update lode.pledge set member_id = 4 where member_id = 2', 'other BTN locked'],
  ['that it is returned', 'update lode.pledge set returned_at = now() where member_id = 2', 'other BTN locked'],
  ['what it weighs', 'update lode.pledge set weight = weight + 1 where member_id = 2', 'not what it ordered'],
  ['when it ends', 'update lode.pledge set end_day = end_day - 1 where member_id = 2', 'not what it ordered'],
  ['a pledge, away', 'delete from lode.pledge where member_id = 2', 'that is not there'],
  ['what it was paid', 'update lode.pledge set paid = 0 where member_id = 2', 'another dividend'],
  [
    'what a day was funded with',
    'update lode.dividend_funding set amount = amount + 1',
    'has other funding than it reckoned with',
  ],
  ['that a payment was due', 'delete from lode.share_payment', 'not both noted and in the books'],
  [
    'a payment that was never made',
    `insert into lode.share_payment select max(id) from lode.ledger_transaction where type = ${codeOf('type.deposit')}`,
    'not both noted and in the books',
  ],
  ['a payment in the books', DIVIDEND_AS_PARTNER_REWARD, 'another dividend'],
  ['the same', DIVIDEND_AS_PARTNER_REWARD, 'another partner reward'],
])('finds %s that somebody changed', async (_what, statement, finding) => {
  expect(await findingsAfter(field.owner, statement, findings)).toContainEqual(expect.stringContaining(finding))
})
