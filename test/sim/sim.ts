import { randomInt } from 'node:crypto'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { commands } from './commands/index.ts'
import { runMigration } from './run-migration.ts'
import { runSeed } from './run-seed.ts'
import { runStops } from './run-stops.ts'
import type { Chain } from './stack/chain.ts'
import { startDatabaseOfCluster } from './stack/cluster-database.ts'
import { DatabaseServer } from './stack/database.ts'
import { Operators } from './stack/operators.ts'
import { stops } from './stops/index.ts'
import { Trace } from './trace.ts'

/**
 * `pnpm sim`: runs the fixed seeds of every change, and a fresh one. `pnpm sim --seed N --steps M` replays one seed;
 * `--seeds K` runs 1 to K; `--trace` prints while it runs; `--commands A,B` draws from these only; `--server FOLDER`
 * starts the server of another folder; `--cluster` runs on three nodes of PostgreSQL, of which a crash promotes another. `--stops` exercises every kind of stop in one pool instead; `--stop TEXT` only
 * those whose name or cause contains the text. `--migrate` carries the pool to another vault halfway; with
 * `--forgetful` it must fail, because the old vault forgets which payouts it made.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    steps: { type: 'string', default: '40' },
    trace: { type: 'boolean', default: false },
    commands: { type: 'string' },
    server: { type: 'string' },
    cluster: { type: 'boolean', default: false },
    stops: { type: 'boolean', default: false },
    stop: { type: 'string', multiple: true },
    migrate: { type: 'boolean', default: false },
    forgetful: { type: 'boolean', default: false },
  },
})

const FIXED_SEEDS = [1, 2]
const artifacts = resolve(import.meta.dirname, '../../artifacts/sim')
const steps = Number(values.steps)
const areStopsRun = values.stops || values.stop !== undefined
const chosenStops = stops.filter(
  ({ name, how }) => values.stop === undefined || values.stop.some((text) => `${name} (${how})`.includes(text)),
)
const seeds = values.seed
  ? [Number(values.seed)]
  : areStopsRun || (values.migrate && !values.seeds)
    ? [1]
    : values.seeds
      ? Array.from({ length: Number(values.seeds) }, (_, place) => place + 1)
      : [...FIXED_SEEDS, randomInt(1_000, 1_000_000_000)]

const serverFolder = resolve(values.server ?? resolve(import.meta.dirname, '../../apps/server'))
const names = values.commands?.split(',')
const drawnFrom = names ? commands.filter(({ name }) => names.includes(name)) : commands
if (names && drawnFrom.length !== names.length) {
  console.error(`The commands are: ${commands.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}

// On a signal, the current step is the last one. Each part then stops what it started.
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort())
const database = values.cluster ? await startDatabaseOfCluster(serverFolder) : await DatabaseServer.start(serverFolder)
let operators: Operators | undefined
const operatorsOf = async (chain: Chain) => {
  operators ??= await Operators.begin(chain, serverFolder)
  return operators
}
let failed = 0
try {
  for (const seed of seeds) {
    const began = performance.now()
    const trace = new Trace(values.trace)
    const seconds = () => `${((performance.now() - began) / 1_000).toFixed(1)} s`
    try {
      const run = { seed, database, operatorsOf, trace, serverFolder, signal: ending.signal }
      const random = { ...run, steps, commands: drawnFrom }
      const became = areStopsRun
        ? await runStops({ ...run, stops: chosenStops })
        : values.migrate
          ? await runMigration({ ...random, isForgetful: values.forgetful })
          : // A run with chosen commands shows what they do, and nothing else.
            await runSeed({ ...random, stops: names ? [] : stops.filter(({ isQuick }) => isQuick) })
      const what = areStopsRun ? `${chosenStops.length} stops` : `${steps} steps`
      console.log(`seed ${seed}: ${what}, ${became}, every check passed (${seconds()})`)
    } catch (error) {
      failed += 1
      if (ending.signal.aborted) {
        console.log(`seed ${seed}: stopped early (${seconds()})`)
        break
      }
      const message = error instanceof Error ? error.message : String(error)
      const file = join(artifacts, `${seed}.log`)
      trace.save(file, message)
      if (!values.trace) console.log(trace.text())
      const also = `${values.cluster ? ' --cluster' : ''}${values.migrate ? ' --migrate' : ''}${values.commands ? ` --commands '${values.commands}'` : ''}${values.server ? ` --server ${serverFolder}` : ''}`
      console.log(`\nseed ${seed} failed (${seconds()}) ${message}\n\nkept in ${file}; to replay it:`)
      console.log(`  pnpm sim --seed ${seed} --steps ${steps} --trace${also}\n`)
    }
  }
} finally {
  await operators?.end()
  await database.stop()
}
console.log(failed === 0 ? `${seeds.length} seeds, every check passed` : `${failed} of ${seeds.length} seeds failed`)
process.exitCode = failed === 0 ? 0 : 1
