// Measures what the tests reach and fails below the threshold, per file. Only the pool's own contracts count.

import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { forge, packageRoot } from './forge.ts'

const THRESHOLD_PERCENT = 100

type Share = { found: number; hit: number }

mkdirSync(join(packageRoot, 'coverage'), { recursive: true })
const { status } = forge([
  ...['coverage', '--report', 'summary', '--report', 'lcov', '--report-file', 'coverage/lcov.info'],
  ...['--no-match-coverage', '(^test|^src/dev|node_modules)'],
  // Measured code is not optimised, so it is dearer than it will be.
  ...['--no-match-path', 'test/Gas.t.sol'],
])
if (status !== 0) process.exit(status)

const files = readFileSync(join(packageRoot, 'coverage/lcov.info'), 'utf8').split('end_of_record').slice(0, -1)
const low = files.flatMap((record) => {
  const name = /^SF:(.*)$/m.exec(record)?.[1] ?? 'a file without a name'
  const shares = { lines: share(record, 'L'), branches: share(record, 'BR') }
  return Object.entries(shares)
    .filter(([, { found, hit }]) => hit * 100 < found * THRESHOLD_PERCENT)
    .map(([what, { found, hit }]) => `${name}: ${hit} of ${found} ${what}`)
})
if (!files.some((record) => record.includes('PoolVault.sol'))) low.push('PoolVault.sol was not measured')

for (const line of low) console.error(`below ${THRESHOLD_PERCENT} %: ${line}`)
process.exit(low.length > 0 ? 1 : 0)

function share(record: string, kind: 'L' | 'BR'): Share {
  const read = (what: 'F' | 'H') => Number(new RegExp(`^${kind}${what}:(\\d+)$`, 'm').exec(record)?.[1] ?? 0)
  return { found: read('F'), hit: read('H') }
}
