import { readFileSync } from 'node:fs'
import { addDays, dayOf, startOfDay } from '@lode/kernel'
import { createStackOperators } from '@lode/scripts/operators'
import {
  createFirstMember,
  examplePlanFile,
  helpFolder,
  runLode,
  type ServerSettings,
  startApi,
  startSigner,
  startWorker,
} from '@lode/scripts/server'
import { privateKeyToAccount } from 'viem/accounts'
import { Random } from '../sim/random.ts'
import { cast, type Role } from './cast.ts'
import { Chain } from './chain.ts'
import { accountOf, Member } from './member.ts'
import { type DemoSize, drawMemberScripts } from './member-scripts.ts'
import { PoolDatabase } from './pool-database.ts'
import { pricesOf } from './prices.ts'
import { runDay, type World } from './run-day.ts'
import { makeOperatorActions } from './scheduled-decisions.ts'

/**
 * Makes the demo's pool: members, days of history, and a few accounts of the development wallet in interesting states
 * (`cast.ts`).
 *
 * Nothing here writes a row directly. Members register, order, pay and collect through the api and on the chain;
 * operators decide by the command line; the worker follows the chain, closes days and returns pledges; the signer pays.
 * Only the time is set: the clocks of the database and the chain start on a day in the past and move from day to day
 * (`run-day.ts`). At the end both show the present time, and the ledger is sealed and audited.
 *
 * Everything is drawn from the seed (`member-scripts.ts`), and nothing depends on timing: a seed gives the same figures every
 * time.
 */
type WorldOptions = {
  /** The chain is before the first day and mines at once. The database is migrated and empty. */
  readonly settings: ServerSettings
  readonly operatorsFolder: string
  readonly size: DemoSize
  /** When the history ends. Default: now. If it is set, the clocks stay there. */
  readonly end?: Date
  readonly log: (line: string) => void
  readonly signal?: AbortSignal
}

/** Faster than a real pool needs, and without rate limits. */
const FAST_POLLING = { RATE_LIMITS: 'off', CHAIN_POLL_MS: '40', SIGNER_POLL_MS: '250', LOG_LEVEL: 'fatal' }

export async function makeWorld({ operatorsFolder, size, end, log, signal, ...ground }: WorldOptions): Promise<void> {
  const settings = { ...ground.settings, extraEnvironment: { ...ground.settings.extraEnvironment, ...FAST_POLLING } }
  const { ownerUrl } = settings
  const stops: (() => unknown)[] = []
  try {
    const unlimited = cast.filter((role: Role) => role.hasUnlimitedAllowance).map(({ name }) => accountOf(name).address)
    const chain = new Chain(settings.chain.rpcUrl, settings.chain.id, settings.contracts, unlimited)
    const books = await PoolDatabase.open(ownerUrl)
    stops.push(() => books.close())
    const today = dayOf(end ?? new Date())
    const dateOf = (day: number) => addDays(today, day - size.days)
    const setTime = async (at: Date | null): Promise<void> => {
      await (at ? books.setTime(at) : books.resetTime())
      await chain.setTime(at ?? new Date())
    }
    const moment = (day: number, hour: number) => new Date(startOfDay(dateOf(day)).getTime() + hour * 3_600_000)

    await chain.stopMining()
    await setTime(moment(0, 9))
    const rootCode = await createFirstMember(ownerUrl, accountOf('first').address)
    const operators = createStackOperators(operatorsFolder, settings)
    const ceremony = await operators.appoint()
    await Promise.all([operators.publish(examplePlanFile), runLode(ownerUrl, ['help', 'import', helpFolder])])
    signal?.throwIfAborted()
    const running = await Promise.all(
      [startApi, startWorker, startSigner].map((start) =>
        start({ ...settings, ceremony }, { onLine: log, ...(signal && { signal }) }),
      ),
    )
    stops.push(() => Promise.all(running.map((one) => one.stop())))

    const origin = `http://127.0.0.1:${settings.apiPort}`
    const members = drawMemberScripts(size).map((life) => new Member(origin, size.seed, life))
    const [first] = members
    if (first) first.code = rootCode
    const market = privateKeyToAccount(new Random(size.seed, 'market').hex32())
    const hosting = privateKeyToAccount(new Random(size.seed, 'hosting').hex32())
    await chain.giveEther(market.address)
    const payees = { hosting: hosting.address, market: market.address }
    const world: World = {
      size,
      chain,
      database: books,
      members,
      operatorActions: makeOperatorActions(operators, books, payees),
      levelPrices: readLevelPrices(),
      dayPrices: pricesOf(size),
      market,
    }
    for (let day = 0; day <= size.days; day += 1) {
      signal?.throwIfAborted()
      // At half past twelve, when the day before can be closed.
      await setTime(day < size.days ? moment(day, 12.5) : (end ?? null))
      await runDay(world, day, dateOf(day))
      if (day % 10 === 0) log(`day ${day} of ${size.days}`)
    }
    await books.runJobs(['seal-ledger'])
    await runLode(ownerUrl, ['audit']).catch(({ stdout }: { stdout?: string }) => {
      throw new Error(`The audit found errors:\n${stdout}`)
    })
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
}

/** The price of each level, in USDT. */
function readLevelPrices(): string[] {
  const plan = JSON.parse(readFileSync(examplePlanFile, 'utf8')) as { levels: { price: string }[] }
  return plan.levels.map(({ price }) => price)
}
