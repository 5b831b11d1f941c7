import { setTimeout as sleep } from 'node:timers/promises'
import { type DataOf, isRefusalCode } from '@lode/wire'
import { query } from '../query.ts'
import { Random } from '../random.ts'
import { Violation, type World } from '../world.ts'
import { type Actor, sign } from './actor.ts'
import { call, type Reply } from './api-client.ts'

type SignInAnswer = DataOf<'sign/login'>
export type SignedMessage = {
  readonly purpose: 'login' | 'register'
  readonly message: string
  readonly signature: string
}

const TIMEOUT_MS = 60_000

/** Gets a message from the api and signs it. Repeats the request until it is answered. */
export async function signMessage(world: World, actor: Actor): Promise<SignedMessage> {
  actor.invite ??= await drawInvitation(world, actor)
  const { invite } = actor
  const reply = await retryUntilAnswered(world, () =>
    call(world.stack.origin, 'sign/check', { account: actor.account, invite }),
  )
  const { action, message } = reply.body.data
  if (message === null) throw new Violation(`${actor.name} was given nothing to sign: ${JSON.stringify(reply.body)}`)
  if (actor.isMember && action !== 'login') throw new Violation(`${actor.name} is registered, and the api forgot it`)
  world.acknowledged.countSignature(actor.account)
  return { purpose: action, message, signature: await sign(actor, message) }
}

const RECENT_MEMBERS = 3

/** Usually the code of a recent member, so that the tree gets deep; sometimes of any member, or of the first one. */
async function drawInvitation(world: World, { account }: Actor): Promise<string> {
  const random = new Random('invitation', account)
  const members = Array.from(world.acknowledged.members)
  if (members.length === 0 || random.chance(0.1)) return world.rootCode
  const sponsor = random.pick(random.chance(0.75) ? members.slice(-RECENT_MEMBERS) : members)
  const found = 'select invite_code from lode.member where account = $1'
  const values = [Buffer.from(sponsor.slice(2), 'hex')]
  const [row] = await query<{ invite_code: string }>(world.stack.ownerUrl, found, values)
  if (!row) throw new Violation(`${sponsor} was registered, and is not there`)
  return row.invite_code
}

/** Sends the signed message once. */
export async function sendSigned(
  world: World,
  actor: Actor,
  { purpose, message, signature }: SignedMessage,
  options: { dropAfterMs?: number } = {},
): Promise<Reply<SignInAnswer>> {
  const at = world.clockShift + Date.now() / 1_000
  const { origin } = world.stack
  const { id: device } = actor.browser
  const reply =
    purpose === 'login'
      ? await call(origin, 'sign/login', { message, signature, lang: 'en', device }, options)
      : await call(
          origin,
          'sign/regist',
          { message, signature, invite: actor.invite ?? world.rootCode, lang: 'en', device },
          options,
        )
  if (reply.kind === 'answer' && reply.status === 200) {
    if ('setupCode' in reply.body.data) actor.setupCode = String(reply.body.data.setupCode)
    world.acknowledged.recordSignIn(actor.account, reply.body.data.token, at)
    actor.token = reply.body.data.token
    actor.isMember = true
  }
  return reply
}

/**
 * Signs in, with as many attempts as needed, and registers if the actor is not a member yet. Returns the number of
 * signatures.
 */
export async function signIn(world: World, actor: Actor): Promise<number> {
  const deadline = Date.now() + TIMEOUT_MS
  for (let signatures = 1; Date.now() < deadline; signatures += 1) {
    const signed = await signMessage(world, actor)
    const reply = await sendSigned(world, actor, signed)
    if (reply.kind === 'answer' && reply.status === 200) return signatures
    // An earlier request without an answer may have registered the actor.
    const registeredMeanwhile = reply.kind === 'answer' && reply.body.reason === 'account-registered'
    if (reply.kind === 'answer' && !isTemporarilyUnavailable(reply) && !registeredMeanwhile)
      throw makeRefusalViolation(actor, signed, reply.body.reason)
    await sleep(50)
  }
  throw new Violation(`${actor.name} could not sign in within ${TIMEOUT_MS / 1_000} s`)
}

/** Repeats a request while the api answers that it is unavailable. */
export async function retryUntilAnswered<Data>(
  world: World,
  ask: () => Promise<Reply<Data>>,
): Promise<Extract<Reply<Data>, { kind: 'answer' }>> {
  const deadline = Date.now() + TIMEOUT_MS
  while (Date.now() < deadline) {
    await world.stack.api.ready()
    const reply = await ask()
    if (reply.kind === 'answer' && !isTemporarilyUnavailable(reply)) return reply
    await sleep(50)
  }
  throw new Violation(`the api gave no answer within ${TIMEOUT_MS / 1_000} s`)
}

/** Temporarily unavailable, because of the database or the chain. Every other refusal is final. */
const isTemporarilyUnavailable = (reply: Extract<Reply<unknown>, { kind: 'answer' }>): boolean => reply.status === 503

function makeRefusalViolation(actor: Actor, signed: SignedMessage, reason: string | undefined): Violation {
  const known = isRefusalCode(reason) ? reason : `something unknown (${reason})`
  return new Violation(`${actor.name} wanted to ${signed.purpose} and was refused: ${known}`)
}
