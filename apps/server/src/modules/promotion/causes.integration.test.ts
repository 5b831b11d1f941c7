import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkAfterTampering } from '../../testing/check-after-tampering.ts'
import { causeFindings, codeOf } from '../ledger/index.ts'
import { claimRewards } from './commands.ts'
import { openPromotionFixture, type PromotionFixture, unevenPlan } from './testing/promotion-fixture.ts'

/** What the audit's comparison of transactions with their causes finds in promotions, after the owner changed a row. */

const plan = unevenPlan(1)
const price = (level: number) => plan.levels[level]?.price ?? 0n

let fixture: PromotionFixture
beforeAll(async () => {
  const sponsors = Array.from({ length: 10 }, (_, index) => (index === 0 ? null : index))
  fixture = await openPromotionFixture({
    sponsors,
    plans: [plan],
    reserves: { airdrop: 10n ** 9n, promotion: 10n ** 9n },
  })
  await fixture.credit(new Map(Array.from({ length: 10 }, (_, place) => [place + 1, 10n ** 10n])))
  await fixture.authorise(3)
  for (const level of [1, 2]) for (const member of [1, 2, 3, 4, 5]) await fixture.order(member, level, price(level))
  await claimRewards({ db: fixture.api, session: fixture.sessionOf(3) }, { key: randomUUID() })
  const mixed = await fixture.order(6, 1, 5_000n)
  if (typeof mixed === 'string') throw new Error(mixed)
  await fixture.pay([mixed], new Date())
  await fixture.order(7, 1, 70n)
})
afterAll(() => fixture.close())

it('finds nothing if nothing was changed', async () => {
  expect(await causeFindings(fixture.owner)).toEqual([])
})

it('lets a stolen api role freeze nothing under a log line that the end of the order does not look for', async () => {
  const order = randomUUID()
  const { id: session } = fixture.sessionOf(9)
  const { power, airdrop } = plan.levels[1] ?? { power: 0, airdrop: 0n }
  const freeze = (line: 'createPledge' | 'upLevelByBalance') =>
    fixture.api.transaction().execute(async (trx) => {
      await sql`
        select lode.make_order(9, ${session}, ${order}, ${codeOf('order.promotion')}, 1, 'USDT', ${String(price(1))}::numeric,
                               10, 30, 1, ${power}, ${String(airdrop)}::numeric)`.execute(trx)
      const own = (kind: 'available' | 'frozenOrder') => (9n << 14n) + BigInt(codeOf(`account.${kind}.USDT`))
      await sql`
        select lode.post(
          array[${String(own('available'))}, ${String(own('frozenOrder'))}]::bigint[], null, array[9]::bigint[],
          array[${`order:${order}`}], array[sha256('freeze')], array[${codeOf('type.orderReserve')}]::smallint[],
          array[1, 1], array[1, 2], array[-10, 10]::numeric[], array[1, 1],
          array[${codeOf(`log.${line}`)}]::smallint[], array[${order}], array[0]::numeric[], false)`.execute(trx)
    })
  await expect(freeze('createPledge')).rejects.toThrow('has no cause that explains it')
  await freeze('upLevelByBalance')
})

it.each([
  ['a freeze whose order was deleted', 'delete from lode.pay_order where member_id = 7', 'orderReserve'],
  ['a freeze of one unit more', 'update lode.pay_order set balance_part = 69 where member_id = 7', 'orderReserve'],
  [
    'a freeze for another member’s order',
    'update lode.pay_order set member_id = 8 where member_id = 7',
    'orderReserve',
  ],
  [
    'a freeze under the log line of a pledge',
    `update lode.log_line set type = ${codeOf('log.createPledge')} where member = 7 and type = ${codeOf('log.upLevelByBalance')}`,
    'orderReserve',
  ],
  [
    'a payment of the log line of something else',
    `update lode.log_line set operation = 'x' where member = 6 and type = ${codeOf('log.upLevelByBalance')}`,
    'promotionPaid',
  ],
  [
    'a settlement of a failed order',
    `update lode.pay_order set ended = 'failed', failure = 'expired', settlement = null where member_id = 4 and level = 2`,
    'promotionByBalance',
  ],
  [
    'a reward of one unit more',
    `update lode.reward set amount = amount + 1 where member_id = 4 and type = 'promotionReward'`,
    'promotionByBalance',
  ],
  [
    'a reward to another member',
    `update lode.reward set member_id = 9 where member_id = 4 and type = 'promotionReward'`,
    'promotionByBalance',
  ],
  [
    'a reward that was missed',
    `update lode.reward set failed = 'level-below' where member_id = 4 and type = 'promotionReward' and failed is null`,
    'promotionByBalance',
  ],
  [
    'one unit more for the mining fund',
    'update lode.pay_order set to_mining = to_mining + 1 where member_id = 6',
    'promotionPaid',
  ],
  ['a payment by another log', 'update lode.pay_order set paid_log_index = 9 where member_id = 6', 'promotionPaid'],
  ['a payment of another price', 'update lode.pay_order set amount = amount + 1 where member_id = 6', 'promotionPaid'],
  [
    'an airdrop of one unit more',
    'update lode.pay_order set airdrop = airdrop + 1 where member_id = 2 and level = 1',
    'airdropForActive',
  ],
  [
    'an airdrop that was not paid',
    'update lode.pay_order set airdrop_paid = false where member_id = 2 and level = 2',
    'airdropForPromotion',
  ],
  ['a claim of another amount', 'update lode.reward_claim set amount = amount + 1', 'agentReward'],
  [
    'a cause that is used a second time',
    `update lode.ledger_transaction set key = key || '2' where type = ${codeOf('type.promotionByBalance')} and member = 2`,
    'promotionByBalance',
  ],
  [
    'a freeze that is called a transfer',
    `update lode.ledger_transaction set type = ${codeOf('type.transferRequest')} where member = 7`,
    'transferRequest',
  ],
  [
    'a deposit that names no log',
    `update lode.ledger_transaction set key = 'chain:31337:from-nowhere' where id =
       (select min(id) from lode.ledger_transaction where type = ${codeOf('type.deposit')})`,
    'deposit',
  ],
  [
    'a deposit under a second spelling of its log',
    `update lode.ledger_transaction set key = regexp_replace(key, ':([0-9]+)$', ':0\\1') where id =
       (select min(id) from lode.ledger_transaction where type = ${codeOf('type.deposit')})`,
    'deposit',
  ],
  [
    'a deposit of another chain',
    `update lode.ledger_transaction set key = replace(key, 'chain:31337:', 'chain:1:') where id =
       (select min(id) from lode.ledger_transaction where type = ${codeOf('type.deposit')})`,
    'deposit',
  ],
])('finds %s', async (_, statement, type) => {
  const found = await checkAfterTampering(fixture.owner, statement, causeFindings)
  expect(found).toContainEqual(expect.stringMatching(new RegExp(`^${type} .* has no cause that explains it$`)))
})
