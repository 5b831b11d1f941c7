import type { DataOf, RequestOf } from '@lode/wire'
import { Violation, type World } from '../world.ts'
import type { Actor } from './actor.ts'
import { type Answer, tryCallAs } from './call-as.ts'
import { fundPasswordOf } from './fund-password.ts'

type OrderRoute = 'promotion/order' | 'pledge/order'

/** Sends the same press several times. It has one effect and one answer. */
export async function sendOrderRepeatedly<Name extends OrderRoute>(
  world: World,
  actor: Actor,
  name: Name,
  asked: RequestOf<Name>,
  times: number,
): Promise<Answer<DataOf<Name>>> {
  const answers = await Promise.all(Array.from({ length: times }, () => tryCallAs(world, actor, name, asked)))
  const [first] = answers
  if (!first) throw new Error('nobody asked')
  const said = answers.map((answer) => (answer.ok ? answer.data.id : answer.reason))
  if (new Set(said).size > 1) throw new Violation(`${actor.name} was told different things about one order: ${said}`)
  return first
}

type PaymentChoice = {
  readonly method: 'online' | 'mixed' | 'balance'
  /** In percent: the part of the price that is paid from the balance, for mixed payment. */
  readonly share: number
}

/** Records that the actor orders, and returns the fund password if one is needed; null if there is none yet. */
export async function beginOrder(
  world: World,
  actor: Actor,
  { method }: PaymentChoice,
): Promise<{ readonly ordered: World['requestedOrders'][number]; readonly password: string | null } | null> {
  const ordered: World['requestedOrders'][number] = { actor, order: null }
  world.requestedOrders.push(ordered)
  if (method === 'online') return { ordered, password: null }
  const password = await fundPasswordOf(world, actor)
  return password === null ? null : { ordered, password }
}

/** The part to be paid from the balance. With `isAbove` it is more than the price. */
export function balancePartOf({ method, share }: PaymentChoice, cost: bigint, isAbove: boolean): bigint {
  if (method === 'online') return 0n
  if (isAbove) return cost + 1n
  return method === 'balance' ? cost : (cost * BigInt(share)) / 100n
}
