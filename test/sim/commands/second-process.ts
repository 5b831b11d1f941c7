import type { SupervisedProcess } from '../stack/supervised-process.ts'
import type { Command, World } from '../world.ts'

/** Two processes of the same kind run for a while. Neither may repeat the other's work. */
const second = (name: string, processOf: (world: World) => SupervisedProcess): Command => {
  const end = `the second ${name} is killed`
  return {
    name: `second ${name}`,
    weight: 3,
    isPossible: ({ repairs }) => !repairs.some(({ what }) => what === end),
    async run(world, random) {
      const other = processOf(world)
      other.start()
      world.repairs.push({ inSteps: random.between(3, 8), what: end, repair: () => other.kill() })
      return `a second ${name} is started`
    },
  }
}

export const secondWorker = second('worker', ({ stack }) => stack.otherWorker)
export const secondSigner = second('signer', ({ stack }) => stack.otherSigner)
