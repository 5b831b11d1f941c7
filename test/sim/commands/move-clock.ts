import { moveClock } from '../clock.ts'
import type { Command } from '../world.ts'

const SPANS = [1, 61, 6 * 60, 31 * 60, 3 * 3_600, 13 * 3_600] as const

/** Past the life of a message, of an idle session, of a session, and over midnight. */
export const clockMoves: Command = {
  name: 'move the clock',
  weight: 2,
  async run(world, random) {
    const seconds = random.pick(SPANS)
    await moveClock(world, seconds)
    return `${seconds} s pass`
  },
}
