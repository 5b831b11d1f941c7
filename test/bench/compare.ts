import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, rm } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { atMost, median, type Target } from './targets.ts'

/**
 * Measures the cost of a change: `pnpm bench compare FOLDER` measures the CPU time of single posts, promotions, closes
 * of a day and placements in this checkout and in another one, in turns within one run. CPU time depends less on other
 * work of the machine than elapsed time. The code in this folder measures both sides; it is copied into the other
 * checkout while it runs.
 *
 *     git worktree add ../before COMMIT && ../before/scripts/bootstrap
 *     pnpm bench compare ../before
 */
const PAIRS = Number(process.env.BENCH_PAIRS ?? 9)
const CLOSES_A_TURN = 20
const here = import.meta.dirname

export async function benchCompare(): Promise<Target[]> {
  const other = process.argv[3]
  if (!other) throw new Error('say which checkout to compare with: pnpm bench compare FOLDER')
  const copied = join(resolve(other), 'test/bench-of-another-checkout')
  await cp(here, copied, { recursive: true })
  const sides: BenchProcess[] = []
  try {
    const before = await startBenchProcess(copied)
    sides.push(before)
    const after = await startBenchProcess(here)
    sides.push(after)
    // The first turn of each side fills caches and compiles.
    await before.turn()
    await after.turn()
    const pairs: Pair[] = []
    for (let round = 1; round <= PAIRS; round += 1) {
      const load = loadavg()[0]?.toFixed(1)
      // The side that goes first leaves the processor in another state for the second, so they alternate.
      const pair: Pair =
        round % 2 === 1
          ? { before: await before.turn(), after: await after.turn() }
          : { after: await after.turn(), before: await before.turn() }
      pairs.push(pair)
      const shown = Object.keys(pair.before).map(
        (name) => `${name} ${Math.round(pair.before[name] ?? 0)} → ${Math.round(pair.after[name] ?? 0)}`,
      )
      console.log(`pair ${round}, load ${load}: ${shown.join(', ')} µs`)
    }
    const names = Object.keys(pairs[0]?.before ?? {})
    return names.map((name) => {
      const of = (side: keyof Pair) => median(pairs.map((pair) => pair[side][name] ?? Number.NaN))
      console.log(`${name}: ${Math.round(of('before'))} µs before, ${Math.round(of('after'))} µs after`)
      const ratios = pairs.map(({ before, after }) => (after[name] ?? Number.NaN) / (before[name] ?? Number.NaN))
      return atMost(`CPU of one ${name}, this checkout / other checkout`, median(ratios), 1.1)
    })
  } finally {
    await Promise.all(sides.map((side) => side.end()))
    await rm(copied, { recursive: true, force: true })
  }
}

type Pair = { readonly before: CpuTimes; readonly after: CpuTimes }
/** Microseconds of CPU time by operation. */
type CpuTimes = Readonly<Record<string, number>>
type BenchProcess = { turn(): Promise<CpuTimes>; end(): Promise<void> }

async function startBenchProcess(folder: string): Promise<BenchProcess> {
  const turns = PAIRS + 1
  const child = spawn(process.execPath, [join(folder, 'operations.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, BENCH_TURNS: String(turns), BENCH_ROUNDS: String(turns * CLOSES_A_TURN) },
  })
  // If a side has died, that is noticed when its answer is awaited.
  child.stdin.on('error', () => {})
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next()
    if (done) throw new Error('one side of the comparison has ended by itself')
    return value
  }
  while ((await nextLine()) !== 'ready');
  return {
    async turn() {
      child.stdin.write('turn\n')
      return JSON.parse(await nextLine()) as CpuTimes
    },
    async end() {
      child.stdin.end()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}
