import { sql } from 'kysely'
import { type Hex, toHex } from 'viem'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import type { AcknowledgedRestore, ReadAcknowledgedRestores } from '../operators/index.ts'
import { hashOfLines, type JournalLine, JournalProblem } from './journal.ts'

/** Throws a `JournalProblem` if the database lacks one of these lines: then it went back in time. */
export async function checkLinesInDatabase(connection: Database, lines: readonly JournalLine[]): Promise<void> {
  if (lines.length === 0) return
  const known = await readKnownHashes(
    connection,
    lines.map(({ hash }) => hash),
  )
  const lost = lines.find(({ hash }) => !known.has(hash))
  if (lost)
    throw new JournalProblem(
      `the database lacks release ${lost.release}, which this signer sent at ${lost.at}: the database went back in ` +
        'time. Run: lode restored',
    )
}

async function readKnownHashes(connection: Database, hashes: readonly Hex[]): Promise<Set<Hex>> {
  const { rows } = await sql<{ hash: Buffer }>`
    select hash from lode.release_form where hash = any (${hashes.map(bytesOf)}::bytea[])`.execute(connection)
  return new Set(rows.map(({ hash }) => toHex(hash)))
}

/** Up to which line the last restore that names this journal was acknowledged. Returns 0 if there was none. */
export function findAcknowledgedLines(acknowledged: readonly AcknowledgedRestore[], journal: Buffer): number {
  const named = acknowledged.find(({ journalLines, journalHash }) =>
    hashOfLines(journal, journalLines)?.equals(journalHash),
  )
  return named?.journalLines ?? 0
}

/** Throws a `JournalProblem` if `lode restored` has repaired this database, and no two operators have looked at it. */
export async function checkRestoreAcknowledged(
  connection: Database,
  readAcknowledged: ReadAcknowledgedRestores,
): Promise<void> {
  const { rows } = await sql<{ at: Date }>`
    select at from lode.restore order by number desc limit 1`.execute(connection)
  const [last] = rows
  if (last && !(await readAcknowledged(connection)).some(({ at }) => at >= last.at))
    throw new JournalProblem(
      'the database was restored, and two operators must acknowledge it. Run: lode restored acknowledge',
    )
}
