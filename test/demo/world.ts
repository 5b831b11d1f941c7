import { readFileSync } from 'node:fs'
import { addDays, dayOf, startOfDay } from '@lode/kernel'
import { shareCompiledSources } from '@lode/scripts/compile-cache'
import { operatorsIn } from '@lode/scripts/operators'
import {
  createRoot,
  examplePlan,
  lode,
  ourHelp,
  type ServerSettings,
  startApi,
  startSigner,
  startWorker,
} from '@lode/scripts/server'
import { privateKeyToAccount } from 'viem/accounts'
import { Random } from '../sim/random.ts'
import { Books } from './books.ts'
import { officeOf } from './calendar.ts'
import { cast, type Role } from './cast.ts'
import { Chain } from './chain.ts'
import { liveThrough, type World } from './day.ts'
import { livesOf, type Size } from './lives.ts'
import { accountOf, Member } from './member.ts'
import { pricesOf } from './prices.ts'

/**
 * Makes the demo's pool: members, days of history, and a few accounts of the development wallet in interesting states
 * (`cast.ts`).
 *
 * Nothing here writes a row directly. Members register, order, pay and collect through the api and on the chain;
 * operators decide by the command line; the worker follows the chain, closes days and returns pledges; the signer pays.
 * Only the time is set: the clocks of the database and the chain start on a day in the past and move from day to day
 * (`day.ts`). At the end both show the present time, and the ledger is sealed and audited.
 *
 * Everything is drawn from the seed (`lives.ts`), and nothing depends on timing: a seed gives the same figures every
 * time.
 */
type Ground = {
  /** The chain is before the first day and mines at once. The database is migrated and empty. */
  readonly settings: ServerSettings
  readonly operatorsFolder: string
  readonly size: Size
  /** When the history ends. Default: now. If it is set, the clocks stay there. */
  readonly end?: Date
  readonly say: (line: string) => void
  readonly signal?: AbortSignal
}

/** Faster than a real pool needs, and without rate limits. */
const HURRY = { RATE_LIMITS: 'off', CHAIN_POLL_MS: '40', SIGNER_POLL_MS: '250', LOG_LEVEL: 'fatal' }

export async function makeWorld({ operatorsFolder, size, end, say, signal, ...ground }: Ground): Promise<void> {
  const settings = { ...ground.settings, also: { ...ground.settings.also, ...HURRY } }
  const { ownerUrl } = settings
  const stops: (() => unknown)[] = []
  try {
    stops.push(await shareCompiledSources())
    const unlimited = cast.filter((role: Role) => role.hasUnlimitedAllowance).map(({ name }) => accountOf(name).address)
    const chain = new Chain(settings.chain.rpcUrl, settings.chain.id, settings.contracts, unlimited)
    const books = await Books.open(ownerUrl)
    stops.push(() => books.close())
    const today = dayOf(end ?? new Date())
    const dateOf = (day: number) => addDays(today, day - size.days)
    const setTime = async (at: Date | null): Promise<void> => {
      await (at ? books.setTime(at) : books.setTimeRight())
      await chain.setTime(at ?? new Date())
    }
    const moment = (day: number, hour: number) => new Date(startOfDay(dateOf(day)).getTime() + hour * 3_600_000)

    await chain.stopMining()
    await setTime(moment(0, 9))
    const rootCode = await createRoot(ownerUrl, accountOf('first').address)
    const operators = operatorsIn(operatorsFolder, settings)
    const ceremony = await operators.appoint()
    await Promise.all([operators.publish(examplePlan), lode(ownerUrl, ['help', 'import', ourHelp])])
    signal?.throwIfAborted()
    const running = await Promise.all(
      [startApi, startWorker, startSigner].map((start) =>
        start({ ...settings, ceremony }, { onLine: say, ...(signal && { signal }) }),
      ),
    )
    stops.push(() => Promise.all(running.map((one) => one.stop())))

    const origin = `http://127.0.0.1:${settings.apiPort}`
    const members = livesOf(size).map((life) => new Member(origin, size.seed, life))
    const [first] = members
    if (first) first.code = rootCode
    const market = privateKeyToAccount(new Random(size.seed, 'market').hex32())
    const hosting = privateKeyToAccount(new Random(size.seed, 'hosting').hex32())
    await chain.giveEther(market.address)
    const payees = { hosting: hosting.address, market: market.address }
    const world: World = {
      size,
      chain,
      books,
      members,
      office: officeOf(operators, ownerUrl, books, payees),
      levelPrices: levelPrices(),
      dayPrices: pricesOf(size),
      market,
    }
    for (let day = 0; day <= size.days; day += 1) {
      signal?.throwIfAborted()
      // At half past twelve, when the day before can be closed.
      await setTime(day < size.days ? moment(day, 12.5) : (end ?? null))
      await liveThrough(world, day, dateOf(day))
      if (day % 10 === 0) say(`day ${day} of ${size.days}`)
    }
    await books.work(['seal-ledger'])
    await lode(ownerUrl, ['audit']).catch(({ stdout }: { stdout?: string }) => {
      throw new Error(`The books are not in order:\n${stdout}`)
    })
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
}

/** The price of each level, in USDT. */
function levelPrices(): string[] {
  const plan = JSON.parse(readFileSync(examplePlan, 'utf8')) as { levels: { price: string }[] }
  return plan.levels.map(({ price }) => price)
}
