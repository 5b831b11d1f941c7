import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CAST_PASSWORD, cast } from './cast.ts'
import { startDemoDatabases } from './demo-databases.ts'
import { type Figures, figuresOf } from './figures.ts'
import { fullSize } from './member-scripts.ts'
import { makeWorld } from './world.ts'

/**
 * Makes the demo in a folder of the development stack. The stack starts this program and reads its result there:
 *
 *     node test/demo/make.ts FOLDER [--members 2000] [--days 120] [--seed 1]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    members: { type: 'string', default: String(fullSize.members) },
    days: { type: 'string', default: String(fullSize.days) },
    seed: { type: 'string', default: String(fullSize.seed) },
  },
})
const [folder = '.'] = positionals
const size = { members: Number(values.members), days: Number(values.days), seed: Number(values.seed) }

// The parent may be killed without sending a signal.
const stopping = new AbortController()
const parent = process.ppid
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
setInterval(() => process.ppid !== parent && stopping.abort(), 500).unref()

const began = performance.now()
const secrets = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as Parameters<
  typeof startDemoDatabases
>[1]
const databases = await startDemoDatabases(folder, secrets, new Date(Date.now() - size.days * 86_400_000))
let summary: string[][] | null = null
try {
  await makeWorld({ ...databases, size, log: (line) => console.log(line), signal: stopping.signal })
  const seconds = Math.round((performance.now() - began) / 1_000)
  summary = [
    ['the demo', `${describeFigures(await figuresOf(databases.settings.ownerUrl))}; made in ${seconds} s`],
    ...cast
      .toSorted((one, other) => one.place - other.place)
      .map(({ name, place, shows }) => [`account ${place}`, `${name}: ${shows}`]),
    ['fund password', `${CAST_PASSWORD}; the new one has none yet. Account 1 is nobody yet, and can register`],
  ]
} catch (error) {
  if (!stopping.signal.aborted) throw error
} finally {
  await databases.close()
}
// Written only after everything is on disk, because this file marks the demo as complete.
if (summary) writeFileSync(join(folder, 'demo.json'), JSON.stringify(summary, null, 2))
else process.exitCode = 1

function describeFigures({
  members,
  activated,
  pledgers,
  days,
  quietDays,
  orders,
  rewards,
  transfers,
}: Figures): string {
  const number = (count: number): string => count.toLocaleString('en')
  return [
    ...[`${number(members)} members, ${number(activated)} of them activated, ${number(pledgers)} who pledged`],
    ...[`${number(orders)} orders, ${number(rewards)} rewards, ${number(transfers)} transfers out`],
    `${number(days)} days closed, ${number(quietDays)} of them with nothing to share out`,
  ].join('; ')
}
