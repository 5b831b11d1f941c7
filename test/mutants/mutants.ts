import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Random } from '../sim/random.ts'
import { areaOf, mutants } from './list.ts'
import type { Mutant } from './mutant.ts'
import { isContractTest } from './run-contract-tests.ts'
import { runTests } from './run-tests.ts'
import { makeWorkingCopy, type WorkingCopy } from './working-copy.ts'

/**
 * `pnpm mutants`: makes each small error of the list in a copy of the repository and runs the tests nearest to it.
 * `pnpm mutants PART…` runs only those whose file contains one of the parts. `--minutes N` starts none after N minutes;
 * the seed then decides which ones run, and is the commit unless `--seed TEXT` is given. Mutants of the contracts are left
 * out then, because each takes half a minute to compile. `--jobs N` runs N at a time.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string' }, seed: { type: 'string' }, jobs: { type: 'string', default: '2' } },
})

type Outcome = { readonly mutant: Mutant; readonly kind: 'killed' | 'survived' | 'equivalent' | 'stale' | 'broken' }

const root = resolve(import.meta.dirname, '../..')
const began = performance.now()
const minutes = () => (performance.now() - began) / 60_000
const seed =
  values.seed ?? execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
const chosen = mutants.filter(
  ({ file, tests }) =>
    (positionals.length === 0 || positionals.some((part) => file.includes(part))) &&
    !(values.minutes && tests.every(isContractTest)),
)
const queue = values.minutes ? new Random('mutants', seed).shuffled(chosen) : [...chosen]
const deadline = values.minutes ? Number(values.minutes) : Number.POSITIVE_INFINITY

const outcomes: Outcome[] = []
const unchangedRuns = new Map<string, Promise<boolean>>()
const copies = await Promise.all(Array.from({ length: Number(values.jobs) }, () => makeWorkingCopy(root)))
try {
  await Promise.all(copies.map(workThroughQueue))
} finally {
  await Promise.all(copies.map((copy) => copy.remove()))
}
process.exit(report())

async function workThroughQueue(copy: WorkingCopy): Promise<void> {
  while (minutes() < deadline) {
    const mutant = queue.shift()
    if (!mutant) return
    const started = performance.now()
    const kind = await judge(copy, mutant)
    outcomes.push({ mutant, kind })
    const seconds = ((performance.now() - started) / 1_000).toFixed(1)
    console.log(`${kind.padEnd(10)} ${seconds.padStart(6)} s  ${summaryOf(mutant)}`)
  }
}

/** A mutant with a reason must survive. If a test notices it, the reason is wrong. */
async function judge(copy: WorkingCopy, mutant: Mutant): Promise<Outcome['kind']> {
  const outcome = await copy.withEdit(mutant, () => runTests(copy.folder, mutant.tests, mutant.only))
  switch (outcome.kind) {
    case 'broken':
      console.log(outcome.printed)
      return 'broken'
    case 'passed':
      return mutant.reason ? 'equivalent' : 'survived'
    case 'failed':
      return (await passesUnchanged(copy, mutant)) ? (mutant.reason ? 'stale' : 'killed') : 'broken'
    case 'timed-out':
      return mutant.reason ? 'stale' : 'killed'
  }
}

/** Whether the tests pass without the error. Otherwise their failure says nothing. Each set of tests is run once. */
function passesUnchanged(copy: WorkingCopy, { tests, only }: Mutant): Promise<boolean> {
  const key = JSON.stringify([tests, only])
  const known = unchangedRuns.get(key)
  if (known) return known
  const run = runTests(copy.folder, tests, only).then((outcome) => {
    if (outcome.kind !== 'passed') console.log(`these tests fail without an error in the source: ${tests.join(', ')}`)
    return outcome.kind === 'passed'
  })
  unchangedRuns.set(key, run)
  return run
}

function summaryOf({ file, find, replace, reason }: Mutant): string {
  const line = (text: string) => text.trim().replaceAll(/\s+/g, ' ')
  return `${file}\n${' '.repeat(21)}${line(find)}  →  ${line(replace) || '(nothing)'}${reason ? `\n${' '.repeat(21)}${reason}` : ''}`
}

/** Prints the table and returns the exit code. */
function report(): number {
  const count = (kind: Outcome['kind'], area?: string) =>
    outcomes.filter((one) => one.kind === kind && (area === undefined || areaOf(one.mutant) === area)).length
  console.log(`\n${'area'.padEnd(16)}${['killed', 'survived', 'equivalent'].map((name) => name.padStart(12)).join('')}`)
  for (const area of new Set(mutants.map(areaOf)))
    if (outcomes.some(({ mutant }) => areaOf(mutant) === area))
      console.log(
        `${area.padEnd(16)}${(['killed', 'survived', 'equivalent'] as const).map((kind) => String(count(kind, area)).padStart(12)).join('')}`,
      )
  for (const kind of ['survived', 'stale', 'broken'] as const) {
    const meaning = {
      survived: 'no test notices these errors: add a test, or a reason if none is possible',
      stale: 'a test notices these errors: remove their reason',
      broken: 'the tests could not be run with these errors, or fail without them',
    }[kind]
    if (count(kind) > 0) console.log(`\n${meaning}`)
    for (const { mutant } of outcomes.filter((one) => one.kind === kind)) console.log(`  ${summaryOf(mutant)}`)
  }
  const judged = count('killed') + count('survived')
  const share = judged === 0 ? 0 : (100 * count('killed')) / judged
  console.log(
    `\n${outcomes.length} of ${mutants.length} mutants, seed ${seed}, ${minutes().toFixed(1)} minutes: ${count('killed')} killed, ` +
      `${count('survived')} survived, ${count('equivalent')} equivalent; ${share.toFixed(1)} % killed`,
  )
  return judged > 0 && count('survived') + count('stale') + count('broken') === 0 ? 0 : 1
}
