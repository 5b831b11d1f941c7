import { sql } from 'kysely'
import { bytesOf } from '../../../platform/chain/hex-column.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { PayoutRow } from '../payout-row.ts'
import type { JournaledPayout, JournaledRelease, Lost, LostVersion } from './compare-with-journal.ts'

/** What two operators acknowledge: the journal that was compared, and the last final block. */
export type ComparedState = {
  readonly journalLines: number
  readonly journalHash: Buffer
  readonly chainBlock: bigint
}

export type RestoreToStore = {
  readonly lost: Lost
  /** Open transfers whose money goes back to their members. */
  readonly returned: readonly PayoutRow[]
  readonly compared: ComparedState
}

export type RestoreCounts = { readonly sessions: number; readonly addresses: number; readonly resets: number }

/**
 * Stores everything that `lode restored` found, in one transaction of the owner. Stored again, it changes nothing: each
 * row is written once, and sessions and requests that began after the first time stay.
 */
export async function storeRestore(owner: Database, restore: RestoreToStore): Promise<RestoreCounts> {
  const { lost, returned, compared } = restore
  return owner.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('lode: restored'))`.execute(trx)
    for (const release of lost.releases) await storeRelease(trx, release)
    for (const version of lost.versions) await storeVersion(trx, version)
    for (const { payer, nonce, payouts } of lost.releases)
      await sql`
        update lode.payout set release_number = release.number, held_check = null, waits_for = null
        from lode.release
        where payer = ${bytesOf(payer)} and nonce = ${nonce}::bigint and ended is null
          and id = any (${payouts.map(({ id }) => id)}::uuid[])`.execute(trx)
    await refuseEndedSince(trx, lost)
    for (const payout of lost.payouts) await storeLostPayout(trx, payout)
    const isFirst = await beginRestore(trx, compared)
    if (!isFirst) return { sessions: 0, addresses: 0, resets: 0 }
    await sql`
      insert into lode.returned_transfer (payout_id)
      select id from lode.payout
      where id = any (${returned.map(({ id }) => id)}::uuid[]) and ended is null and release_number is null
      on conflict do nothing`.execute(trx)
    return endWhatMembersBegan(trx)
  })
}

/** A payout may have ended after the comparison, which would have refused it. From now on it is in its release. */
async function refuseEndedSince(trx: Database, { signedPayouts, endedUnpaid }: Lost): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from lode.payout
    where id = any (${Array.from(signedPayouts)}::uuid[]) and ended <> 'final'
      and id <> all (${endedUnpaid.flatMap(({ payoutIds }) => payoutIds)}::uuid[])`.execute(trx)
  if (rows.length > 0)
    throw new Error(`${rows.map(({ id }) => id).join(' and ')} ended after the comparison: run lode restored again`)
}

async function storeRelease(trx: Database, release: JournaledRelease): Promise<void> {
  const { kind, payer, nonce, call, gas, at, burn } = release
  await sql`
    insert into lode.release (kind, payer, nonce, call, gas, made_at, burned)
    values (${kind}, ${bytesOf(payer)}, ${nonce}::bigint, ${bytesOf(call)}, ${gas}::bigint, ${at}::timestamptz,
            ${burn}::numeric)
    on conflict do nothing`.execute(trx)
}

async function storeVersion(trx: Database, version: LostVersion): Promise<void> {
  const { payer, nonce, attempt, hash, raw, maxFee, maxPriorityFee, at } = version
  await sql`
    insert into lode.release_form (release_number, attempt, hash, raw, max_fee, max_priority_fee, signed_at)
    select number, ${attempt}, ${bytesOf(hash)}, ${bytesOf(raw)}, ${maxFee}::numeric, ${maxPriorityFee}::numeric,
           ${at}::timestamptz
    from lode.release where payer = ${bytesOf(payer)} and nonce = ${nonce}
    on conflict do nothing`.execute(trx)
}

