import { ok, type Result, refused } from '@lode/kernel'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { SIGNATURES_NEEDED, type Verb, type VerifiedDecision } from '../operators/index.ts'

/**
 * Decisions that are carried out by one SQL function each. The function takes everything from the signed text, so that
 * the worker can choose nothing. It refuses a decision with too few signatures, an expired one and a second time.
 */

type DecisionFunction = { readonly name: RawBuilder<unknown>; readonly signaturesNeeded: number }

const decisionFunctions = {
  'end-stop': { name: sql`lode.end_stop`, signaturesNeeded: SIGNATURES_NEEDED },
  'migrate-vault': { name: sql`lode.migrate_vault`, signaturesNeeded: SIGNATURES_NEEDED },
  rewind: { name: sql`lode.rewind_chain`, signaturesNeeded: SIGNATURES_NEEDED },
  disable: { name: sql`lode.disable_member`, signaturesNeeded: SIGNATURES_NEEDED },
  enable: { name: sql`lode.enable_member`, signaturesNeeded: SIGNATURES_NEEDED },
  'end-sessions': { name: sql`lode.end_sessions`, signaturesNeeded: 1 },
  'prove-again': { name: sql`lode.prove_again`, signaturesNeeded: SIGNATURES_NEEDED },
  'publish-notice': { name: sql`lode.publish_notice`, signaturesNeeded: SIGNATURES_NEEDED },
  'publish-help': { name: sql`lode.publish_help`, signaturesNeeded: SIGNATURES_NEEDED },
} satisfies Partial<Record<Verb, DecisionFunction>>

type FunctionVerb = keyof typeof decisionFunctions

export const functionVerbs = Object.keys(decisionFunctions) as readonly FunctionVerb[]

export const findDecisionFunction = ({ verb }: VerifiedDecision): DecisionFunction | undefined =>
  Object.hasOwn(decisionFunctions, verb) ? decisionFunctions[verb as FunctionVerb] : undefined

const refusalTexts = {
  'other-stop': 'nothing is stopped any more, or it stopped again since',
  'not-later': 'no later block is posted',
  'other-vault': 'the ledger does not belong to that vault',
  unknown: 'there is no such member, or it was disabled or enabled since',
  'no-text': 'the text with this hash is not stored',
  'no-articles': 'the text has no articles',
} as const

/** Runs inside the caller's transaction. Null if the decision needs another signature. */
export async function carryOutByFunction(
  trx: Database,
  { id, signers }: VerifiedDecision,
  { name, signaturesNeeded }: DecisionFunction,
): Promise<Result<null, string> | null> {
  if (signers.length < signaturesNeeded) return null
  const { rows } = await sql<{ answer: 'ok' | 'done' | keyof typeof refusalTexts }>`
    select ${name}(${id}) as answer`.execute(trx)
  const [row] = rows
  if (!row) throw new Error('the SQL function returned no row')
  return row.answer === 'ok' || row.answer === 'done' ? ok(null) : refused(refusalTexts[row.answer])
}
