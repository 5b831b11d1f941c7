import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import type { JournalDecision } from './journal.ts'
import type { PayoutRow } from './payout-row.ts'

/** The decisions that these payouts carry out, by their ids, as the journal keeps them. */
export async function readJournalDecisions(
  connection: Database,
  payouts: readonly PayoutRow[],
): Promise<Map<bigint, JournalDecision>> {
  const ids = payouts.flatMap(({ decisionId }) => decisionId ?? [])
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{
    id: bigint
    text: string
    at: Date
    operators: string[]
    signatures: string[]
    times: Date[]
  }>`
    select decision.id, decision.body as text, decision.at,
           array_agg(encode(operator, 'hex') order by place) as operators,
           array_agg(encode(signature, 'hex') order by place) as signatures,
           array_agg(given.at order by place) as times
    from lode.decision join lode.decision_signature given on given.decision_id = decision.id
    where decision.id = any (${ids.map(String)}::bigint[])
    group by decision.id`.execute(connection)
  return new Map(
    rows.map(({ id, text, at, operators, signatures, times }) => [
      id,
      {
        text,
        at: at.toISOString(),
        signatures: operators.flatMap((operator, index) => {
          const [signature, time] = [signatures[index], times[index]]
          return signature && time ? [{ operator, signature, at: time.toISOString() }] : []
        }),
      },
    ]),
  )
}
