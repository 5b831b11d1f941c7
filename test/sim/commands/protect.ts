import { type Address, getAddress } from 'viem'
import { isAnyNodeReachable, membersWhoCanSign } from '../conditions.ts'
import { type Actor, browserId, sign } from '../members/actor.ts'
import { callAs, tryCallAs } from '../members/call-as.ts'
import { fundPasswordOf, makePassword, requestReset } from '../members/fund-password.ts'
import { signIn } from '../members/sign-in.ts'
import { simulatedNow } from '../stack/clock.ts'
import { type Command, Violation, type World } from '../world.ts'

const canSomeoneAct = (world: World): boolean => isAnyNodeReachable(world) && membersWhoCanSign(world).length > 0

/** A member's protective actions. Each holds transfers that are not signed. */
export const protect: Command = {
  name: 'protect the account',
  weight: 5,
  isPossible: canSomeoneAct,
  async run(world, random) {
    const actor = random.pick(membersWhoCanSign(world))
    const { account } = actor
    const what = random.pick(['change', 'reset', 'cancel the reset', 'lock'] as const)
    const password = await fundPasswordOf(world, actor)
    const tell = (answer: { ok: boolean; reason?: string | undefined }) => (answer.ok ? '' : `: ${answer.reason}`)
    switch (what) {
      case 'change': {
        if (password === null) return `${actor.name} waits for a fund password`
        const newPassword = makePassword(actor, String(Math.floor(simulatedNow(world))))
        const answer = await tryCallAs(world, actor, 'account/fund-password', { account, password, newPassword })
        // If the first answer was lost, the repeated request finds the old password wrong.
        if (answer.ok || answer.reason === 'fund-password-wrong') actor.password = newPassword
        return `${actor.name} changes the fund password${tell(answer)}`
      }
      case 'reset':
        return `${actor.name} ${(await requestReset(world, actor)) ? 'asks' : 'has asked'} for a reset of the fund password`
      case 'cancel the reset': {
        if (password === null) return `${actor.name} cannot cancel a reset without a fund password`
        const answer = await tryCallAs(world, actor, 'account/fund-password/reset/cancel', { account, password })
        const isCancelled = answer.ok || answer.reason === 'reset-none'
        if (isCancelled) actor.reset = null
        return `${actor.name} cancels the reset of the fund password${tell(answer)}`
      }
      case 'lock': {
        if (password === null) return `${actor.name} waits for a fund password`
        const answer = await tryCallAs(world, actor, 'account/transfer-lock', { account, password, days: 1 })
        return `${actor.name} locks transfers for a day${tell(answer)}`
      }
    }
  },
}

/** Each member has two other addresses besides its own wallet. */
export const outputAddressesOf = (account: Address): readonly [Address, Address] => [
  getAddress(`0xaaaaaaaa${account.slice(10)}`),
  getAddress(`0xbbbbbbbb${account.slice(10)}`),
]

/**
 * Changes to another address, back to the own wallet, or cancels the change. It takes effect after 48 hours, for which
 * the step sometimes waits.
 */
export const changeAddress: Command = {
  name: 'change the output address',
  weight: 5,
  isPossible: canSomeoneAct,
  async run(world, random) {
    const actor = random.pick(membersWhoCanSign(world))
    const { account } = actor
    const address = random.pick([...outputAddressesOf(account), account])
    const isCancelled = random.chance(0.2)
    const password = await fundPasswordOf(world, actor)
    if (password === null) return `${actor.name} waits for a fund password`
    if (isCancelled) {
      const answer = await tryCallAs(world, actor, 'account/output-address/cancel', { account })
      return `${actor.name} cancels a change of address${answer.ok ? '' : `: ${answer.reason}`}`
    }
    const request = { account, address, password, ...(await signAddress(world, actor, address)) }
    const answer = await tryCallAs(world, actor, 'account/output-address', request)
    if (!answer.ok && answer.reason === 'output-address-refused')
      throw new Violation(`${actor.name} may not have ${address} as output address`)
    return `${actor.name} wants transfers to go to ${address.slice(0, 10)}${answer.ok ? '' : `: ${answer.reason}`}`
  },
}

/** The wallet signs every address but its own. */
export async function signAddress(world: World, actor: Actor, address: Address) {
  const { account } = actor
  if (address === account) return {}
  const { message } = await callAs(world, actor, 'account/challenge', { account, purpose: 'output-address', address })
  return { message, signature: await sign(actor, message) }
}

/** A browser that was never seen before, which holds transfers for a day. The member keeps using it. */
export const newBrowser: Command = {
  name: 'use a new browser',
  weight: 2,
  isPossible: canSomeoneAct,
  async run(world, random) {
    const actor = random.pick(membersWhoCanSign(world))
    actor.browser = { id: browserId(random), newSince: simulatedNow(world) }
    await signIn(world, actor)
    return `${actor.name} signs in from a new browser`
  },
}
