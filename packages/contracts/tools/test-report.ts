// For CI: runs the tests, leaves forge's report at the path given, and says in a few lines what became of them.

import { writeFileSync } from 'node:fs'
import { forge } from './forge.ts'

type Suite = { test_results: Record<string, { status: string; reason: string | null }> }

const [path] = process.argv.slice(2)
if (!path) throw new Error('Where to? node tools/test-report.ts FILE')

const { status, output } = forge(['test', '--json'], { capture: true })
// An invariant that fails writes lines of its own before the report.
const text = output.split('\n').findLast((line) => line.includes('"test_results"'))
if (text === undefined) throw new Error(`forge ended with ${status} and without a report:\n${output}`)
writeFileSync(path, text)

const results = Object.entries(JSON.parse(text) as Record<string, Suite>).flatMap(([suite, { test_results }]) =>
  Object.entries(test_results).map(([name, result]) => ({ name: `${suite} ${name}`, ...result })),
)
const failed = results.filter((result) => result.status !== 'Success')
for (const { name, reason } of failed) console.error(`FAILED ${name}: ${reason}`)
console.log(`${results.length - failed.length} contract tests passed, ${failed.length} failed`)
process.exit(status)
