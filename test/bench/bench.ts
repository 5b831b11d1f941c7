import { benches } from './benches.ts'

/**
 * Runs a benchmark: `pnpm bench NAME`. A bench prints what it does and ends with one line of JSON: the limits, the
 * results, and whether they hold. Values are ratios within one run, because the absolute speed of a machine says
 * nothing about our code.
 */
const [name = ''] = process.argv.slice(2)
const bench = benches[name]
if (!bench) {
  console.error(`There is no bench "${name}". There are: ${Object.keys(benches).join(', ')}`)
  process.exit(1)
}
console.log(JSON.stringify({ name, aims: await bench() }))
