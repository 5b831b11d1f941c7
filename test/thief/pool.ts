import pg from 'pg'
import { openWorld } from '../sim/open-world.ts'
import type { Chain } from '../sim/stack/chain.ts'
import { DatabaseServer } from '../sim/stack/database.ts'
import { Operators } from '../sim/stack/operators.ts'
import { Trace } from '../sim/trace.ts'
import type { World } from '../sim/world.ts'
import { type Role, readCatalog } from './catalog.ts'
import { Uses } from './checker/exceptions.ts'
import { readState } from './checker/state.ts'
import { populate } from './populate.ts'
import { readSample } from './sample.ts'
import type { Target } from './sequence.ts'

const POOL_SEED = 1
const POOL = `sim_${POOL_SEED}`
/** The state of the pool before any thief came. */
const UNTOUCHED = 'thief_untouched'

export type ThiefPool = {
  /** The pool itself. Its processes are stopped, and can be started again. */
  readonly world: World
  /** A copy of the pool for one thief. `change` prepares it first. */
  copy(name: string, role: Role, change?: (client: pg.Client) => Promise<void>): Promise<Target>
  close(): Promise<void>
}

/** Makes the pool that every thief gets a copy of. */
export async function openThiefPool(serverFolder: string, isTraced: boolean): Promise<ThiefPool> {
  const stops: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    for (const stop of stops.toReversed()) await stop()
  }
  const trace = new Trace(isTraced)
  try {
    const database = await DatabaseServer.start(serverFolder)
    stops.push(() => database.stop())
    let operators: Operators | undefined
    stops.push(async () => operators?.end())
    const operatorsOf = async (chain: Chain): Promise<Operators> => {
      operators ??= await Operators.begin(chain, serverFolder)
      return operators
    }
    const { world, close: closeWorld } = await openWorld({
      seed: POOL_SEED,
      database,
      operatorsOf,
      trace,
      serverFolder,
    })
    stops.push(closeWorld)
    await populate(world)
    const { api, worker, signer } = world.stack
    await Promise.all([api, worker, signer].map((process) => process.kill()))
    await database.create(UNTOUCHED, POOL)
    return {
      world,
      copy: async (name, role, change) => {
        const url = await database.create(name, UNTOUCHED)
        const connect = async (): Promise<pg.Client> => {
          const client = new pg.Client({ connectionString: url })
          await client.connect()
          stops.push(() => client.end())
          return client
        }
        const client = await connect()
        await change?.(client)
        return readTarget(client, await connect(), role)
      },
      close,
    }
  } catch (error) {
    console.error(trace.text())
    await close()
    throw error
  }
}

/** What a thief of this role finds in the database of this connection. */
export const readTarget = async (client: pg.Client, clock: pg.Client, role: Role): Promise<Target> => ({
  client,
  clock,
  role,
  catalog: await readCatalog(client, role),
  sample: await readSample(client),
  before: await readState(client),
  uses: new Uses(),
})
