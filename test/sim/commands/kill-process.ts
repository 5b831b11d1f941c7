import { isAnyNodeReachable } from '../conditions.ts'
import type { SupervisedProcess } from '../stack/supervised-process.ts'
import type { Command, World } from '../world.ts'

export const killApi: Command = {
  name: 'kill the api',
  weight: 3,
  isPossible: isAnyNodeReachable,
  async run({ stack }) {
    await stack.api.kill()
    stack.api.start()
    return 'the api is killed and started again'
  },
}

/** The process restarts at once, or after some steps. */
const killFor = (name: string, weight: number, processOf: (world: World) => SupervisedProcess): Command => ({
  name: `kill the ${name}`,
  weight,
  async run(world, random) {
    const process = processOf(world)
    await process.kill()
    const inSteps = random.between(0, 3)
    if (inSteps === 0) process.start()
    else world.repairs.push({ inSteps, what: `the ${name} is started`, repair: () => process.start() })
    return inSteps === 0 ? `the ${name} is killed and started again` : `the ${name} is killed and stays down`
  },
})

export const killWorker = killFor('worker', 5, ({ stack }) => stack.worker)
export const killSigner = killFor('signer', 4, ({ stack }) => stack.signer)
