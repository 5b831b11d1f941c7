import { isAnyNodeReachable, membersWhoCanSign } from '../conditions.ts'
import type { Actor } from '../members/actor.ts'
import { drawPayablePromotion, promote } from '../members/promotion.ts'
import { payQuote } from '../members/purchase.ts'
import { withClient } from '../query.ts'
import { type Command, Violation, type World } from '../world.ts'

/** The database owner writes by hand the level that a member is paying for. None of the payment may be lost. */
export const giveLevel: Command = {
  name: 'a level is given by hand',
  weight: 2,
  isPossible: (world) => isAnyNodeReachable(world) && membersWhoCanSign(world).length > 0,
  async run(world, random) {
    const actor = random.pick(membersWhoCanSign(world))
    const wish = drawPayablePromotion(random)
    const { order, told } = await promote(world, actor, wish)
    if (!order?.quote) return told
    await raiseLevelByHand(world, actor)
    await payQuote(world, actor, order.quote)
    return `${told}, is given it by hand, and pays`
  },
}

/** Under the lock of the settlements, so that its position among them is known. */
async function raiseLevelByHand(world: World, { account }: Actor): Promise<void> {
  const after = await withClient(world.stack.ownerUrl, async (client) => {
    const one = async <Row extends object>(statement: string, value: unknown): Promise<Row | undefined> =>
      (await client.query<Row>(statement, [value])).rows[0]
    const found = await one<{ id: string }>(
      'select id from lode.member where account = $1',
      Buffer.from(account.slice(2), 'hex'),
    )
    if (!found) throw new Violation(`${account} was registered, and is not there`)
    await client.query('begin')
    await one('select lode.lock_places(array[$1::bigint])', found.id)
    const raise = 'update lode.member set level = level + 1 where id = $1 returning level'
    const raised = await one<{ level: number }>(raise, found.id)
    if (raised?.level === 1) await one('select lode.add_activation($1)', found.id)
    const { rows } = await client.query<{ after: string }>(
      'select coalesce(max(settlement), 0) as after from lode.pay_order',
    )
    await client.query('commit')
    return BigInt(rows[0]?.after ?? 0)
  })
  world.acknowledged.givenLevels.push({ account, after })
}
