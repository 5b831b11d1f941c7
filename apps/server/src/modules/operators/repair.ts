import { ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../../platform/db/database.ts'
import { runTransaction } from '../../platform/db/transaction.ts'
import { parseBody } from './decision.ts'
import { findValidSignatures, type OperatorChain, type PoolIdentity } from './operator-chain.ts'
import {
  readOperatorChain,
  readStoredLinks,
  type SignatureColumns,
  signatureColumns,
  toSignatures,
} from './operators.ts'

/**
 * Removes invalid links, decisions and signatures, which someone with write access but without an operator's key wrote.
 * Only the owner of the database can do this. The triggers that refuse changes are disabled in this transaction only.
 */

type RemovedCounts = { readonly links: number; readonly decisions: number; readonly signatures: number }

const protectedTables = ['operator_link', 'decision_signature', 'decision'] as const

export async function removeInvalidDecisions(db: Database, pool: PoolIdentity): Promise<Result<RemovedCounts, string>> {
  try {
    return await runTransaction(db, async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtext('lode: decide'))`.execute(trx)
      for (const table of protectedTables)
        await sql`alter table ${sql.table(`lode.${table}`)} disable trigger refuse_change`.execute(trx)
      const links = await removeInvalidLinks(trx, pool)
      if (!links.ok) return links
      const { chain } = await readOperatorChain(trx, pool, null)
      const rest = await removeInvalidSignatures(trx, chain)
      for (const table of protectedTables)
        await sql`alter table ${sql.table(`lode.${table}`)} enable always trigger refuse_change`.execute(trx)
      return ok({ links: links.value, ...rest })
    })
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE)
      return refused('Only the owner of the database can do this: DATABASE_URL connects as another role.')
    throw error
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'

/** Deletes the links after the last valid one. */
async function removeInvalidLinks(trx: Database, pool: PoolIdentity): Promise<Result<number, string>> {
  const links = await readStoredLinks(trx)
  const { chain } = await readOperatorChain(trx, pool, null)
  // With the settings of another pool every link looks invalid. If there is a ledger, the caller has compared its pool.
  if (links.length > 0 && !chain && !(await hasLedger(trx)))
    return refused(
      'Even the first link is invalid, and the database does not know its pool yet: start the worker first.',
    )
  const { numAffectedRows = 0n } = await sql`
    delete from lode.operator_link where number > ${chain?.head.number ?? 0}`.execute(trx)
  return ok(Number(numAffectedRows))
}

async function hasLedger(trx: Database): Promise<boolean> {
  return (await sql`select from lode.chain_state`.execute(trx)).rows.length > 0
}

const DECISIONS_PER_PAGE = 500

/**
 * Deletes signatures that no present or former operator gave, the listed addresses that depend on them, and decisions
 * that have no signature left. Operator links and decisions with an outcome or a payout stay unchanged.
 */
async function removeInvalidSignatures(
  trx: Database,
  chain: OperatorChain | null,
): Promise<Pick<RemovedCounts, 'decisions' | 'signatures'>> {
  const removed = { decisions: 0, signatures: 0 }
  for (let after = 0n; ; ) {
    const { rows } = await sql<{ id: bigint; text: string } & SignatureColumns>`
      select decision.id, decision.body as text, ${signatureColumns} from lode.decision
      where decision.id > ${after}
        and not exists (select from lode.operator_link where decision_id = decision.id)
        and not exists (select from lode.decision_outcome where decision_id = decision.id)
        and not exists (select from lode.payout where decision_id = decision.id)
      order by decision.id limit ${DECISIONS_PER_PAGE}`.execute(trx)
    const last = rows.at(-1)
    if (!last) return removed
    after = last.id
    const wrong = rows.flatMap(({ id, text, ...columns }) =>
      findInvalidSigners(text, columns, chain).map((key) => ({ id, key })),
    )
    const empty = rows.filter(({ id, operators }) => wrong.filter((one) => one.id === id).length === operators.length)
    await sql`
      with wrong as (
        select * from unnest(${wrong.map(({ id }) => id)}::bigint[], ${wrong.map(({ key }) => key)}::bytea[]) as it (id, key))
      delete from lode.treasury_address as listing
      using wrong join lode.decision_signature as given on given.decision_id = wrong.id and given.operator = wrong.key
      where listing.decision_id = given.decision_id and given.place = listing.decision_place`.execute(trx)
    await sql`
      delete from lode.decision_signature as given
      using unnest(${wrong.map(({ id }) => id)}::bigint[], ${wrong.map(({ key }) => key)}::bytea[]) as wrong (id, key)
      where given.decision_id = wrong.id and given.operator = wrong.key`.execute(trx)
    await sql`delete from lode.decision where id = any(${empty.map(({ id }) => id)}::bigint[])`.execute(trx)
    removed.signatures += wrong.length
    removed.decisions += empty.length
  }
}

/** The keys with an invalid signature of this text, and the keys that never belonged to an operator. */
function findInvalidSigners(text: string, columns: SignatureColumns, chain: OperatorChain | null): Buffer[] {
  const body = parseBody(text)
  const signers = chain?.allOperators ?? (body?.verb === 'init' ? body.operators : [])
  const valid = new Set(findValidSignatures(text, toSignatures(columns), signers).map(({ operator }) => operator))
  return columns.operators.filter((operator) => !valid.has(operator.toString('hex')))
}
