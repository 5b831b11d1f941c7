import { sql } from 'kysely'
import { type Hex, toHex } from 'viem'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
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
export async function readAcknowledgedLines(connection: Database, journal: Buffer): Promise<number> {
  const { rows } = await sql<{ journal_lines: bigint; journal_hash: Buffer }>`
    select journal_lines, journal_hash from lode.restore_acknowledged order by journal_lines desc`.execute(connection)
  const named = rows.find((row) => hashOfLines(journal, Number(row.journal_lines))?.equals(row.journal_hash))
  return Number(named?.journal_lines ?? 0n)
}
