import { createHash } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import * as z from 'zod'
import type { Database } from '../../../platform/db/database.ts'
import type { NumberRange } from '../seal-chain.ts'
import { MAX_BIGINT, type Owners, ownersBetween } from './ranges.ts'
import { type ChainStart, findChainStart, readFirstHash } from './seals.ts'

/** In how many runs the older history is read again. */
export const RUNS_PER_ROUND = 30

/**
 * What an audit keeps outside the database, so that the next one need not read everything. Its size is the same for
 * every ledger. Nobody can change the history up to `seal` and still have a chain of seals that ends in this hash.
 *
 *     seals    1 ─────────────► rereadSeals ─────────────────────► seal.number ─────────────► newest
 *              read in this round           read in the runs to come            new: read now
 *                              └── a part of it is read now
 */
export type Checkpoint = {
  /** The hash of seal 1. It tells which ledger this is. */
  readonly ledger: string
  /** The newest seal of the last audit that found nothing wrong. */
  readonly seal: { readonly number: bigint; readonly hash: string }
  /** How many runs of this round have ended: 0 to 29. */
  readonly run: number
  /** In this round the seals up to this number were read again. */
  readonly rereadSeals: bigint
  /** In this round the owners up to this number were read again, members upwards and suspense downwards; null: none. */
  readonly rereadOwners: bigint | null
}

/** The checkpoint cannot be used. The message says why, and what to do. */
export class CheckpointRefused extends Error {
  /** Whether the ledger lacks what an earlier audit has seen. Then it is an error of the ledger, not of the file. */
  readonly isFinding: boolean

  constructor(message: string, { isFinding }: { isFinding: boolean }) {
    super(message)
    this.isFinding = isFinding
  }
}

/** The part of the older history that a run reads again. */
export type Reread = {
  readonly after: ChainStart
  readonly upToSeal: bigint
  /** The transactions that the seals in between make complete. */
  readonly transactions: NumberRange
  readonly owners: Owners
  /** The checkpoint's fields after this run. */
  readonly next: Pick<Checkpoint, 'run' | 'rereadSeals' | 'rereadOwners'>
}

const WAY_OUT = `If the database was restored from a backup: run a full audit with --seal and the newest seal that you noted
before the backup, and then begin with a new checkpoint file. Otherwise somebody removed or rewrote history.`

/** Returns where the new history begins. Throws if the ledger does not have the seal of the checkpoint. */
export async function findNewHistory(trx: Database, { ledger, seal }: Checkpoint): Promise<ChainStart> {
  const { rows } = await sql<{ newest: bigint }>`
    select coalesce(max(number), 0) as newest from lode.ledger_seal`.execute(trx)
  const newest = rows[0]?.newest ?? 0n
  const first = await readFirstHash(trx)
  if (first !== null && first !== ledger)
    throw new CheckpointRefused(
      'The checkpoint belongs to another ledger: their first seals differ. If it is the right file, the history was ' +
        'rewritten from its beginning.',
      { isFinding: false },
    )
  if (newest < seal.number)
    throw new CheckpointRefused(
      `The database is behind the checkpoint: its newest seal is number ${newest}, and the last audit saw number ` +
        `${seal.number}.\n${WAY_OUT}`,
      { isFinding: true },
    )
  const start = await findChainStart(trx, seal.number)
  if (start?.seal?.hash !== seal.hash)
    throw new CheckpointRefused(
      `Seal ${seal.number} is not the one that the last audit saw, which was ${seal.hash}.\n${WAY_OUT}`,
      { isFinding: true },
    )
  return start
}

/**
 * Returns what this run reads again. Each run takes an equal share of what the round has left, and the last one takes
 * all of it. The history only grows at its end, so a row is read in no later run than in the round before: no row is
 * unread for more than 30 runs.
 */
export async function planReread(trx: Database, checkpoint: Checkpoint): Promise<Reread> {
  const { seal, run, rereadSeals, rereadOwners } = checkpoint
  const { rows } = await sql<{ owners: bigint }>`
    select greatest((select coalesce(max(id), 0) from lode.member),
                    (select coalesce(-min(owner), 0) from lode.suspense_holder)) as owners`.execute(trx)
  const upToSeal = shareOf(rereadSeals, seal.number, run)
  const upToOwner = shareOf(rereadOwners ?? 0n, rows[0]?.owners ?? 0n, run)
  const isLast = run === RUNS_PER_ROUND - 1
  const after = await findReadSeal(trx, rereadSeals)
  const { seal: end } = await findReadSeal(trx, upToSeal)
  return {
    after,
    upToSeal,
    transactions: { first: after.seal ? after.seal.complete + 1n : -MAX_BIGINT, last: end?.complete ?? 0n },
    owners: ownersBetween(rereadOwners === null ? 0n : rereadOwners + 1n, isLast ? null : upToOwner),
    next: isLast
      ? { run: 0, rereadSeals: 0n, rereadOwners: null }
      : { run: run + 1, rereadSeals: upToSeal, rereadOwners: upToOwner },
  }
}

async function findReadSeal(trx: Database, number: bigint): Promise<ChainStart> {
  const start = await findChainStart(trx, number)
  if (start) return start
  throw new CheckpointRefused(`Seal ${number} is missing. An earlier audit has read it.\n${WAY_OUT}`, {
    isFinding: true,
  })
}

/** Up to where this run reads: the rest of the round, divided by the number of runs that it still has. */
export function shareOf(done: bigint, all: bigint, run: number): bigint {
  const runsLeft = BigInt(RUNS_PER_ROUND - run)
  const rest = all > done ? all - done : 0n
  return done + (rest + runsLeft - 1n) / runsLeft
}

// ---- the file ----------------------------------------------------------------------------------------------------------

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const natural = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,18})$/)
  .transform(BigInt)
const storedCheckpoint = z.strictObject({
  version: z.literal(1),
  ledger: hash,
  seal: z.strictObject({ number: natural, hash }),
  run: z.int().min(0).lt(RUNS_PER_ROUND),
  rereadSeals: natural,
  rereadOwners: natural.nullable(),
})
const storedFile = z.strictObject({ checkpoint: z.unknown(), sha256: hash })

/** Returns null if there is no such file. */
export async function readCheckpoint(path: string): Promise<Checkpoint | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new CheckpointRefused(`${path} cannot be read: ${error.message}`, { isFinding: false })
  })
  if (text === null) return null
  try {
    const { checkpoint, sha256 } = storedFile.parse(JSON.parse(text))
    if (digestOf(checkpoint) !== sha256) throw new Error('its checksum is wrong')
    const { version: _, ...fields } = storedCheckpoint.parse(checkpoint)
    return fields
  } catch {
    throw new CheckpointRefused(
      `${path} is damaged, or it is not a checkpoint of lode audit. Put a copy of it back. Without one, name a file ` +
        'that does not exist: the audit then reads everything and writes a new checkpoint.',
      { isFinding: false },
    )
  }
}

/** Replaces the file in one step: whoever ends the process in between leaves the old file as it was. */
export async function writeCheckpoint(path: string, fields: Checkpoint): Promise<void> {
  const checkpoint = JSON.parse(
    JSON.stringify({ version: 1, ...fields }, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  )
  const text = `${JSON.stringify({ checkpoint, sha256: digestOf(checkpoint) }, null, 2)}\n`
  const temporary = `${path}.new`
  const file = await open(temporary, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  // The rename itself must survive a power failure, too.
  const folder = await open(dirname(path), 'r')
  await folder.sync().finally(() => folder.close())
}

const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
