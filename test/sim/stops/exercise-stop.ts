import { waitUntilCaughtUp } from '../open-world.ts'
import type { Random } from '../random.ts'
import { Violation, type World } from '../world.ts'
import { checkAfterStop, checkDuringStop, plainMembers, sendProbes } from './probes.ts'
import { readStops, type Stop } from './stop.ts'

type Exercise = {
  /** Whose money shows what stands still: one of the plain members, counted in their order. */
  readonly place: number
  /** Whether a requested transfer is paid at once. After a random history a hold may delay it. */
  readonly arePaidAtOnce: boolean
}

/**
 * Provokes a stop, looks what stands still and what goes on, ends it as docs/operations.md says, and checks that the
 * pool goes on. Everything must work before.
 */
export async function exerciseStop(
  world: World,
  stop: Stop,
  random: Random,
  { place, arePaidAtOnce }: Exercise,
): Promise<void> {
  try {
    await waitUntilCaughtUp(world)
    const members = plainMembers(world)
    const member = members[place % members.length]
    if (!member) throw new Error('there is no plain member')
    world.trace.log(`stop: ${stop.name} (${stop.how})`)
    const end = await stop.begin(world, random, member)
    const probes = await sendProbes(world, member, random)
    await checkDuringStop(world, probes, stop, arePaidAtOnce)
    await end()
    await checkAfterStop(world, probes, arePaidAtOnce)
    const left = await readStops(world)
    if (left.length > 0) throw new Violation(`it is stopped again: ${left.join('; ')}`)
    await waitUntilCaughtUp(world)
    await world.checker.check()
  } catch (error) {
    const told = error instanceof Violation ? error.message : error instanceof Error ? error.stack : String(error)
    throw new Violation(`in the stop "${stop.name}": ${told}`, { cause: error })
  }
}
