import { setTimeout as sleep } from 'node:timers/promises'
import { fundToday } from '../sim/commands/fund-dividend.ts'
import { fillTeam } from '../sim/commands/partners.ts'
import { outputAddressesOf, signAddress } from '../sim/commands/protect.ts'
import type { Actor } from '../sim/members/actor.ts'
import { callAs } from '../sim/members/call-as.ts'
import { fundPasswordOf } from '../sim/members/fund-password.ts'
import { pledge } from '../sim/members/pledge.ts'
import { promote } from '../sim/members/promotion.ts'
import { payQuote } from '../sim/members/purchase.ts'
import { signIn } from '../sim/members/sign-in.ts'
import { type TransferWish, transferOut } from '../sim/members/transfer.ts'
import { waitUntil, waitUntilCaughtUp } from '../sim/open-world.ts'
import { query } from '../sim/query.ts'
import { Random } from '../sim/random.ts'
import { BLOCKS_TO_FINALITY } from '../sim/stack/chain.ts'
import { moveClock, runMinutelyJobs } from '../sim/stack/clock.ts'
import { operatorNames } from '../sim/stack/operators.ts'
import type { World } from '../sim/world.ts'

const DAY_SECONDS = 86_400
const DAYS = 3

/**
 * Gives the pool a bit of everything that a thief could be after: balances, a sharing expert with unclaimed rewards, a
 * partner, pledges with closed days, bound and waiting output addresses, open orders, and transfers that are paid,
 * signed and waiting. Every part of it is made by the real processes.
 */
export async function populate(world: World): Promise<void> {
  const random = new Random('thief', 'pool')
  // In the order of their registration: the first is above most of the others.
  const members = Array.from(world.acknowledged.members, (account) =>
    world.actors.find((each) => each.account === account),
  )
  const [expert, partner, buyer, saver, mover, waiter] = members
  if (!expert || !partner || !buyer || !saver || !mover || !waiter) throw new Error('the pool has too few members')
  // The others stay unregistered. What they deposited waits as suspense.
  const newcomer = world.actors.find(({ isMember, kind }) => !isMember && kind === 'plain')
  if (newcomer) await signIn(world, newcomer)

  await fillTeam.run(world, random)
  const leader = world.memberWithFullTeam ?? partner
  for (const name of operatorNames) await world.operators.appoint(world, name, 'expert', ['authorise', expert.account])
  await callAs(world, leader, 'partner/apply', { account: leader.account, key: keyOf(random) })
  for (const name of operatorNames) await world.operators.appoint(world, name, 'partner', ['approve', leader.account])
  await waitUntilApplied(world)

  await buy(world, buyer, random, 'balance')
  if (newcomer) await buy(world, newcomer, random, 'balance')
  for (const [actor, term] of [
    [saver, 0],
    [saver, 3],
    [buyer, 1],
    [leader, 3],
  ] as const)
    await pledgeFromBalance(world, actor, random, term)
  await changeAddress(world, mover, 0)
  for (let day = 0; day < DAYS; day += 1) {
    await fundToday(world, random)
    if (day === 1) await buy(world, mover, random, 'balance')
    await passDay(world)
  }
  await callAs(world, saver, 'pledge/collect', { account: saver.account, key: keyOf(random) })

  // Paid and final.
  await requestTransfer(world, saver, random, { symbol: 'USDT', size: 'small' })
  await waitUntilSigned(world)
  await finalize(world)
  await buy(world, expert, random, 'balance')
  await changeAddress(world, waiter, 1)
  // Waits because its address is new.
  await requestTransfer(world, mover, random, { symbol: 'USDT', size: 'small' })
  // Waits for a review.
  await requestTransfer(world, saver, random, { symbol: 'BTC', size: 'reviewed' })
  await requestTransfer(world, leader, random, { symbol: 'BTN', size: 'reviewed' })
  // Waits for its payment on the chain, with a part of the balance frozen.
  await buy(world, saver, random, 'mixed')
  await pledge(world, waiter, { ...pledgeWish(random, 2), method: 'mixed', share: 40 })
  await pledge(world, mover, { ...pledgeWish(random, 2), method: 'online' })
  // Signed by one operator of two. The key of the payment is known already.
  const stranger = world.actors.find(({ isMember }) => !isMember)
  if (stranger) await world.operators.returnSuspense(world.stack.ownerUrl, 'Ada', [stranger.account, '1', 'USDT'])
  await waitUntilCaughtUp(world)
  // Signed and sent. No block has it yet.
  await requestTransfer(world, buyer, random, { symbol: 'USDT', size: 'least' })
  await waitUntilSigned(world)
}

export const keyOf = (random: Random): string => random.hex32().slice(2, 34)

const pledgeWish = (random: Random, term: number) => ({
  method: 'balance' as const,
  oddity: 'none' as const,
  beyond: random.between(1, 2_000),
  term,
  share: 0,
  times: 1,
  key: keyOf(random),
})

async function pledgeFromBalance(world: World, actor: Actor, random: Random, term: number): Promise<void> {
  const { order, told } = await pledge(world, actor, pledgeWish(random, term))
  world.trace.log(`     ${told}`)
  if (order?.quote) await payQuote(world, actor, order.quote)
}

async function buy(world: World, actor: Actor, random: Random, method: 'balance' | 'mixed'): Promise<void> {
  const { told } = await promote(world, actor, { method, oddity: 'none', share: 60, times: 1, key: keyOf(random) })
  world.trace.log(`     ${told}`)
}

async function requestTransfer(
  world: World,
  actor: Actor,
  random: Random,
  wish: Pick<TransferWish, 'symbol' | 'size'>,
): Promise<void> {
  const { told } = await transferOut(world, actor, { ...wish, times: 1, key: keyOf(random) })
  world.trace.log(`     ${told}`)
}

async function changeAddress(world: World, actor: Actor, which: 0 | 1): Promise<void> {
  const password = await fundPasswordOf(world, actor)
  if (password === null) throw new Error(`${actor.name} has no fund password`)
  const { account } = actor
  const address = outputAddressesOf(account)[which]
  const signed = await signAddress(world, actor, address)
  await callAs(world, actor, 'account/output-address', { account, address, password, ...signed })
}

export async function finalize(world: World): Promise<void> {
  await world.chain.mine(BLOCKS_TO_FINALITY + 2)
  await waitUntilCaughtUp(world)
}

export async function passDay(world: World): Promise<void> {
  await world.chain.mine(1)
  await moveClock(world, DAY_SECONDS)
  await finalize(world)
  await runMinutelyJobs(world)
  await sleep(300)
}

const waitUntilApplied = (world: World): Promise<void> =>
  waitUntil(world, 'has carried out the appointments', async () => {
    const made = 'select from lode.sharing_expert union all select from lode.partner'
    return (await query(world.stack.ownerUrl, made)).length === 2 ? [] : ['an appointment is missing']
  })

/**
 * Waits until the signer has signed a transfer, or this one. The signer is asked to judge it now instead of in some
 * minutes.
 */
export const waitUntilSigned = (world: World, id: string | null = null): Promise<void> =>
  waitUntil(world, 'sees a signed transfer', async () => {
    const { ownerUrl } = world.stack
    const signed =
      'select from lode.payout where ended is null and release_number is not null and id = coalesce($1, id)'
    if ((await query(ownerUrl, signed, [id])).length > 0) return []
    await query(ownerUrl, 'update lode.payout set look_at = lode.now() where ended is null and release_number is null')
    await sleep(500)
    return ['nothing is signed']
  })
