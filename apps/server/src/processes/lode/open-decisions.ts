import { type OpenDecision, readOpenDecisions, readValidChain, type Verb } from '../../modules/operators/index.ts'
import { createPlans } from '../../modules/plan/index.ts'
import { findHalfSigned, readWaitingTransfers } from '../../modules/transfer/index.ts'
import { decimalsOf } from '../../platform/config/pool-contracts.ts'
import { describeVerb } from './describe-verb.ts'
import { formatUtc } from './times.ts'
import type { PoolContext } from './with-database.ts'

/** A decision that needs another signature, of any kind, as operators see it. */
export type ListedOpenDecision = {
  readonly id: bigint
  readonly verb: Verb
  readonly signers: readonly string[]
  readonly signerKeys: readonly string[]
  readonly signedAt: Date
  readonly expiresAt: Date
  readonly purpose: string | null
  /** What it is about, such as a transfer or a member. Null while the second operator must type it. */
  readonly subject: string | null
}

const MAX_TRANSFERS = 200

/** All decisions that need another signature, or only those of these kinds, the first to expire first. */
export async function listOpenDecisions(
  context: PoolContext,
  verbs: readonly Verb[] | null = null,
): Promise<ListedOpenDecision[]> {
  const open = (await readOpenDecisions(context.db, context.pool)).map(toListed)
  const aboutTransfers = verbs === null ? await listAboutTransfers(context) : []
  return [...open, ...aboutTransfers]
    .filter(({ verb }) => verbs === null || verbs.includes(verb))
    .toSorted((one, other) => one.expiresAt.getTime() - other.expiresAt.getTime())
}

const toListed = ({ id, verb, signers, signedAt, expiresAt, purpose, body }: OpenDecision): ListedOpenDecision => ({
  id,
  verb,
  signers: signers.map(({ name }) => name),
  signerKeys: signers.map(({ key }) => key),
  signedAt,
  expiresAt,
  purpose,
  subject: body && ('address' in body ? body.address : body.subject),
})

async function listAboutTransfers({ db, pool, operators, contracts }: PoolContext): Promise<ListedOpenDecision[]> {
  const plans = createPlans({ decimals: decimalsOf(contracts), operators: null })
  const page = { after: 0n, limit: MAX_TRANSFERS }
  const { transfers } = await readWaitingTransfers(db, { plans, operators }, { status: 'half-signed' }, page)
  const chain = await readValidChain(db, pool)
  const names = new Map((chain.ok ? chain.value?.operators : undefined)?.map(({ key, name }) => [key, name]))
  return transfers.flatMap((transfer) =>
    findHalfSigned(transfer).map(({ id, verb, signers, firstSignedAt, expiresAt, body }) => ({
      id,
      verb,
      signers: signers.map((key) => names.get(key) ?? key),
      signerKeys: signers,
      signedAt: firstSignedAt,
      expiresAt,
      purpose: body.verb === 'reject' ? body.note : null,
      subject: body.subject,
    })),
  )
}

export const describeOpenDecisions = (open: readonly ListedOpenDecision[]): string[] => [
  'Waiting for another operator:',
  ...(open.length > 0 ? open.map((decision) => `  ${describeOpenDecision(decision)}`) : ['  nothing']),
]

export function describeOpenDecision({
  id,
  verb,
  signers,
  signedAt,
  expiresAt,
  purpose,
  subject,
}: ListedOpenDecision): string {
  const about = subject === null ? '' : ` (${subject})`
  const why = purpose === null ? '' : `: ${purpose}`
  return `${id}  ${describeVerb(verb)}${about}${why}\n      signed by ${signers.join(' and ')} on ${formatUtc(signedAt)}, expires on ${formatUtc(expiresAt)}`
}
