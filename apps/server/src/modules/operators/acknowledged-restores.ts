import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { SIGNATURES_NEEDED } from './operator-chain.ts'
import type { Operators } from './operators.ts'

/** A restore that two operators have acknowledged: the journal's first lines and the block that were compared. */
export type AcknowledgedRestore = {
  readonly at: Date
  readonly journalLines: number
  readonly journalHash: Buffer
  readonly chainBlock: bigint
}

export type ReadAcknowledgedRestores = (db: Database) => Promise<AcknowledgedRestore[]>

type AcknowledgedRow = { at: Date; lines: bigint; hash: Buffer; block: bigint; decision: bigint }

/**
 * Returns the function that reads the acknowledged restores, the one with the most lines first. Each must be signed by
 * two operators of its time. Pass null if no operator link is pinned, which production refuses: then the rows count as
 * they are.
 */
export function createAcknowledgedRestores(operators: Operators | null): ReadAcknowledgedRestores {
  const verified = new Set<bigint>()

  async function isVerified(db: Database, { at, lines, hash, block, decision }: AcknowledgedRow): Promise<boolean> {
    if (operators === null || verified.has(decision)) return true
    const found = await operators.readCarriedOut(db, decision, at)
    if (!found.ok || found.value.signers.length < SIGNATURES_NEEDED) return false
    const { body } = found.value
    const isSame =
      body.verb === 'acknowledge-restore' &&
      BigInt(body.lines) === lines &&
      body.journal === hash.toString('hex') &&
      BigInt(body.block) === block
    if (isSame) verified.add(decision)
    return isSame
  }

  return async (db) => {
    const { rows } = await sql<AcknowledgedRow>`
      select at, journal_lines as lines, journal_hash as hash, chain_block as block, decision_id as decision
      from lode.restore_acknowledged order by journal_lines desc, at desc`.execute(db)
    const acknowledged: AcknowledgedRestore[] = []
    for (const row of rows)
      if (await isVerified(db, row))
        acknowledged.push({
          at: row.at,
          journalLines: Number(row.lines),
          journalHash: row.hash,
          chainBlock: row.block,
        })
    return acknowledged
  }
}
