import { units } from '@lode/kernel'
import { roleUrl } from '@lode/scripts/server'
import { connectDatabase, post, type Transaction } from '@lode/server'
import { membersOf } from '../conditions.ts'
import { query } from '../query.ts'
import { ROLE_PASSWORD } from '../stack/database.ts'
import { type Command, Violation, type World } from '../world.ts'

const CLIENTS = 5
const ROUNDS = 4
const DEADLOCK = '40P01'

/**
 * Many batches at the same time for the same members, each in its own order, as orders and their settlements do. They
 * wait for each other and never deadlock. Every batch is posted twice under the same keys and has one effect. No order
 * stands behind these batches, so they could not be committed: they are rolled back.
 */
export const ordersAtOnce: Command = {
  name: 'orders at once',
  weight: 6,
  isPossible: (world) => membersOf(world).length >= 2,
  async run(world, random) {
    const url = roleUrl(world.stack.ownerUrl, 'lode_api', ROLE_PASSWORD)
    const { db, close } = connectDatabase(url, { name: 'simulated orders', max: CLIENTS, onError: () => {} })
    const run = random.hex32().slice(2, 14)
    const ids = await memberIds(world)
    const orders = Array.from({ length: CLIENTS }, (_, client) =>
      Array.from({ length: ROUNDS }, (_, round) =>
        random.shuffled(ids).map((member) => ({ member, operation: `sim:${run}:${client}:${round}` })),
      ),
    )
    try {
      const clients = orders.map(async (rounds) => {
        for (const round of rounds) await postTwiceAndRollBack(db, round)
      })
      await Promise.all(clients)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === DEADLOCK)
        throw new Violation('two batches waited for each other: accounts were not locked in one order')
      if (error instanceof Error && !(error instanceof Violation))
        throw new Violation(`the ledger failed over what it was sent twice: ${error.message}`)
      throw error
    } finally {
      await close()
    }
    return `${CLIENTS} clients freeze money of ${ids.length} members and roll back, ${ROUNDS} times each`
  },
}

type Database = ReturnType<typeof connectDatabase>['db']

class RollBack extends Error {}

async function postTwiceAndRollBack(db: Database, orders: readonly BatchOrder[]): Promise<void> {
  const batch = orders.map(reserve)
  await db
    .transaction()
    .execute(async (trx) => {
      const answers = [await post(trx, batch), await post(trx, batch)]
      orders.forEach(({ member, operation }, place) => {
        const effects = answers.filter((answer) => answer[place]?.outcome === 'posted').length
        if (effects > 1) throw new Violation(`the key ${operation} of member ${member} had ${effects} effects`)
      })
      throw new RollBack()
    })
    .catch((error: unknown) => {
      if (!(error instanceof RollBack)) throw error
    })
}

type BatchOrder = { readonly member: bigint; readonly operation: string }

const reserve = ({ member, operation }: BatchOrder): Transaction => ({
  type: 'orderReserve',
  member,
  key: operation,
  moves: [
    {
      asset: 'USDT',
      amount: units('USDT', 1n),
      from: { kind: 'available', member, line: { type: 'upLevelByBalance', operation } },
      to: { kind: 'frozenOrder', member, line: { type: 'upLevelByBalance', operation } },
    },
  ],
})

async function memberIds(world: World): Promise<bigint[]> {
  const accounts = membersOf(world).map(({ account }) => Buffer.from(account.slice(2), 'hex'))
  const found = 'select id from lode.member where account = any ($1) order by account'
  const rows = await query<{ id: string }>(world.stack.ownerUrl, found, [accounts])
  return rows.map(({ id }) => BigInt(id))
}
