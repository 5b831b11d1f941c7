import { decidedStops } from './decided.ts'
import { lossStops } from './lost-money.ts'
import { restoreStops } from './restored.ts'
import type { Stop } from './stop.ts'
import { nodeStops } from './wrong-nodes.ts'
import { settingStops } from './wrong-settings.ts'

/** Every stop that the simulator exercises. A new one is an entry here; a test compares the list with the docs. */
export const stops: readonly Stop[] = [...nodeStops, ...settingStops, ...lossStops, ...decidedStops, ...restoreStops]
