import { randomInt } from 'node:crypto'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkAftermath } from './aftermath.ts'
import { findUngenerated } from './arguments.ts'
import { brokenBuilds } from './broken-builds.ts'
import { type Role, thiefRoles } from './catalog.ts'
import { openThiefPool, type ThiefPool } from './pool.ts'
import { trySequence } from './sequence.ts'

/**
 * `pnpm thief`: tries, with each database role, what a thief of its password could do. `--role api --seed N` repeats one
 * role of a run; `--sequences K` sets how many sequences each role tries; `--only I` prints sequence I; `--broken` checks
 * that the thief notices when a protection is missing.
 */
const { values } = parseArgs({
  options: {
    role: { type: 'string' },
    seed: { type: 'string' },
    sequences: { type: 'string', default: '300' },
    only: { type: 'string' },
    broken: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
  },
})

/** Every sequence that is played for good changes the pool for the next one. */
const MAX_FOR_GOOD = 300

const seed = Number(values.seed ?? randomInt(1, 1_000_000_000))
const sequences = Number(values.sequences)
const roles = thiefRoles.filter((role) => values.role === undefined || role === `lode_${values.role}`)
if (roles.length === 0) throw new Error(`the roles are ${thiefRoles.map((role) => role.slice(5)).join(', ')}`)

/** Returns whether everything that the role tried was refused or allowed. */
async function tryRole(pool: ThiefPool, role: Role): Promise<boolean> {
  const began = performance.now()
  const target = await pool.copy(`thief_${role}`, role)
  const missing = findUngenerated(target.catalog)
  if (missing.length > 0) {
    console.log(`${role}: the thief has no generator for this:\n  ${missing.join('\n  ')}`)
    return false
  }
  let accepted = 0
  const [first, end] = values.only === undefined ? [0, sequences] : [Number(values.only), Number(values.only) + 1]
  for (let number = first; number < end; number += 1) {
    const outcome = await trySequence(target, seed, number)
    if (outcome.accepted > 0) accepted += 1
    if (values.only !== undefined) console.log(outcome.transcript.join('\n'))
    if (outcome.findings.length === 0) continue
    console.log(`\n${role}, sequence ${number}:\n${outcome.transcript.join('\n')}\n\n${outcome.findings.join('\n')}`)
    console.log(`\nto replay it:\n  pnpm thief --role ${role.slice(5)} --seed ${seed} --only ${number}\n`)
    return false
  }
  const used = Array.from(target.uses.counts, ([name, count]) => `${name} ${count}`).join(', ')
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  console.log(
    `${role}: ${end - first} sequences, ${accepted} with an accepted transaction, none took anything (${used || 'no exception'}; ${seconds} s)`,
  )
  return true
}

/** Returns whether the thief notices every missing protection. */
async function tryBrokenBuilds(pool: ThiefPool): Promise<boolean> {
  let isCaught = true
  for (const [place, { name, role, caughtBy, play, isStale, change }] of brokenBuilds.entries()) {
    const copy = await pool.copy(`broken_${place}`, role, async (client) => void (await change(client)))
    const target = { ...copy, onlyPlay: play, isStale }
    let caught: string | undefined
    let number = 0
    for (; number < sequences && caught === undefined; number += 1)
      caught = (await trySequence(target, seed, number)).findings.find((finding) => caughtBy.test(finding))
    if (caught === undefined) isCaught = false
    console.log(caught === undefined ? `NOT CAUGHT: ${name}` : `caught by sequence ${number - 1}: ${name} (${caught})`)
  }
  return isCaught
}

console.log(
  `seed ${seed}; to replay it: pnpm thief --seed ${seed} --sequences ${sequences}${values.broken ? ' --broken' : ''}`,
)
const serverFolder = resolve(import.meta.dirname, '../../apps/server')
const pool = await openThiefPool(serverFolder, values.trace)
try {
  const results = values.broken
    ? [await tryBrokenBuilds(pool)]
    : await Promise.all(roles.map((role) => tryRole(pool, role)))
  if (!values.broken && values.only === undefined && roles.includes('lode_api'))
    await checkAftermath(pool.world, seed, Math.min(sequences, MAX_FOR_GOOD), serverFolder)
  process.exitCode = results.every(Boolean) ? 0 : 1
} finally {
  await pool.close()
}
