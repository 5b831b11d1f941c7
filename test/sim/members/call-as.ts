import { type DataOf, type RequestOf, type RouteName, routes } from '@lode/wire'
import { Violation, type World } from '../world.ts'
import type { Actor } from './actor.ts'
import { call } from './api-client.ts'
import { retryUntilAnswered, signIn } from './sign-in.ts'

export type Answer<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly reason: string | undefined }

/**
 * Repeats a request until it is answered, and signs in again if the session has ended. A request that changes something
 * has a key or may be made twice, so repeating it does no harm.
 */
export async function tryCallAs<Name extends RouteName>(
  world: World,
  actor: Actor,
  name: Name,
  input: RequestOf<Name>,
): Promise<Answer<DataOf<Name>>> {
  for (let attempt = 1; ; attempt += 1) {
    const token = actor.token ?? ''
    const reply = await retryUntilAnswered(world, () => call(world.stack.origin, name, input, { token }))
    if (reply.status === 401 && attempt === 1) {
      await signIn(world, actor)
      continue
    }
    if (reply.status !== 200) {
      const refusals: readonly string[] = routes[name].refusals
      const { reason } = reply.body
      if (reply.status === 400 || reply.status >= 500 || reason === undefined || !refusals.includes(reason))
        throw new Violation(`${name} answered ${actor.name}: ${JSON.stringify(reply.body)}`)
      return { ok: false, reason }
    }
    const parsed = routes[name].data.safeParse(reply.body.data)
    if (!parsed.success) throw new Violation(`${name} has another form than it should: ${parsed.error.message}`)
    return { ok: true, data: reply.body.data }
  }
}

/** The same, but throws on any refusal. */
export async function callAs<Name extends RouteName>(
  world: World,
  actor: Actor,
  name: Name,
  input: RequestOf<Name>,
): Promise<DataOf<Name>> {
  const answer = await tryCallAs(world, actor, name, input)
  if (!answer.ok) throw new Violation(`${name} refused ${actor.name}: ${answer.reason}`)
  return answer.data
}
