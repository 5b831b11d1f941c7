import { query } from '../query.ts'
import { operatorNames } from '../stack/operators.ts'
import { type Command, Violation, type World } from '../world.ts'

/** The worker stops, as after a contradiction of the chain. One operator cannot end it, two can. */
export const endStop: Command = {
  name: 'end a stop',
  weight: 2,
  async run(world, random) {
    const { ownerUrl } = world.stack
    const reason = `the simulator stopped it (${random.hex32().slice(2, 10)})`
    const [first, second] = random.shuffled(operatorNames)
    if (!first || !second) throw new Error('there are too few operators')
    world.acknowledged.stops.add(reason)
    await query(ownerUrl, `select lode.stop_chain('${reason}')`)
    await world.operators.endStop(ownerUrl, first)
    if (!(await isStopped(world, reason))) throw new Violation(`${first} alone ended the stop`)
    await world.operators.endStop(ownerUrl, second)
    // If the worker is away until the decision expires, the operators decide again.
    const repair = async () => {
      if (await isStopped(world, reason))
        for (const name of operatorNames) await world.operators.endStop(ownerUrl, name)
    }
    world.repairs.push({ inSteps: 4, what: 'the operators look whether the stop is over', repair })
    return `the worker stops; ${first} and ${second} end it`
  },
}

const isStopped = async ({ stack }: World, reason: string): Promise<boolean> =>
  (await query(stack.ownerUrl, `select 1 from lode.chain_state where stopped_reason = '${reason}'`)).length > 0

/** Two operators let the signer look up everything again. Meanwhile nothing is paid, and afterwards all of it. */
export const proveAgain: Command = {
  name: 'prove again',
  weight: 2,
  async run(world, random) {
    const names = random.shuffled(operatorNames)
    for (const name of names) await world.operators.proveAgain(world.stack.ownerUrl, name)
    return `${names.join(' and ')} let the signer prove again`
  },
}
