import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkAfterTampering } from '../../testing/check-after-tampering.ts'
import { codeOf } from '../ledger/index.ts'
import { orderFindings } from '../orders/index.ts'
import { claimRewards } from './commands.ts'
import { promotionFindings } from './index.ts'
import { openPromotionFixture, type PromotionFixture, unevenPlan } from './testing/promotion-fixture.ts'

const plan = unevenPlan(1)
const price = (level: number) => plan.levels[level]?.price ?? 0n

let fixture: PromotionFixture
beforeAll(async () => {
  const sponsors = Array.from({ length: 10 }, (_, index) => (index === 0 ? null : index))
  // The second reserve is too small for all airdrops.
  fixture = await openPromotionFixture({
    sponsors,
    plans: [plan],
    reserves: { airdrop: 10n ** 9n, promotion: 30_000n },
  })
  await fixture.credit(new Map(Array.from({ length: 10 }, (_, place) => [place + 1, 10n ** 10n])))
  await fixture.authorise(3)
  for (const level of [1, 2]) for (const member of [1, 2, 3, 4, 5]) await fixture.order(member, level, price(level))
  await claimRewards({ db: fixture.api, session: fixture.sessionOf(3) }, { key: randomUUID() })
  const mixed = await fixture.order(6, 1, 5_000n)
  if (typeof mixed === 'string') throw new Error(mixed)
  await fixture.pay([mixed], new Date())
  await fixture.order(7, 1, 70n)
  await fixture.order(8, 1, 0n)
})
afterAll(() => fixture.close())

const findings = async (db: PromotionFixture['owner']) => [
  ...(await orderFindings(db)),
  ...(await promotionFindings(db)),
]

it('finds nothing if nothing was changed', async () => {
  expect(await findings(fixture.owner)).toEqual([])
})

it.each([
  ['a level', 'update lode.member set level = 3 where id = 4', 'holds another level'],
  [
    'the sum of a member’s payments',
    'update lode.promotion_tally set investment = investment + 1 where member_id = 4',
    'computing power',
  ],
  ['computing power', 'update lode.promotion_tally set power = power + 1 where member_id = 4', 'computing power'],
  ['an income', 'update lode.promotion_tally set income = income - 1 where member_id = 3', 'other rewards than it was'],
  [
    'the number of rewards',
    'update lode.promotion_tally set rewards = rewards + 1 where member_id = 3',
    'other rewards than it was',
  ],
  ['a tally that was deleted', 'delete from lode.promotion_tally where member_id = 2', 'computing power'],
  [
    'a reward that was deleted',
    'delete from lode.reward where member_id = 4 and failed is null',
    'other rewards in the ledger',
  ],
  [
    'the amount of a reward',
    `update lode.reward set amount = amount + 1 where member_id = 4 and type = 'upLevelReward' and failed is null`,
    'other rewards in the ledger',
  ],
  [
    'whether a reward was claimed',
    `update lode.reward set claimed_at = null where member_id = 3 and type = 'agentReward' and failed is null`,
    'other Thanksgiving rewards waiting',
  ],
  [
    'the rewards that wait to be claimed',
    `update lode.reward set failed = 'level-below' where member_id = 3 and type = 'agentReward' and claimed_at is null`,
    'other Thanksgiving rewards waiting',
  ],
  [
    'a paid airdrop to unpaid',
    'update lode.pay_order set airdrop_paid = false where member_id = 4 and level = 1',
    'another airdrop',
  ],
  [
    'an unpaid airdrop to paid',
    `update lode.pay_order set airdrop_paid = true where airdrop_paid = false`,
    'another airdrop',
  ],
  [
    'the amount of an airdrop',
    'update lode.pay_order set airdrop = airdrop + 1 where member_id = 4 and level = 1',
    'another airdrop',
  ],
  ['a part from the balance', 'update lode.pay_order set balance_part = 71 where member_id = 7', 'frozen balances'],
  ['an open order that was deleted', 'delete from lode.pay_order where member_id = 7', 'frozen balances'],
  [
    'a frozen balance',
    `update lode.ledger_account set balance = balance + 1 where id >> 14 = 7 and (id >> 8) & 63 = ${codeOf('kind.frozenOrder')}`,
    'frozen balances',
  ],
  [
    'an open order to success',
    `update lode.pay_order
     set ended = 'success', ended_at = made_at, settlement = 999, paid_tx = sha256('x'), paid_log_index = 0, paid_at = made_at
     where member_id = 8`,
    'not in the ledger',
  ],
])('finds this change: %s', async (_what, statement, finding) => {
  expect(await checkAfterTampering(fixture.owner, statement, findings)).toContainEqual(expect.stringContaining(finding))
})
