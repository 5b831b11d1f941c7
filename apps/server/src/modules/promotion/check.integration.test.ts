import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findingsAfter } from '../../testing/breaking.ts'
import { codeOf } from '../ledger/index.ts'
import { orderFindings } from '../orders/index.ts'
import { claimRewards } from './commands.ts'
import { promotionFindings } from './index.ts'
import { type Floor, openFloor, unevenPlan } from './testing/floor.ts'

const plan = unevenPlan(1)
const price = (level: number) => plan.levels[level]?.price ?? 0n

let floor: Floor
beforeAll(async () => {
  const sponsors = Array.from({ length: 10 }, (_, index) => (index === 0 ? null : index))
  // The second reserve is too small for all airdrops.
  floor = await openFloor({ sponsors, plans: [plan], reserves: { airdrop: 10n ** 9n, promotion: 30_000n } })
  await floor.credit(new Map(Array.from({ length: 10 }, (_, place) => [place + 1, 10n ** 10n])))
  await floor.authorise(3)
  for (const level of [1, 2]) for (const member of [1, 2, 3, 4, 5]) await floor.order(member, level, price(level))
  await claimRewards({ db: floor.api, session: floor.sessionOf(3) }, { key: randomUUID() })
  const mixed = await floor.order(6, 1, 5_000n)
  if (typeof mixed === 'string') throw new Error(mixed)
  await floor.pay([mixed], new Date())
  await floor.order(7, 1, 70n)
  await floor.order(8, 1, 0n)
})
afterAll(() => floor.close())

const findings = async (db: Floor['owner']) => [...(await orderFindings(db)), ...(await promotionFindings(db))]

it('finds nothing wrong where nothing is', async () => {
  expect(await findings(floor.owner)).toEqual([])
})

it.each([
  ['a level', 'update lode.member set level = 3 where id = 4', 'at another level'],
  [
    'what was paid',
    'update lode.promotion_tally set investment = investment + 1 where member_id = 4',
    'computing power',
  ],
  ['computing power', 'update lode.promotion_tally set power = power + 1 where member_id = 4', 'computing power'],
  ['an income', 'update lode.promotion_tally set income = income - 1 where member_id = 3', 'other rewards than it was'],
  ['a count', 'update lode.promotion_tally set rewards = rewards + 1 where member_id = 3', 'other rewards than it was'],
  ['a tally', 'delete from lode.promotion_tally where member_id = 2', 'computing power'],
  ['a reward', 'delete from lode.reward where member_id = 4 and failed is null', 'other rewards in the books'],
  [
    'what a reward was',
    `update lode.reward set amount = amount + 1 where member_id = 4 and type = 'upLevelReward' and failed is null`,
    'other rewards in the books',
  ],
  [
    'whether a reward was claimed',
    `update lode.reward set claimed_at = null where member_id = 3 and type = 'agentReward' and failed is null`,
    'other Thanksgiving rewards waiting',
  ],
  [
    'what waits to be claimed',
    `update lode.reward set failed = 'level-below' where member_id = 3 and type = 'agentReward' and claimed_at is null`,
    'other Thanksgiving rewards waiting',
  ],
  ['an airdrop', 'update lode.pay_order set airdrop_paid = false where member_id = 4 and level = 1', 'another airdrop'],
  ['another airdrop', `update lode.pay_order set airdrop_paid = true where airdrop_paid = false`, 'another airdrop'],
  [
    'its amount',
    'update lode.pay_order set airdrop = airdrop + 1 where member_id = 4 and level = 1',
    'another airdrop',
  ],
  ['a part from the balance', 'update lode.pay_order set balance_part = 71 where member_id = 7', 'put aside'],
  ['an open order', 'delete from lode.pay_order where member_id = 7', 'put aside'],
  [
    'what is put aside',
    `update lode.ledger_account set balance = balance + 1 where id >> 14 = 7 and (id >> 8) & 63 = ${codeOf('kind.frozenOrder')}`,
    'put aside',
  ],
  [
    'that an order is over',
    `update lode.pay_order
     set ended = 'success', ended_at = made_at, settlement = 999, paid_tx = sha256('x'), paid_log_index = 0, paid_at = made_at
     where member_id = 8`,
    'not in the books',
  ],
])('finds %s that somebody changed', async (_what, statement, finding) => {
  expect(await findingsAfter(floor.owner, statement, findings)).toContainEqual(expect.stringContaining(finding))
})
