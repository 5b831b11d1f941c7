import { parseArgs } from 'node:util'
import { benches } from './benches.ts'

/**
 * Runs a benchmark: `pnpm bench NAME [--must-hold PATTERN]`. A bench prints what it does and ends with one line of JSON:
 * the limits, the results, and whether they hold. Values are ratios within one run, because the absolute speed of a
 * machine says nothing about our code. With --must-hold it fails if a limit does not hold whose name the pattern matches,
 * for limits that do not depend on what else the machine does.
 */
const { values, positionals } = parseArgs({ options: { 'must-hold': { type: 'string' } }, allowPositionals: true })
const [name = ''] = positionals
const bench = benches[name]
if (!bench) {
  console.error(`There is no bench "${name}". There are: ${Object.keys(benches).join(', ')}`)
  process.exit(1)
}
const aims = await bench()
console.log(JSON.stringify({ name, aims }))
const pattern = values['must-hold']
if (pattern !== undefined) {
  const judged = aims.filter((aim) => new RegExp(pattern).test(aim.name))
  const missed = judged.filter(({ isMet }) => !isMet)
  for (const aim of missed) console.error(`does not hold: ${aim.name} is ${aim.value}, and must be ${aim.bound}`)
  if (judged.length === 0) console.error(`no limit of ${name} matches ${pattern}`)
  process.exit(missed.length === 0 && judged.length > 0 ? 0 : 1)
}
