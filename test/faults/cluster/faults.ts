import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Cluster } from '@lode/scripts/cluster'
import { contractVariablesOf, runLode } from '@lode/scripts/server'
import { startClusterStack } from '../../browser/cluster-stack.ts'
import { isWhole } from './database-nodes.ts'
import { type ClusterFault, faults } from './fault-list.ts'
import { MoneyLoad } from './money-load.ts'
import { restoreToRandomSeconds } from './restores.ts'

/**
 * `pnpm faults [NAME…] [--count N] [--seed S]`: starts the cluster, lets members pledge, and makes each fault happen,
 * by default as often as `pnpm deep` does. Prints a line for each: how long no command was acknowledged, and whether
 * everything runs again by itself. At the end every acknowledged pledge must be there once, and `lode audit --chain`
 * must find nothing.
 */
const { values, positionals } = parseArgs({
  options: { count: { type: 'string' }, seed: { type: 'string' } },
  allowPositionals: true,
})
/** Not a fault of the running cluster: it is restored beside it. */
const RESTORE = { name: 'restore', count: 10 }
const isChosen = ({ name }: { readonly name: string }) => positionals.length === 0 || positionals.includes(name)
const chosen = faults.filter(isChosen)
const names = [...faults, RESTORE].map(({ name }) => name)
if (positionals.some((name) => !names.includes(name))) {
  console.error(`The faults are: ${names.join(', ')}`)
  process.exit(1)
}

const seed = Number(values.seed ?? randomInt(1_000_000))
const MEMBERS = 6
/** Acknowledged pledges before a fault, so that there is something to lose. */
const LOAD_BEFORE_MS = 3_000
const HEALED_WITHIN_MS = 90_000
const STOPPED_WITHIN_MS = 30_000

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    stopping.abort()
    // What started is stopped by now or within this time.
    setTimeout(() => process.exit(1), STOPPED_WITHIN_MS)
  })

const began = performance.now()
// A member may send 20 commands with a password in a minute, which is too few to notice a short gap. So the limits are off.
const extraEnvironment = { RATE_LIMITS: 'off' }
const { stack, cluster, stop } = await startClusterStack({
  blockTimeSeconds: 1,
  signal: stopping.signal,
  extraEnvironment,
})
console.log(`seed ${seed}: the cluster runs after ${seconds(performance.now() - began)} s`)
const problems: string[] = []
try {
  const load = await MoneyLoad.prepare(stack, MEMBERS)
  load.start()
  for (const fault of chosen) await repeat(fault, load)
  if (isChosen(RESTORE))
    problems.push(...(await restoreToRandomSeconds(cluster, load, Number(values.count ?? RESTORE.count), seed)))
  await load.stop()
  await load.waitUntilPaid()
  const differences = await load.findDifferences()
  console.log(
    `${load.acknowledged.length} commands acknowledged, ${load.pressedAgain} pressed again, ${differences.length} lost or doubled, ${load.falseAnswers.length} false answers`,
  )
  problems.push(...differences.slice(0, 5), ...load.falseAnswers.slice(0, 5))
  const audit = await runLode(stack.ownerUrl, ['audit', '--chain', stack.chain.rpcUrl], undefined, {
    LODE_PROFILE: 'test',
    CHAIN_ID: String(stack.chain.chainId),
    ...contractVariablesOf(cluster.contracts),
  }).catch(({ stdout = '', stderr = '' }) => `${stdout}${stderr}`)
  if (!audit.includes('Nothing is wrong')) problems.push(audit)
  else console.log('lode audit --chain: nothing is wrong')
} finally {
  await stop()
}
for (const problem of problems) console.error(problem)
process.exit(problems.length === 0 ? 0 : 1)

async function repeat(fault: ClusterFault, load: MoneyLoad): Promise<void> {
  const count = Number(values.count ?? fault.count)
  const gaps: number[] = []
  const healed: number[] = []
  load.takeOut()
  for (let turn = 0; turn < count; turn += 1) {
    await sleep(LOAD_BEFORE_MS)
    const at = Date.now()
    await fault.run(cluster, turn, load)
    const acknowledgedBefore = load.acknowledged.length
    healed.push(await waitUntilHealed(cluster, () => load.acknowledged.length > acknowledgedBefore))
    gaps.push(load.longestGapSince(at))
  }
  const longest = Math.max(...gaps)
  console.log(
    `${fault.name} × ${count}: no command acknowledged for ${longest.toFixed(1)} s at most (${gaps.map((gap) => gap.toFixed(1)).join(', ')}), all runs again after ${Math.max(...healed).toFixed(1)} s`,
  )
  if (longest > fault.gapAtMost) problems.push(`${fault.name}: ${longest.toFixed(1)} s, at most ${fault.gapAtMost} s`)
}

/** Waits until all nodes, processes and commands are there again. Returns how long that took, in seconds. */
async function waitUntilHealed(cluster: Cluster, isAcknowledging: () => boolean): Promise<number> {
  const { apis, workers } = cluster.ports
  const from = Date.now()
  for (;;) {
    const ready = await Promise.all([...apis, ...workers].map(isReady))
    if ((await isWhole(cluster)) && ready.every(Boolean) && isAcknowledging()) return (Date.now() - from) / 1_000
    if (Date.now() - from > HEALED_WITHIN_MS) {
      const members = await cluster.database.members()
      throw new Error(`Not everything runs again: ${JSON.stringify({ members, ready, answers: isAcknowledging() })}`)
    }
    await sleep(250)
  }
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(3_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1)
}
