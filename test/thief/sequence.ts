import type pg from 'pg'
import { Random } from '../sim/random.ts'
import type { Catalog, Role } from './catalog.ts'
import { findViolations } from './checker/check.ts'
import type { Uses } from './checker/exceptions.ts'
import { readState, type State } from './checker/state.ts'
import { plays } from './plays.ts'
import type { Sample } from './sample.ts'
import { Session, type Time } from './session.ts'

export type Target = {
  /** A superuser's connection to a pool that nobody else uses. */
  readonly client: pg.Client
  /** Another one to the same pool. It lets time pass while a transaction of the thief is open. */
  readonly clock: pg.Client
  readonly role: Role
  readonly sample: Sample
  readonly catalog: Catalog
  readonly before: State
  readonly uses: Uses
  /** The only play to run, by its name. Without it, all plays and random statements. */
  readonly onlyPlay?: string | undefined
  /** Whether every sequence runs in a transaction that began long ago. Without it, a few do. */
  readonly isStale?: boolean | undefined
}

export type Outcome = {
  readonly transcript: readonly string[]
  readonly accepted: number
  readonly findings: readonly string[]
}

/** Plays one sequence and rolls it back after the check. The seed and its number decide everything that is tried. */
export async function trySequence(target: Target, seed: number, number: number): Promise<Outcome> {
  const { client, role } = target
  if (target.isStale ?? new Random(seed, role, number, 'stale').chance(0.05))
    return tryStaleSequence(target, seed, number)
  await client.query('begin')
  try {
    const session = await play(target, seed, number, 'passes')
    // What the database refused has changed nothing.
    const findings = session.accepted === 0 ? [] : await findViolations(client, target)
    return { transcript: session.transcript, accepted: session.accepted, findings }
  } finally {
    await client.query('rollback')
  }
}

/** Longer than the 48 hours that an output address waits. */
const STALE_FOR = "interval '49 hours'"

/**
 * Plays one sequence in a transaction that sees the pool as it was 49 hours ago. Its rows must not claim to be that old.
 * Only the snapshot is old: lode.now() reads the shift of the clock in it. PostgreSQL's own clock cannot be moved, so a
 * transaction that has been open for long under read committed is not tried.
 */
async function tryStaleSequence(target: Target, seed: number, number: number): Promise<Outcome> {
  const { client, clock } = target
  await client.query('begin isolation level repeatable read; select from lode.clock')
  await clock.query(`update lode.clock set shift = shift + ${STALE_FOR}`)
  try {
    const before = await readState(clock)
    const session = await play(target, seed, number, 'stands still')
    const findings = session.accepted === 0 ? [] : await findViolations(client, { ...target, before })
    const transcript = [`-- the transaction began 49 hours ago, under repeatable read`, ...session.transcript]
    return { transcript, accepted: session.accepted, findings }
  } finally {
    await client.query('rollback')
    await clock.query(`update lode.clock set shift = shift - ${STALE_FOR}`)
  }
}

/** Plays one sequence for good. No time passes in it, because the chain of a running pool would not follow. */
export async function playForGood(target: Target, seed: number, number: number): Promise<Outcome> {
  const { client } = target
  await client.query('begin')
  const { transcript, accepted } = await play(target, seed, number, 'runs')
  await client.query('commit')
  return { transcript, accepted, findings: [] }
}

async function play(target: Target, seed: number, number: number, time: Time): Promise<Session> {
  const { client, role, sample, catalog, onlyPlay } = target
  const random = new Random(seed, role, number)
  // Some sequences play as directed; in the others every third or tenth step is wrong.
  const mutation = random.pick([0, 0.1, 0.3, 0.3])
  const session = new Session({ client, role, random, sample, catalog, mutation, time })
  const possible = plays.filter(({ roles, name }) => roles.includes(role) && name === (onlyPlay ?? name))
  if (onlyPlay !== undefined && possible.length === 0) throw new Error(`there is no play ${onlyPlay}`)
  const isRandom = onlyPlay === undefined && (possible.length === 0 || random.chance(0.4))
  for (let part = random.between(1, 2); part > 0; part -= 1) {
    if (!isRandom) {
      const directed = random.pick(possible)
      session.transcript.push(`-- ${directed.name}`)
      await directed.run(session)
      continue
    }
    if (random.chance(0.2)) await session.wait(random.pick([1, 24, 49, 720]))
    await session.transaction(async () => {
      for (let left = random.between(1, 3); left > 0; left -= 1) await session.anything()
    })
  }
  return session
}
