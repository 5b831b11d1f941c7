import { isRefusalCode } from '@lode/wire'
import type { ErrorText, TextFunction } from '../i18n/index.ts'
import type { Failure } from './failure.ts'

/** The body as JSON, or as text if it is not JSON. */
export function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const envelopeOf = (body: unknown): Record<string, unknown> => (isRecord(body) ? body : {})

export const messageOf = (envelope: Record<string, unknown>): string | undefined =>
  nonEmptyText(envelope.message) ?? nonEmptyText(envelope.msg)

/** The failure for an answer with an error status. `otherwise` is shown if it has neither a reason nor a message. */
export function createRefusal(status: number, body: unknown, otherwise: ErrorText, text: TextFunction): Failure {
  const { reason, fields } = envelopeOf(body)
  return {
    kind: 'refused',
    status,
    reason: isRefusalCode(reason) ? reason : null,
    serverMessage: textOf(body) ?? null,
    otherwise,
    fields: fieldsOf(fields, text),
  }
}

function fieldsOf(fields: unknown, text: TextFunction): Record<string, string> {
  return Object.fromEntries(
    Object.entries(envelopeOf(fields)).flatMap(([field, wrong]) =>
      typeof wrong === 'string' ? [[field, isRefusalCode(wrong) ? text(`refusals.${wrong}`) : wrong]] : [],
    ),
  )
}

const statusesWithText = [400, 403, 404, 408, 500, 501, 502, 503, 504] as const
const isStatusWithText = (status: number): status is (typeof statusesWithText)[number] =>
  statusesWithText.some((known) => known === status)

export const statusText = (status: number): ErrorText =>
  isStatusWithText(status) ? `errors.status${status}` : 'errors.netError'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const nonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

/** A longer string body is a proxy's error page, which is not shown to the member. */
const LONGEST_STRING_BODY = 200
function textOf(body: unknown): string | undefined {
  if (isRecord(body)) return messageOf(body) ?? nonEmptyText(body.error)
  const text = nonEmptyText(body)
  return text && text.length <= LONGEST_STRING_BODY && !text.startsWith('<') ? text : undefined
}
