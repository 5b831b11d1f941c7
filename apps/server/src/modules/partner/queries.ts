import { type DayNumber, formatAmount, units } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { addressFromColumn } from '../../platform/chain/hex-column.ts'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Operators } from '../operators/index.ts'
import type { Plan } from '../plan/index.ts'
import { readLayers } from '../team/index.ts'
import { applicationSubject, determinePartnerStanding, formatRequirements, mayApply } from './rules.ts'

export async function readPartnerStatus(
  db: Database,
  member: bigint,
  plan: Plan | null,
  decimals: Decimals,
): Promise<Omit<DataOf<'partner/status'>, 'reward'>> {
  const { rows } = await sql<{
    now: Date
    applied_at: Date | null
    decided_at: Date | null
    note: string | null
    airdrop: string | null
    airdrop_paid: boolean | null
  }>`
    select lode.now() as now, application.applied_at, application.decided_at, application.note,
           partner.airdrop, partner.airdrop_paid
    from (values (${member}::bigint)) as viewer (member_id)
    left join lateral (
      select * from lode.partner_application where member_id = viewer.member_id order by id desc limit 1
    ) application on true
    left join lode.partner on partner.member_id = viewer.member_id`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the query for the partner status returned no row')
  const requirements = await readLayers(db, member)
  const application = row.applied_at && { appliedAt: row.applied_at, decidedAt: row.decided_at, note: row.note }
  const standing = determinePartnerStanding(application, row.airdrop !== null)
  const airdropAmount = row.airdrop === null ? plan?.partnerAirdrop : BigInt(row.airdrop)
  return {
    at: row.now.toISOString(),
    standing,
    ...formatRequirements(requirements),
    mayApply: mayApply(standing, requirements),
    appliedAt: row.applied_at?.toISOString() ?? null,
    decidedAt: row.decided_at?.toISOString() ?? null,
    note: row.note,
    airdrop:
      airdropAmount === undefined
        ? null
        : { amount: formatAmount(units('BTN', airdropAmount), decimals.BTN), paid: row.airdrop_paid },
  }
}

/** How many partners share in a day: those who were approved before it. */
export async function countPartnersOn(db: Database, day: DayNumber): Promise<number> {
  const { rows } = await sql<{ partners: number }>`
    select count(*)::int as partners from lode.partner where approved_day < ${day}`.execute(db)
  return rows[0]?.partners ?? 0
}

// ---- for operators --------------------------------------------------------------------------------------------------

export type ListedApplication = {
  readonly address: Address
  readonly appliedAt: Date
  /** With the keys that signed it. With one, it waits for a second operator; with two, for the worker. */
  readonly pendingDecisions: readonly { readonly verb: 'approve' | 'reject'; readonly signers: readonly string[] }[]
}

const MAX_LISTED = 100

/** The waiting applications, oldest first, at most a hundred. */
export async function listWaitingApplications(db: Database, operators: Operators): Promise<ListedApplication[]> {
  const { rows } = await sql<{ id: bigint; account: Buffer; applied_at: Date }>`
    select application.id, member.account, application.applied_at
    from lode.partner_application application join lode.member on member.id = application.member_id
    where application.decision_id is null order by application.id limit ${MAX_LISTED}`.execute(db)
  const decisions = await operators.readVerified(
    db,
    rows.map(({ id }) => applicationSubject(id)),
  )
  return rows.map(({ id, account, applied_at }) => ({
    address: addressFromColumn(account),
    appliedAt: applied_at,
    pendingDecisions: (decisions.get(applicationSubject(id)) ?? []).map(({ verb, signers }) => ({
      verb: verb === 'approve-partner' ? 'approve' : 'reject',
      signers,
    })),
  }))
}

export type ListedAppointment = {
  readonly address: Address
  readonly at: Date
  readonly airdrop: bigint
  /** Null if the airdrop is zero. */
  readonly airdropPaid: boolean | null
}

type AppointmentRow = { account: Buffer; at: Date; airdrop: string; airdrop_paid: boolean | null }

const toListedAppointments = (rows: readonly AppointmentRow[]): ListedAppointment[] =>
  rows.map(({ account, at, airdrop, airdrop_paid: airdropPaid }) => ({
    address: addressFromColumn(account),
    at,
    airdrop: BigInt(airdrop),
    airdropPaid,
  }))

/** All partners, newest first, at most a hundred. */
export async function listPartners(db: Database): Promise<ListedAppointment[]> {
  const { rows } = await sql<AppointmentRow>`
    select member.account, application.decided_at as at, partner.airdrop, partner.airdrop_paid
    from lode.partner
    join lode.partner_application application on application.id = partner.application_id
    join lode.member on member.id = partner.member_id
    order by application.decided_at desc, partner.member_id limit ${MAX_LISTED}`.execute(db)
  return toListedAppointments(rows)
}

/** All sharing experts, newest first, at most a hundred. */
export async function listExperts(db: Database): Promise<ListedAppointment[]> {
  const { rows } = await sql<AppointmentRow>`
    select member.account, expert.authorised_at as at, expert.airdrop, expert.airdrop_paid
    from lode.sharing_expert expert join lode.member on member.id = expert.member_id
    order by expert.authorised_at desc, expert.member_id limit ${MAX_LISTED}`.execute(db)
  return toListedAppointments(rows)
}

export type RefusedAppointment = { readonly address: string; readonly at: Date; readonly reason: string }

/** Decisions with these verbs that could not be carried out, newest first, at most a hundred. */
export async function listRefusedAppointments(
  db: Database,
  verbs: readonly ('authorise-expert' | 'approve-partner' | 'reject-partner')[],
): Promise<RefusedAppointment[]> {
  const { rows } = await sql<RefusedAppointment>`
    select decision.body::jsonb ->> 'address' as address, outcome.at, outcome.reason
    from lode.decision_outcome outcome join lode.decision on decision.id = outcome.decision_id
    where decision.verb = any(${verbs}) and outcome.reason is not null
    order by decision.id desc limit ${MAX_LISTED}`.execute(db)
  return rows
}
