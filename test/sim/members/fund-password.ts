import { simulatedNow } from '../stack/clock.ts'
import type { World } from '../world.ts'
import { type Actor, sign } from './actor.ts'
import { callAs, tryCallAs } from './call-as.ts'

const DAY_SECONDS = 86_400
const RESET_SECONDS = 3 * DAY_SECONDS

/** The actor's present fund password. Chooses one if there is none yet. Null if a reset must be waited for. */
export async function fundPasswordOf(world: World, actor: Actor): Promise<string | null> {
  const { reset } = actor
  // The reset is remembered for a while, because a clock that goes back undoes it.
  if (reset && simulatedNow(world) > reset.from) actor.password = reset.password
  if (reset && simulatedNow(world) > reset.from + 2 * DAY_SECONDS) actor.reset = null
  if (actor.password !== null) return actor.password
  if (reset) return null
  return actor.setupCode === null
    ? await recoverWithoutSetupCode(world, actor)
    : await chooseFirstPassword(world, actor, actor.setupCode)
}

async function chooseFirstPassword(world: World, actor: Actor, setupCode: string): Promise<string> {
  const newPassword = makePassword(actor, 'first')
  const answer = await tryCallAs(world, actor, 'account/fund-password', {
    account: actor.account,
    newPassword,
    setupCode,
  })
  // If the first answer was lost, the second one says that a password is already chosen.
  if (!answer.ok && answer.reason !== 'fund-password-chosen')
    throw new Error(`${actor.name} could not choose a fund password: ${answer.reason}`)
  actor.password = newPassword
  actor.setupCode = null
  return newPassword
}

/**
 * The registration's answer was lost, and the set-up code with it. Asks for a new code if no money has moved, or else
 * for a reset, which must be waited for.
 */
async function recoverWithoutSetupCode(world: World, actor: Actor): Promise<string | null> {
  const { account } = actor
  const { message } = await callAs(world, actor, 'account/challenge', { account, purpose: 'setup-code' })
  const signature = await sign(actor, message)
  const answer = await tryCallAs(world, actor, 'account/fund-password/setup-code', { account, message, signature })
  if (answer.ok) return await chooseFirstPassword(world, actor, answer.data.setupCode)
  await requestReset(world, actor)
  return null
}

/** Returns whether the reset began. */
export async function requestReset(world: World, actor: Actor): Promise<boolean> {
  const { account } = actor
  const newPassword = makePassword(actor, String(Math.floor(simulatedNow(world))))
  const { message } = await callAs(world, actor, 'account/challenge', { account, purpose: 'fund-password-reset' })
  const signature = await sign(actor, message)
  const answer = await tryCallAs(world, actor, 'account/fund-password/reset', {
    account,
    message,
    signature,
    newPassword,
  })
  // A signature can be used once. If its answer was lost, the reset has begun.
  const wasWaiting = actor.reset !== null && simulatedNow(world) < actor.reset.from
  const wasAnswerLost = !answer.ok && (answer.reason === 'signature-used' || !wasWaiting)
  if (!answer.ok && !wasAnswerLost) return false
  actor.reset = { password: newPassword, from: simulatedNow(world) + RESET_SECONDS }
  world.acknowledged.recordRevokedSessions(account, actor.token)
  return true
}

export const makePassword = ({ name }: Actor, which: string): string =>
  `${name}${which}`.replace(/[^0-9A-Za-z]/g, '').slice(0, 20)
