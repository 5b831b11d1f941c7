import { sql } from 'kysely'
import type { Database } from '../platform/db/database.ts'

/**
 * Makes a sharing expert as if two operators had authorized it, without an airdrop. For tests of what follows from it.
 */
export async function insertExpert(owner: Database, member: bigint | number): Promise<void> {
  await sql`
    with decided as (
      insert into lode.decision (subject, verb, body, expires_at)
      values ('expert:' || ${String(member)}, 'authorise-expert', jsonb_build_object('nonce', gen_random_uuid())::text,
              lode.now() + interval '1 day')
      returning id
    ),
    signed as (
      insert into lode.decision_signature (decision_id, place, operator, signature)
      select id, place, decode(repeat('0' || place, 32), 'hex'), decode(repeat('00', 64), 'hex')
      from decided cross join generate_series(1, 2) as place
      returning decision_id
    )
    insert into lode.sharing_expert (member_id, decision_id, plan_version, airdrop)
    select ${member}, max(decision_id), 1, 0 from signed
    on conflict (member_id) do nothing`.execute(owner)
}
