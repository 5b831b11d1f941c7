import { parseUnits } from 'viem'
import type { Acknowledged } from '../acknowledged.ts'
import { DECIMALS, type PlanFile } from '../stack/plan.ts'
import { ASSET_CODES, type Books, KIND, type LedgerTransaction, TYPE } from './books.ts'
import { accountLabel, describeMoves, type FindTransaction, hasExactMoves } from './moves.ts'

/**
 * Whether the member was an expert before this settlement. Appointments and settlements take the same lock, so their
 * ledger transactions are numbered in the order in which they happened.
 */
export function isExpertBefore(
  ledger: ReadonlyMap<string, LedgerTransaction>,
  member: bigint,
  settled: LedgerTransaction | undefined,
): boolean {
  const given = ledger.get(`${member} appointed:expert`)
  return given !== undefined && settled !== undefined && given.id < settled.id
}

/** Every expert and partner was appointed by two operators, and the reserve gave what the plan says. */
export function* appointmentFindings(
  books: Books,
  plans: readonly PlanFile[],
  { appointments }: Acknowledged,
  find: FindTransaction,
): Generator<string> {
  for (const { as, member, plan, airdrop, airdropPaid } of books.appointed) {
    const account = books.people.get(member)?.account ?? ''
    if ((appointments.get(`${as} ${account}`)?.size ?? 0) < 2)
      yield `member ${member} is ${as}, which two operators did not decide`
    const { agentAirdrop = '0', partnerAirdrop = '0' } = plans[plan - 1] ?? {}
    const due = parseUnits(as === 'expert' ? agentAirdrop : partnerAirdrop, DECIMALS.BTN)
    if (airdrop !== due) yield `member ${member} was promised ${airdrop} as ${as}, and plan ${plan} says ${due}`
    const given = find(member, `appointed:${as}`)
    // The reserve is so large compared with the airdrops that it always has this much left.
    if (!airdropPaid || !given) yield `${as} ${member} was given nothing (${airdropPaid})`
    const type = as === 'expert' ? TYPE.airdropForAgent : TYPE.airdropForPartner
    const must = new Map([
      [accountLabel(KIND.reserve.airdrop, 0n), -airdrop],
      [accountLabel(KIND.available, member), airdrop],
    ])
    if (given && (given.type !== type || !hasExactMoves(given, must, ASSET_CODES.BTN)))
      yield `${as} ${member} was given ${describeMoves(given)}`
  }
}