/** A payout without the facts that its table requires cannot be made again, and is left out. */
async function storeLostPayout(trx: Database, payout: JournaledPayout): Promise<void> {
  if (!isRestorable(payout)) return
  const { decision } = payout
  await sql`
    insert into lode.lost_payout (id, kind, asset, amount, address, requested_at, account, fee, fee_burned, plan_version,
                                  level, address_bound_at, device_seen_at, decision, decision_at, operators, signatures, signed_at)
    values (${payout.id}, ${payout.kind}, ${payout.asset}, ${payout.amount}::numeric, ${bytesOf(payout.to)},
            ${payout.requestedAt}::timestamptz, ${payout.member && bytesOf(payout.member)}, ${payout.fee}::numeric,
            ${payout.feeBurned}::numeric, ${payout.planVersion}, ${payout.level}, ${payout.addressBoundAt}::timestamptz,
            ${payout.deviceSeenAt}::timestamptz, ${decision?.text ?? null}, ${decision?.at ?? null}::timestamptz,
            ${decision?.signatures.map(({ operator }) => Buffer.from(operator, 'hex')) ?? null}::bytea[],
            ${decision?.signatures.map(({ signature }) => Buffer.from(signature, 'hex')) ?? null}::bytea[],
            ${decision?.signatures.map(({ at }) => at) ?? null}::timestamptz[])
    on conflict do nothing`.execute(trx)
}

/** Whether the journal has what it takes to make the payout again. */
export const isRestorable = ({ kind, member, planVersion, level, decision }: JournaledPayout): boolean =>
  kind === 'transfer' ? member !== null && planVersion !== null && level !== null : decision !== null

/** Records this restore. False if it is already recorded and nobody has acknowledged it yet. */
async function beginRestore(trx: Database, { journalLines, journalHash, chainBlock }: ComparedState): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    select exists (
      select from lode.restore
      where not exists (select from lode.restore_acknowledged given where given.at >= restore.at)) as open`.execute(trx)
  const isFirst = rows[0]?.open !== true
  await sql`
    insert into lode.restore (restored_to, journal_lines, journal_hash, chain_block)
    select coalesce(
             (select restored_to from lode.restore where not ${isFirst} order by number desc limit 1),
             ${LAST_KNOWN_MOMENT}),
           ${journalLines}, ${journalHash}, ${String(chainBlock)}::bigint`.execute(trx)
  return isFirst
}

/** The last thing that members did. The worker writes none of these times, so it may run before `lode restored`. */
const LAST_KNOWN_MOMENT = sql`
  greatest((select max(created_at) from lode.session), (select max(at) from lode.security_line),
           (select max(requested_at) from lode.payout where kind = 'transfer'), (select min(created_at) from lode.member))`

/**
 * Ends all sessions, and drops requests for an output address and resets that were waiting at the restored moment:
 * members may have ended or canceled them later. They see it in their security log.
 */
async function endWhatMembersBegan(trx: Database): Promise<RestoreCounts> {
  const { rows } = await sql<{ moment: Date }>`
    select restored_to as moment from lode.restore order by number desc limit 1`.execute(trx)
  const moment = rows[0]?.moment
  const addresses = await sql`
    with dropped as (
      update lode.output_address set cancelled_at = ${moment}
      where cancelled_at is null and asked_at <= ${moment} and signature_valid is not false
        and (binds_at > ${moment} or signature is not null and signature_valid is null)
      returning member_id, address)
    insert into lode.security_line (member_id, at, kind, address)
    select member_id, lode.now(), 'output-address-cancelled', address from dropped returning id`.execute(trx)
  const resets = await sql`
    with dropped as (
      update lode.protection set reset_hash = null, reset_asked_at = null, reset_ends_at = null
      where reset_ends_at > ${moment} returning member_id)
    insert into lode.security_line (member_id, at, kind)
    select member_id, lode.now(), 'reset-cancelled' from dropped returning id`.execute(trx)
  const sessions = await sql<{ sessions: bigint }>`
    with ended as (delete from lode.session returning member_id),
         line as (
           insert into lode.security_line (member_id, at, kind)
           select distinct member_id, lode.now(), 'sessions-revoked' from ended)
    select count(*) as sessions from ended`.execute(trx)
  return {
    sessions: Number(sessions.rows[0]?.sessions ?? 0n),
    addresses: addresses.rows.length,
    resets: resets.rows.length,
  }
}
