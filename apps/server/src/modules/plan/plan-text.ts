import { ok, type Result, refused } from '@lode/kernel'
import type * as z from 'zod'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import { canonicalJson } from '../operators/index.ts'
import type { PlanTerms } from './plan.ts'
import { planSchema } from './plan-schema.ts'

/**
 * A plan as it is written: JSON, amounts in whole coins. It is checked as a whole before an operator signs it. It has
 * one canonical spelling, and operators sign the hash of that spelling.
 */

export type WrittenPlan = z.input<ReturnType<typeof planSchema>>

export type ParsedPlan = {
  readonly terms: PlanTerms
  readonly written: WrittenPlan
  /** The canonical spelling. */
  readonly text: string
}

/** A refusal lists every objection, in words for the author of the plan. */
export function parsePlanText(text: string, decimals: Decimals): Result<ParsedPlan, string[]> {
  const content = parseJson(text)
  if (!content.ok) return content
  const parsed = planSchema(decimals).safeParse(content.value)
  if (!parsed.success) return refused(parsed.error.issues.map(formatIssue))
  // The schema accepted the input, so every value in it has a canonical spelling.
  const written = content.value as WrittenPlan
  return ok({ terms: parsed.data, written, text: canonicalJson(written) })
}

function parseJson(text: string): Result<unknown, string[]> {
  try {
    return ok(JSON.parse(text))
  } catch (error) {
    // The message has a piece of the file, with its ends of line.
    return refused([`it is not JSON: ${error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : error}`])
  }
}

const formatIssue = ({ path, message }: { path: PropertyKey[]; message: string }): string =>
  path.length === 0 ? message : `${path.join('.')}: ${message}`
