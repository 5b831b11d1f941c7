import { randomUUID } from 'node:crypto'
import { units } from '@lode/kernel'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PASSWORD } from '../../testing/member.ts'
import { post, readBalances } from '../ledger/index.ts'
import { promotionFindings } from '../promotion/index.ts'
import { BTN, type FixtureMember, openPartnerFixture, type PartnerFixture } from './testing/partner-fixture.ts'

const PRICE = 100_000_000n

let fixture: PartnerFixture
beforeAll(async () => {
  fixture = await openPartnerFixture()
  await fixture.fund(10_000_000n * BTN)
}, 60_000)
afterAll(() => fixture.close())

async function buyer(sponsorCode: string | undefined, number: number): Promise<FixtureMember> {
  const member = await fixture.member(sponsorCode)
  const { wallet, token, setupCode } = member
  await fixture.api.call(
    'account/fund-password',
    { account: wallet.account, setupCode, newPassword: PASSWORD },
    { token },
  )
  const operation = `0x${number.toString(16).padStart(64, 'b')}:0`
  const to = { kind: 'available', member: member.id, line: { type: 'transferIn', operation } } as const
  const amount = units('USDT', PRICE)
  await post(fixture.worker, [
    { type: 'deposit', key: `chain:31337:${operation}`, moves: [{ asset: 'USDT', amount, from: 'custody:vault', to }] },
  ])
  return member
}

const promote = ({ wallet, token }: FixtureMember) =>
  fixture.api.call(
    'promotion/order',
    { account: wallet.account, key: randomUUID(), planVersion: 1, level: 1, balancePart: '100', password: PASSWORD },
    { token },
  )

it('an expert is authorized either before or after a promotion of a member below, never in between', {
  timeout: 120_000,
}, async () => {
  const expert = await buyer(undefined, 0)
  expect((await promote(expert)).status).toBe(200)
  const { rows } = await sql<{ code: string }>`
    select invite_code as code from lode.member where id = ${expert.id}`.execute(fixture.owner)
  const below: FixtureMember[] = []
  for (let number = 1; number <= 12; number += 1) below.push(await buyer(rows[0]?.code, number))
  expect(await fixture.authorise(expert.wallet.account, fixture.alice)).toBe(1)

  const orders = below.map(promote)
  // Now the first order is settled and the others are still running.
  await Promise.race(orders)
  expect(await fixture.authorise(expert.wallet.account, fixture.bob)).toBe(2)
  const [applied, ...answers] = await Promise.all([fixture.apply(), ...orders])
  expect(applied).toMatchObject({ done: 1, refused: 0 })
  expect(answers.map(({ status }) => status)).toEqual(below.map(() => 200))

  const late = await buyer(rows[0]?.code, 13)
  expect((await promote(late)).status).toBe(200)

  const { rows: settled } = await sql<{ thanked: boolean }>`
    select exists (
      select from lode.reward where order_id = pay_order.id and member_id = ${expert.id} and type = 'agentReward') as thanked
    from lode.pay_order where member_id = any(${[...below, late].map(({ id }) => String(id))}::bigint[]) order by settlement`.execute(
    fixture.owner,
  )
  const since = settled.findIndex(({ thanked }) => thanked)
  expect(since).toBeGreaterThan(0)
  expect(settled.map(({ thanked }) => thanked)).toEqual(settled.map((_, place) => place >= since))
  expect((await readBalances(fixture.owner, expert.id)).USDT.agentUnclaimed).toBe(
    BigInt(settled.length - since) * (PRICE / 20n),
  )
  expect(await promotionFindings(fixture.owner)).toEqual([])
})
