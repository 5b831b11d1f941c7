import { ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { bytesOf } from '../../platform/chain/column.ts'
import type { Database } from '../../platform/db/database.ts'
import { type Decided, type Operators, type Question, TWO } from '../operators/index.ts'
import type { Plan, Plans } from '../plan/index.ts'
import { applicationSubject, expertSubject } from './rules.ts'

/**
 * The questions that operators decide about members. Each function refuses, with the reason, if the decision could not
 * be carried out, so that no operator signs in vain. The worker checks again before it carries a decision out.
 */

const WEEK_HOURS = 7 * 24

type Deciding = { readonly operators: Operators; readonly plans: Plans }

/** A question that needs two signatures. */
export type AppointmentQuestion = {
  readonly question: Question
  /** Runs in the transaction of each signature. Refuses it if the decision could no longer be carried out. */
  alsoCheck(inside: Database, decided: Decided): Promise<Result<null, string>>
}

type Asked = Promise<Result<AppointmentQuestion, string>>

export async function expertQuestion(db: Database, deciding: Deciding, address: Address): Asked {
  const { rows } = await sql<{ expert: boolean }>`
    select expert.member_id is not null as expert
    from lode.member left join lode.sharing_expert expert on expert.member_id = member.id
    where member.account = ${bytesOf(address)}`.execute(db)
  const [member] = rows
  if (!member) return refused(`${address} is nobody’s who is a member.`)
  if (member.expert) return refused(`${address} is a sharing expert already.`)
  const plan = await deciding.plans.inForce(db)
  if (!plan) return refused(NO_PLAN)
  const terms = { address, ...givenBy(plan, plan.agentAirdrop) }
  return asked(deciding, plan, {
    verb: 'authorise-expert',
    subject: expertSubject(address),
    terms,
    needed: TWO,
    validHours: WEEK_HOURS,
  })
}

export async function approvalQuestion(db: Database, deciding: Deciding, address: Address): Asked {
  const application = await waitingApplication(db, address)
  if (application === null) return refused(noApplication(address))
  const plan = await deciding.plans.inForce(db)
  if (!plan) return refused(NO_PLAN)
  const terms = { address, ...givenBy(plan, plan.partnerAirdrop) }
  const subject = applicationSubject(application)
  return asked(deciding, plan, { verb: 'approve-partner', subject, terms, needed: TWO, validHours: WEEK_HOURS })
}

/** The second operator need not repeat the note of the first. */
export async function rejectionQuestion(
  db: Database,
  deciding: Deciding,
  { address, note }: { address: Address; note: string | undefined },
): Asked {
  const application = await waitingApplication(db, address)
  if (application === null) return refused(noApplication(address))
  const terms = { address, ...(note === undefined ? {} : { note }) }
  const subject = applicationSubject(application)
  return asked(deciding, null, { verb: 'reject-partner', subject, terms, needed: TWO, validHours: WEEK_HOURS })
}

const NO_PLAN = 'No plan is in force: nothing says what is given for it.'
const noApplication = (address: Address): string => `No application of ${address} waits: lode partner list`

const givenBy = ({ version }: Plan, airdrop: bigint) => ({ planVersion: version, airdrop: String(airdrop) })

async function waitingApplication(db: Database, address: Address): Promise<bigint | null> {
  const { rows } = await sql<{ id: bigint }>`
    select application.id from lode.partner_application application
    join lode.member on member.id = application.member_id
    where member.account = ${bytesOf(address)} and application.decision_id is null`.execute(db)
  return rows[0]?.id ?? null
}

/** The first complete decision about a subject counts. A signature under another decision is refused after that. */
async function asked(
  { operators, plans }: Deciding,
  plan: Plan | null,
  question: Question & { readonly subject: string },
): Asked {
  return ok({
    question,
    async alsoCheck(inside, { id }) {
      const decisions = (await operators.verified(inside, [question.subject])).get(question.subject) ?? []
      if (decisions.some((one) => one.id !== id && one.operators.length >= TWO))
        return refused('Two operators have decided about this already.')
      if (plan && (await plans.inForce(inside))?.version !== plan.version)
        return refused('Another version of the plan is in force now: run the command once more.')
      return ok(null)
    },
  })
}
