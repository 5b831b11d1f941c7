import { sql } from 'kysely'
import { proposeEndOfStop } from '../modules/custody/index.ts'
import type { PoolIdentity } from '../modules/operators/index.ts'
import { wakeForDecisions } from '../modules/treasury/index.ts'
import type { Database } from '../platform/db/database.ts'
import { holdCeremony, signInTurn } from './operators.ts'
import { waitUntil } from './pool.ts'

/** Why the watcher or an asset is stopped. Null if nothing is. */
export async function readStopReason(owner: Database): Promise<string | null> {
  const { rows } = await sql<{ reason: string }>`
    select stopped_reason as reason from lode.chain_state where stopped_reason is not null
    union all select reason from lode.asset_stop`.execute(owner)
  return rows[0]?.reason ?? null
}

/** Two new operators end the present stop, and the running worker carries it out. Returns why it had stopped. */
export async function endStopByOperators(owner: Database, pool: PoolIdentity): Promise<string> {
  const { alice, bob } = await holdCeremony(owner, pool)
  const proposed = await proposeEndOfStop(owner, 'the cause is found')
  if (!proposed.ok) throw new Error(proposed.error)
  const { proposal, stop } = proposed.value
  await signInTurn(owner, pool, proposal, [alice, bob])
  await wakeForDecisions(owner)
  await waitUntil(async () => {
    const { rows } = await sql`
      select from lode.decision_outcome join lode.decision on decision.id = decision_id
      where verb = 'end-stop' and reason is null`.execute(owner)
    if (rows.length === 0) throw new Error('the worker has not ended the stop')
  })
  return stop.reason
}

/** Sets the posted block back as the database's owner, without a decision. */
export async function setPostedBack(owner: Database, number: bigint): Promise<void> {
  await sql`
    update lode.chain_state set posted_number = ${number}, posted_hash = null where posted_number > ${number}`.execute(
    owner,
  )
}
