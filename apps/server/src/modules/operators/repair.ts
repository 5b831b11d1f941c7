import { ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../../platform/db/database.ts'
import { transaction } from '../../platform/db/transaction.ts'
import { countedSignatures, type OperatorChain, type Pool } from './chain.ts'
import { readBody } from './decision.ts'
import { readChain, type SignatureColumns, signatureColumns, signaturesOf, storedLinks } from './operators.ts'

/**
 * Removes invalid links, decisions and signatures, written by someone who has write access but no operator key. Only
 * the owner of the database can do this. The protecting triggers are disabled inside this transaction only.
 */

type TakenOut = { readonly links: number; readonly decisions: number; readonly signatures: number }

const guarded = ['operator_link', 'decision_signature', 'decision'] as const

export async function takeOutNonsense(db: Database, pool: Pool): Promise<Result<TakenOut, string>> {
  try {
    return await transaction(db, async (inside) => {
      await sql`select pg_advisory_xact_lock(hashtext('lode: decide'))`.execute(inside)
      for (const table of guarded)
        await sql`alter table ${sql.table(`lode.${table}`)} disable trigger refuse_change`.execute(inside)
      const links = await takeOutLinks(inside, pool)
      if (!links.ok) return links
      const { chain } = await readChain(inside, pool, null)
      const rest = await takeOutDecisions(inside, chain)
      for (const table of guarded)
        await sql`alter table ${sql.table(`lode.${table}`)} enable always trigger refuse_change`.execute(inside)
      return ok({ links: links.value, ...rest })
    })
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === NOT_ALLOWED)
      return refused('Only the owner of the database can do this: DATABASE_URL is of another role.')
    throw error
  }
}

const NOT_ALLOWED = '42501'

/** Deletes the links after the last valid one. */
async function takeOutLinks(inside: Database, pool: Pool): Promise<Result<number, string>> {
  const links = await storedLinks(inside)
  const { chain } = await readChain(inside, pool, null)
  // With the settings of another pool no link is valid. If there is a ledger, the caller compared its pool before.
  if (links.length > 0 && !chain && !(await hasBooks(inside)))
    return refused(
      'Not even the first link holds, and the books do not say yet which pool this is: start the worker first.',
    )
  const { numAffectedRows = 0n } = await sql`
    delete from lode.operator_link where number > ${chain?.head.number ?? 0}`.execute(inside)
  return ok(Number(numAffectedRows))
}

async function hasBooks(inside: Database): Promise<boolean> {
  return (await sql`select from lode.chain_state`.execute(inside)).rows.length > 0
}

const PAGE = 500

/**
 * Deletes signatures that no present or former operator gave, the listed addresses that depend on them, and decisions
 * without any other signature. Decisions that already had an effect stay unchanged.
 */
async function takeOutDecisions(
  inside: Database,
  chain: OperatorChain | null,
): Promise<Pick<TakenOut, 'decisions' | 'signatures'>> {
  const taken = { decisions: 0, signatures: 0 }
  for (let after = 0n; ; ) {
    const { rows } = await sql<{ id: bigint; text: string } & SignatureColumns>`
      select decision.id, decision.body as text, ${signatureColumns} from lode.decision
      where decision.id > ${after}
        and not exists (select from lode.operator_link where decision_id = decision.id)
        and not exists (select from lode.decision_outcome where decision_id = decision.id)
        and not exists (select from lode.payout where decision_id = decision.id)
      order by decision.id limit ${PAGE}`.execute(inside)
    const last = rows.at(-1)
    if (!last) return taken
    after = last.id
    const wrong = rows.flatMap(({ id, text, ...columns }) =>
      wrongSignatures(text, columns, chain).map((key) => ({ id, key })),
    )
    const empty = rows.filter(({ id, operators }) => wrong.filter((one) => one.id === id).length === operators.length)
    await sql`
      with wrong as (
        select * from unnest(${wrong.map(({ id }) => id)}::bigint[], ${wrong.map(({ key }) => key)}::bytea[]) as it (id, key))
      delete from lode.treasury_address as listing
      using wrong join lode.decision_signature as given on given.decision_id = wrong.id and given.operator = wrong.key
      where listing.decision_id = given.decision_id and given.place = listing.decision_place`.execute(inside)
    await sql`
      delete from lode.decision_signature as given
      using unnest(${wrong.map(({ id }) => id)}::bigint[], ${wrong.map(({ key }) => key)}::bytea[]) as wrong (id, key)
      where given.decision_id = wrong.id and given.operator = wrong.key`.execute(inside)
    await sql`delete from lode.decision where id = any(${empty.map(({ id }) => id)}::bigint[])`.execute(inside)
    taken.signatures += wrong.length
    taken.decisions += empty.length
  }
}

/** The keys whose stored signature is invalid, or which never belonged to an operator. */
function wrongSignatures(text: string, columns: SignatureColumns, chain: OperatorChain | null): Buffer[] {
  const body = readBody(text)
  const everyone = chain?.everyone ?? (body?.verb === 'init' ? body.operators : [])
  const right = new Set(countedSignatures(text, signaturesOf(columns), everyone).map(({ operator }) => operator))
  return columns.operators.filter((operator) => !right.has(operator.toString('hex')))
}
