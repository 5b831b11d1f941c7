import { someLineWorks } from '../conditions.ts'
import type { Command } from '../world.ts'

export const killApi: Command = {
  name: 'kill the api',
  weight: 3,
  may: someLineWorks,
  async run({ stack }) {
    await stack.api.kill()
    stack.api.start()
    return 'the api is killed and started again'
  },
}

export const killWorker: Command = {
  name: 'kill the worker',
  weight: 5,
  async run(world, random) {
    const { worker } = world.stack
    await worker.kill()
    const inSteps = random.between(0, 3)
    if (inSteps === 0) worker.start()
    else world.repairs.push({ inSteps, what: 'the worker is started', repair: () => worker.start() })
    return inSteps === 0 ? 'the worker is killed and started again' : 'the worker is killed and stays down'
  },
}
