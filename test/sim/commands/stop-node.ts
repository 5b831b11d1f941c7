import { setTimeout as sleep } from 'node:timers/promises'
import type { ProxyMode } from '../stack/node-proxy.ts'
import type { Command } from '../world.ts'

export const stopNode: Command = {
  name: 'stop the node',
  weight: 3,
  async run({ stack }, random) {
    const milliseconds = random.between(50, 600)
    process.kill(stack.node.pid, 'SIGSTOP')
    await sleep(milliseconds)
    process.kill(stack.node.pid, 'SIGCONT')
    return `the node stands still for ${milliseconds} ms`
  },
}

/** Cuts one or both lines to the chain. What needs the agreement of two nodes has to wait. */
export const cutNodeConnection: Command = {
  name: 'cut a line to the node',
  weight: 4,
  isPossible: ({ stack }) => stack.nodeProxies.every(({ mode }) => mode === 'works'),
  async run(world, random) {
    const { nodeProxies } = world.stack
    const which = random.pick([[0], [1], [0, 1]])
    const mood = random.pick<ProxyMode>(['refuses', 'refuses', 'hangs'])
    const cut = nodeProxies.filter((_, place) => which.includes(place))
    for (const line of cut) line.mode = mood
    const restore = () => {
      for (const line of cut) line.mode = 'works'
    }
    const told = `${cut.length === 2 ? 'both lines' : `line ${which[0]}`} to the node`
    if (mood === 'hangs') {
      // A starting api would wait fifteen seconds for it, so the line is restored within the step.
      await sleep(random.between(100, 500))
      restore()
      return `${told} hang for a moment`
    }
    world.repairs.push({ inSteps: random.between(1, 4), what: `${told} work again`, repair: restore })
    return `${told} are cut`
  },
}
