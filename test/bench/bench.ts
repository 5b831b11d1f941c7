import { benches } from './benches.ts'

/**
 * The one way to measure: `pnpm bench NAME`. A bench says what it does and ends with one line of JSON: what was aimed at, what
 * came out, and whether it holds. Values are ratios within one run, for a machine's absolute speed says nothing about us.
 */
const [name = ''] = process.argv.slice(2)
const bench = benches[name]
if (!bench) {
  console.error(`There is no bench "${name}". There are: ${Object.keys(benches).join(', ')}`)
  process.exit(1)
}
console.log(JSON.stringify({ name, aims: await bench() }))
