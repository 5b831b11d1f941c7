import { runLode } from '@lode/scripts/server'
import pg from 'pg'
import { parseUnits } from 'viem'
import { fundToday } from '../sim/commands/fund-dividend.ts'
import { signIn } from '../sim/members/sign-in.ts'
import { transferOut } from '../sim/members/transfer.ts'
import { depositCall, sendCalls } from '../sim/members/wallet.ts'
import { waitUntil, waitUntilCaughtUp } from '../sim/open-world.ts'
import { query } from '../sim/query.ts'
import { Random } from '../sim/random.ts'
import type { World } from '../sim/world.ts'
import { readTarget } from './pool.ts'
import { finalize, keyOf, passDay, waitUntilSigned } from './populate.ts'
import { playForGood } from './sequence.ts'

const DAYS = 2
/** The 72 hours of a reset, the day for which it holds transfers, and one more. */
const DAYS_OF_RESET = 5

/**
 * A thief of the api plays against the running pool, and nothing is rolled back. Afterwards the pool must still work: the
 * worker follows the chain, days are closed, a new member deposits and is paid out, and the audit finds nothing.
 *
 * The worker's and the signer's role are not tried here: a thief of them can stop the pool by nature.
 */
export async function checkAftermath(
  world: World,
  seed: number,
  sequences: number,
  serverFolder: string,
): Promise<void> {
  const began = performance.now()
  const { api, worker, signer, ownerUrl } = world.stack
  await Promise.all([api.ready(), worker.ready(), signer.ready()])
  await waitUntilCaughtUp(world)
  const accepted = await playAll(ownerUrl, seed, sequences)

  const random = new Random('thief', 'aftermath', seed)
  const closedBefore = await countDays(ownerUrl)
  for (let day = 0; day < DAYS; day += 1) {
    await fundToday(world, random)
    await passDay(world)
  }
  await waitUntil(world, 'closes the days', async () =>
    (await countDays(ownerUrl)) >= closedBefore + DAYS ? [] : ['a day is not closed'],
  )
  await payNewMember(world, random)
  // Throws if the audit finds anything.
  await runLode(ownerUrl, ['audit'], serverFolder).catch((error: { stdout?: string }) => {
    throw new Error(`lode audit:\n${error.stdout ?? String(error)}`)
  })
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  console.log(
    `lode_api, for good: ${sequences} sequences, ${accepted} with an accepted transaction; the pool works and the audit finds nothing (${seconds} s)`,
  )
}

async function playAll(ownerUrl: string, seed: number, sequences: number): Promise<number> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const target = await readTarget(client, client, 'lode_api')
    let accepted = 0
    for (let number = 0; number < sequences; number += 1)
      if ((await playForGood(target, seed, number)).accepted > 0) accepted += 1
    return accepted
  } finally {
    await client.end()
  }
}

const countDays = async (ownerUrl: string): Promise<number> =>
  (await query(ownerUrl, 'select from lode.production_day')).length

/** A member who comes after the thief registers, deposits and is paid out. */
async function payNewMember(world: World, random: Random): Promise<void> {
  const { ownerUrl } = world.stack
  const newcomer = world.actors.find(({ isMember, kind }) => !isMember && kind === 'plain')
  if (!newcomer) throw new Error('everybody is a member already')
  await signIn(world, newcomer)
  const { vault, usdt } = world.chain.contracts
  await sendCalls(world, newcomer, [depositCall(vault, { symbol: 'USDT', token: usdt, amount: parseUnits('100', 6) })])
  await finalize(world)
  const wish = { symbol: 'USDT', size: 'least', times: 1, key: keyOf(random) } as const
  let { id, told } = await transferOut(world, newcomer, wish)
  if (id === null) {
    // The thief has registered this address before, so its owner has no set-up code and had to ask for a reset.
    for (let day = 0; day < DAYS_OF_RESET; day += 1) await passDay(world)
    ;({ id, told } = await transferOut(world, newcomer, wish))
  }
  if (id === null) throw new Error(told)
  const isPaid = "select from lode.payout where id = $1 and ended = 'final'"
  await waitUntilSigned(world, id)
  await finalize(world)
  await waitUntil(world, 'ends the payout', async () =>
    (await query(ownerUrl, isPaid, [id])).length === 1 ? [] : ['the payout is not paid'],
  )
}
