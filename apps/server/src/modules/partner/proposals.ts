import { ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import { type Operators, type Proposal, SIGNATURES_NEEDED, type SignedDecision } from '../operators/index.ts'
import type { Plan, Plans } from '../plan/index.ts'
import { applicationSubject, expertSubject } from './rules.ts'

/**
 * The proposals about sharing experts and partners. A proposal that could not be carried out is refused, with the
 * reason as text, so that no operator signs for nothing. The worker checks again before it carries a decision out.
 */

const WEEK_HOURS = 7 * 24

type ProposalDependencies = { readonly operators: Operators; readonly plans: Plans }

/** A proposal that needs two signatures. */
export type AppointmentProposal = {
  readonly proposal: Proposal
  /** Runs in the transaction of each signature. Refuses the signature if the decision can no longer be carried out. */
  checkAtSigning(trx: Database, decided: SignedDecision): Promise<Result<null, string>>
}

type ProposalResult = Promise<Result<AppointmentProposal, string>>

export async function proposeExpert(
  db: Database,
  dependencies: ProposalDependencies,
  address: Address,
): ProposalResult {
  const { rows } = await sql<{ expert: boolean }>`
    select expert.member_id is not null as expert
    from lode.member left join lode.sharing_expert expert on expert.member_id = member.id
    where member.account = ${bytesOf(address)}`.execute(db)
  const [member] = rows
  if (!member) return refused(`${address} is not the address of a member.`)
  if (member.expert) return refused(`${address} is a sharing expert already.`)
  const plan = await dependencies.plans.inForce(db)
  if (!plan) return refused(NO_PLAN)
  const terms = { address, ...airdropTerms(plan, plan.agentAirdrop) }
  return buildProposal(dependencies, plan, {
    verb: 'authorise-expert',
    subject: expertSubject(address),
    terms,
    needed: SIGNATURES_NEEDED,
    validHours: WEEK_HOURS,
  })
}

export async function proposePartnerApproval(
  db: Database,
  dependencies: ProposalDependencies,
  address: Address,
): ProposalResult {
  const application = await findWaitingApplication(db, address)
  if (application === null) return refused(noApplication(address))
  const plan = await dependencies.plans.inForce(db)
  if (!plan) return refused(NO_PLAN)
  const terms = { address, ...airdropTerms(plan, plan.partnerAirdrop) }
  const subject = applicationSubject(application)
  return buildProposal(dependencies, plan, {
    verb: 'approve-partner',
    subject,
    terms,
    needed: SIGNATURES_NEEDED,
    validHours: WEEK_HOURS,
  })
}

/** The second operator need not repeat the note of the first. */
export async function proposePartnerRejection(
  db: Database,
  dependencies: ProposalDependencies,
  { address, note }: { address: Address; note: string | undefined },
): ProposalResult {
  const application = await findWaitingApplication(db, address)
  if (application === null) return refused(noApplication(address))
  const terms = { address, ...(note === undefined ? {} : { note }) }
  const subject = applicationSubject(application)
  return buildProposal(dependencies, null, {
    verb: 'reject-partner',
    subject,
    terms,
    needed: SIGNATURES_NEEDED,
    validHours: WEEK_HOURS,
  })
}

const NO_PLAN = 'No plan is in force, so the airdrop is unknown.'
const noApplication = (address: Address): string => `No application of ${address} waits. See: lode partner list`

const airdropTerms = ({ version }: Plan, airdrop: bigint) => ({ planVersion: version, airdrop: String(airdrop) })

async function findWaitingApplication(db: Database, address: Address): Promise<bigint | null> {
  const { rows } = await sql<{ id: bigint }>`
    select application.id from lode.partner_application application
    join lode.member on member.id = application.member_id
    where member.account = ${bytesOf(address)} and application.decision_id is null`.execute(db)
  return rows[0]?.id ?? null
}

/** The first complete decision about a subject counts. A signature under another decision is refused after that. */
async function buildProposal(
  { operators, plans }: ProposalDependencies,
  plan: Plan | null,
  proposal: Proposal & { readonly subject: string },
): ProposalResult {
  return ok({
    proposal,
    async checkAtSigning(trx, { id }) {
      const decisions = (await operators.readVerified(trx, [proposal.subject])).get(proposal.subject) ?? []
      if (decisions.some((one) => one.id !== id && one.signers.length >= SIGNATURES_NEEDED))
        return refused('Two operators have decided about this already.')
      if (plan && (await plans.inForce(trx))?.version !== plan.version)
        return refused('Another version of the plan is in force now: run the command once more.')
      return ok(null)
    },
  })
}
