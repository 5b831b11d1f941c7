import { createHash } from 'node:crypto'
import { readNoticeTitle } from '../../modules/content/index.ts'
import {
  canonicalJson,
  describeVerb,
  type OpenDecision,
  readOpenDecisions,
  readWithdrawals,
  type Verb,
} from '../../modules/operators/index.ts'
import { createPlans } from '../../modules/plan/index.ts'
import { findHalfSigned, type LoadedTransfer, readWaitingTransfers } from '../../modules/transfer/index.ts'
import { decimalsOf } from '../../platform/config/pool-contracts.ts'
import { readOperatorNames } from './operator-names.ts'
import { tell } from './terminal.ts'
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
  /** Of a notice. */
  readonly title: string | null
  /** Of a notice or of help articles: the SHA-256 of what is published. */
  readonly publishedHash: string | null
  /** The SHA-256 of its text. */
  readonly textHash: string
  /** Somebody without the first signer's key has withdrawn it. It can get no signature until `lode operator repair`. */
  readonly isFalselyWithdrawn: boolean
}

const PAGE_SIZE = 200

/** All decisions that need another signature, or only those of these kinds, the first to expire first. */
export async function listOpenDecisions(
  context: PoolContext,
  verbs: readonly Verb[] | null = null,
): Promise<ListedOpenDecision[]> {
  const { open, isCut } = await readOpenDecisions(context.db, context.pool)
  if (isCut) tell('There are so many open decisions that older ones are not shown. Run: lode operator repair')
  const aboutTransfers = verbs === null ? await listAboutTransfers(context) : []
  const listed = open.filter(({ verb }) => verbs === null || verbs.includes(verb))
  return [...(await Promise.all(listed.map((one) => toListed(context, one)))), ...aboutTransfers].toSorted(
    (one, other) => one.expiresAt.getTime() - other.expiresAt.getTime(),
  )
}

const toListed = async (
  { db }: PoolContext,
  { signers, body, ...decision }: OpenDecision,
): Promise<ListedOpenDecision> => ({
  ...decision,
  signers: signers.map(({ name }) => name),
  signerKeys: signers.map(({ key }) => key),
  subject: body && subjectOf(body),
  publishedHash: body?.verb === 'publish-notice' || body?.verb === 'publish-help' ? body.text : null,
  title: body?.verb === 'publish-notice' ? await readNoticeTitle(db, body.text) : null,
})

function subjectOf(body: NonNullable<OpenDecision['body']>): string {
  if (body.verb === 'add' || body.verb === 'remove') return body.operator.name
  return 'address' in body ? body.address : body.subject
}

async function listAboutTransfers(context: PoolContext): Promise<ListedOpenDecision[]> {
  const { db, pool } = context
  const transfers = await readHalfSignedTransfers(context)
  const withdrawals = await readWithdrawals(
    db,
    pool,
    transfers.flatMap(findHalfSigned).map(({ id }) => id),
  )
  const nameOf = await readOperatorNames(db, pool)
  return transfers.flatMap((transfer) =>
    findHalfSigned(transfer).map(({ id, verb, signers, firstSignedAt, expiresAt, body }) => ({
      id,
      verb,
      signers: signers.map(nameOf),
      signerKeys: signers,
      signedAt: firstSignedAt,
      expiresAt,
      purpose: body.verb === 'reject' ? body.note : null,
      subject: body.subject,
      title: null,
      publishedHash: null,
      textHash: createHash('sha256').update(canonicalJson(body), 'utf8').digest('hex'),
      isFalselyWithdrawn: withdrawals.get(id) === 'false',
    })),
  )
}

async function readHalfSignedTransfers({ db, operators, contracts }: PoolContext): Promise<LoadedTransfer[]> {
  const plans = createPlans({ decimals: decimalsOf(contracts), operators: null })
  const found: LoadedTransfer[] = []
  for (let after: bigint | null = 0n; after !== null; ) {
    const page = { after, limit: PAGE_SIZE }
    const { transfers, next } = await readWaitingTransfers(db, { plans, operators }, { status: 'half-signed' }, page)
    found.push(...transfers)
    after = next
  }
  return found
}

export const describeOpenDecisions = (open: readonly ListedOpenDecision[]): string[] => [
  'Waiting for another operator:',
  ...(open.length > 0 ? open.map((decision) => `  ${describeOpenDecision(decision)}`) : ['  nothing']),
]

/** Payouts and proof are all there is of their kind. The hash of a text or of a journal tells nothing. */
function describeSubject(subject: string): string {
  if (['payouts', 'proof', 'help', 'operators', 'stop:chain', 'chain:posted'].includes(subject)) return ''
  return /^(restore|notice):/.test(subject) ? '' : ` (${subject.replace(/^(stop|plan|day|transfer):/, '')})`
}

export function describeOpenDecision({
  id,
  verb,
  signers,
  signedAt,
  expiresAt,
  purpose,
  subject,
  title,
  isFalselyWithdrawn,
}: ListedOpenDecision): string {
  const about = title !== null ? ` “${title}”` : subject === null ? '' : describeSubject(subject)
  const why = purpose === null ? '' : `: ${purpose}`
  const blocked = isFalselyWithdrawn
    ? '\n      CANNOT BE SIGNED: somebody without the key of its first signer withdrew it. Run: lode operator repair'
    : ''
  return `${id}  ${describeVerb(verb)}${about}${why}\n      signed by ${signers.join(' and ')} on ${formatUtc(signedAt)}, expires on ${formatUtc(expiresAt)}${blocked}`
}
