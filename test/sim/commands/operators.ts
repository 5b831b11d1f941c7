import { simulatedNow } from '../stack/clock.ts'
import { type OperatorName, operatorNames } from '../stack/operators.ts'
import { plan } from '../stack/plan.ts'
import type { Command, World } from '../world.ts'

/** Transfers above the review size, whatever their state. */
const transfersToReview = ({ requestedTransfers }: World): World['requestedTransfers'] =>
  requestedTransfers.filter(({ wish: { size } }) => ['reviewed', 'decided', 'most', 'all'].includes(size)).slice(-6)

/** Operators act by the command line with their own keys: one, or both in turn. */
export const review: Command = {
  name: 'review a transfer',
  weight: 3,
  isPossible: (world) => transfersToReview(world).length > 0,
  async run(world, random) {
    const { id } = random.pick(transfersToReview(world))
    const verb = random.pick(['approve', 'approve', 'reject'] as const)
    const names = random.shuffled(operatorNames).slice(0, random.between(1, 2))
    if (id === null) return 'the operators have nothing to review'
    const said: string[] = []
    for (const name of names) {
      const refusal = verb === 'approve' ? await approve(world, id, name) : await reject(world, id, name)
      said.push(`${name}${refusal === null ? '' : ` (${refusal})`}`)
    }
    return `${said.join(' and ')} ${verb} ${id}`
  },
}

/** An attempt is recorded first, because it may succeed whatever the answer is. */
/** With --new, because the other operator may have begun the opposite. */
export async function approve(world: World, id: string, name: OperatorName): Promise<string | null> {
  const { approvals } = world.acknowledged
  approvals.set(id, new Set([...(approvals.get(id) ?? []), name]))
  return world.operators.decide(world.stack.ownerUrl, name, ['approve', id, '--new'])
}

async function reject(world: World, id: string, name: OperatorName): Promise<string | null> {
  world.acknowledged.rejections.add(id)
  return world.operators.decide(world.stack.ownerUrl, name, ['reject', id, 'not today', '--new'])
}

/** One operator pauses. Two resume, or the pause ends by itself. */
export const pausePayouts: Command = {
  name: 'pause payouts',
  weight: 2,
  async run(world, random) {
    const hours = random.pick([1, 30])
    const name = random.pick(operatorNames)
    const isResumed = random.chance(0.5)
    const { pauses } = world.acknowledged
    const until = simulatedNow(world) + hours * 3_600
    await world.operators.decide(world.stack.ownerUrl, name, ['pause', String(hours), 'we look into something'])
    const pause = { from: simulatedNow(world), until }
    pauses.push(pause)
    const resume = async () => {
      // Payouts may go on from the first signature on.
      for (const each of pauses) each.until = Math.min(each.until, simulatedNow(world))
      for (const each of operatorNames)
        await world.operators.decide(world.stack.ownerUrl, each, ['resume', 'it was nothing'])
    }
    if (isResumed)
      world.repairs.push({ inSteps: random.between(1, 5), what: 'two operators resume payouts', repair: resume })
    return `${name} pauses payouts for ${hours} hours`
  },
}

/** Both operators approve one waiting transfer of the size that needs two signatures, to check that it is then paid. */
export async function approveWaitingTransfer(world: World, isOpen: (id: string) => boolean): Promise<void> {
  const waiting = Array.from(world.acknowledged.transfers.values()).find(
    ({ id, asset, amount }) => isOpen(id) && amount > plan.transfer[asset].decisionAbove,
  )
  if (!waiting) return
  for (const name of operatorNames) await approve(world, waiting.id, name)
  world.trace.log(`     the operators approve ${waiting.id}`)
}
