import { moveClock, setDatabaseClock } from '../stack/clock.ts'
import type { Command } from '../world.ts'

const SPANS = [1, 61, 6 * 60, 31 * 60, 3 * 3_600, 13 * 3_600] as const

/** Past the lifetime of a message, of an idle session, of a session, and past midnight. */
export const clockMoves: Command = {
  name: 'move the clock',
  weight: 2,
  async run(world, random) {
    const seconds = random.pick(SPANS)
    await moveClock(world, seconds)
    return `${seconds} s pass`
  },
}

/** Enough time for quotas, caps and holds to end. */
export const daysPass: Command = {
  name: 'days pass',
  weight: 4,
  async run(world, random) {
    const hours = random.pick([24, 25, 48, 73])
    await moveClock(world, hours * 3_600)
    return `${hours} hours pass`
  },
}

const DAY_SECONDS = 86_400
const CLOCK_RESTORED = 'the clock goes right again'

/**
 * Only the database's clock goes back; a chain's time never does. Not while a reset waits, because its end would come
 * twice.
 */
export const clockGoesBack: Command = {
  name: 'the clock goes back',
  weight: 1,
  isPossible: ({ repairs, actors }) =>
    !repairs.some(({ what }) => what === CLOCK_RESTORED) && actors.every(({ reset }) => reset === null),
  async run(world, random) {
    const move = async (seconds: number) => {
      await setDatabaseClock(world.stack.ownerUrl, world.clockShift + seconds)
      world.clockShift += seconds
    }
    await move(-DAY_SECONDS)
    world.repairs.push({ inSteps: random.between(1, 4), what: CLOCK_RESTORED, repair: () => move(DAY_SECONDS) })
    return 'the clock goes back by a day'
  },
}
