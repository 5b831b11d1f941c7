import { sql } from 'kysely'
import { type Address, toHex } from 'viem'
import { addressFromColumn } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import { findPauseEnd, isRestrictive, type Operators, PAYOUTS_SUBJECT } from '../operators/index.ts'
import { MAX_BATCH_SIZE, type PayoutRow, signerObeysApprovals } from '../payout/index.ts'
import type { Plan, Plans } from '../plan/index.ts'
import { LATE_AFTER_MINUTES, type TransferSnapshot } from './rules.ts'

/** The plan versions and the operators' decisions. Every caller of loadTransfers() passes them. */
export type PlansAndOperators = { readonly plans: Plans; readonly operators: Operators }

export type LoadedTransfer = TransferSnapshot & {
  readonly row: PayoutRow
  /** The member's own wallet. */
  readonly account: Address
  readonly rejectionNote: string | null
  /** The plan version of the request; null if this process cannot load it. */
  readonly plan: Plan | null
}

type FactsRow = {
  id: string
  now: Date
  account: Buffer
  disabled: boolean
  rejection_note: string | null
  changed_at: Date | null
  reset_ends_at: Date | null
  transfers_locked_until: Date | null
  signed_at: Date | null
  broadcast_at: Date | null
  form_hash: Buffer | null
  seen_tx: Buffer | null
  seen_at: Date | null
  others_first: boolean
  signer_seen_at: Date | null
  signer_obeys: boolean
}

/**
 * Loads these transfers with everything that their state depends on. The map's key is the transfer's id. The number of
 * statements does not grow with the number of transfers; only a plan version that is not cached costs extra ones.
 */
export async function loadTransfers(
  db: Database,
  rows: readonly PayoutRow[],
  { plans, operators }: PlansAndOperators,
): Promise<Map<string, LoadedTransfer>> {
  if (rows.length === 0) return new Map()
  const { rows: facts } = await sql<FactsRow>`
    select payout.id, lode.now() as now, member.account, member.disabled_at is not null as disabled, payout.rejection_note,
           own.changed_at, coalesce(own.reset_ends_at, own.reset_done_at) as reset_ends_at, own.transfers_locked_until,
           release.made_at as signed_at, release.broadcast_at, form.hash as form_hash, seen.tx as seen_tx, seen.time as seen_at,
           ${isFullReleaseAhead} as others_first, signer_state.seen_at as signer_seen_at, ${signerObeysApprovals} as signer_obeys
    from lode.payout
    join lode.member on member.id = payout.member_id
    left join lode.protection as own on own.member_id = payout.member_id
    left join lode.signer_state on true
    left join lode.release on release.number = payout.release_number
    left join lateral (
      select hash from lode.release_form where release_number = release.number order by attempt desc limit 1) as form on true
    left join lateral (
      select outgoing.tx, block.time
      from lode.chain_outgoing as outgoing join lode.chain_block as block on block.number = outgoing.block_number
      where outgoing.payout_id = payout.id order by outgoing.block_number desc limit 1) as seen on true
    where payout.id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(db)
  const factsOf = new Map(facts.map((fact) => [fact.id, fact]))

  const unsigned = rows.filter(({ ended, releaseNumber }) => ended === null && releaseNumber === null)
  const subjects = unsigned.length > 0 ? [PAYOUTS_SUBJECT, ...unsigned.map(({ id }) => transferSubject(id))] : []
  const decisions = await operators.readVerified(db, subjects)
  const payoutDecisions = decisions.get(PAYOUTS_SUBJECT) ?? []

  const planOf = new Map<number, Plan | undefined>()
  for (const { planVersion } of rows)
    if (planVersion !== null && !planOf.has(planVersion))
      planOf.set(planVersion, await plans.byVersion(db, planVersion))

  return new Map(
    rows.flatMap((row) => {
      const fact = factsOf.get(row.id)
      if (!fact) return []
      const plan = row.planVersion === null ? undefined : planOf.get(row.planVersion)
      const transfer: LoadedTransfer = {
        plan: plan ?? null,
        now: fact.now,
        row,
        account: addressFromColumn(fact.account),
        rejectionNote: fact.rejection_note,
        protections: {
          passwordChangedAt: fact.changed_at,
          resetEndsAt: fact.reset_ends_at,
          transfersLockedUntil: fact.transfers_locked_until,
        },
        disabled: fact.disabled,
        reviewSizes: plan?.transfer[row.asset] ?? null,
        decisions: decisions.get(transferSubject(row.id)) ?? [],
        release: fact.signed_at && {
          signedAt: fact.signed_at,
          broadcastAt: fact.broadcast_at,
          tx: fact.form_hash && toHex(fact.form_hash),
        },
        seen: fact.seen_tx && fact.seen_at && { tx: toHex(fact.seen_tx), at: fact.seen_at },
        pausedUntil: findPauseEnd(payoutDecisions, fact.now),
        pausedUntilIgnoringResumes: findPauseEnd(
          payoutDecisions.filter(({ verb }) => isRestrictive(verb)),
          fact.now,
        ),
        signer: { seenAt: fact.signer_seen_at, obeysApprovals: fact.signer_obeys },
        isFullReleaseAhead: fact.others_first,
      }
      return [[row.id, transfer] as const]
    }),
  )
}

/**
 * SQL expression: true if enough other payouts come before this one in the queue to fill a whole release. It is
 * computed only if the signer was to judge the transfer more than LATE_AFTER_MINUTES ago, and reads at most
 * MAX_BATCH_SIZE entries of the index `payout_to_look_at`.
 */
const isFullReleaseAhead = sql`
  case when payout.ended is null and payout.release_number is null
         and payout.look_at < lode.now() - make_interval(mins => ${LATE_AFTER_MINUTES}::int)
    then exists (
      select from lode.payout as other
      where other.ended is null and other.release_number is null and other.look_at < payout.look_at
      order by other.look_at offset ${MAX_BATCH_SIZE - 1} limit 1)
    else false end`

export const transferSubject = (id: string): string => `transfer:${id}`

/** Returns the id of the transfer that a decision with this subject is about; null if it is about something else. */
export const transferIdOf = (subject: string): string | null =>
  /^transfer:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(subject)?.[1] ?? null
