import type { RefusalCode, Route } from '@lode/wire'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendRefusal } from './answer.ts'
import { refusalText } from './language.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    wire?: Route
  }
}

/** The refusal for a wrong format of these fields, if the route lists that refusal; otherwise it is `format`. */
const REFUSAL_OF_FIELD: Record<string, RefusalCode> = {
  account: 'account-format',
  invite: 'invite-format',
  address: 'address-format',
  password: 'password-format',
  newPassword: 'password-format',
}

/** Refuses the call and names the wrong fields, in the order of the route's request. Unknown fields are not named. */
export function sendFormatRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  issues: readonly { instancePath: string }[],
): FastifyReply {
  const route = request.routeOptions.config.wire
  const wrong = new Set(issues.map((issue) => issue.instancePath.split('/')[1]))
  const fields = Object.keys(route?.request.shape ?? {}).filter((field) => wrong.has(field))
  const reasonOf = (field: string): RefusalCode => {
    const reason = REFUSAL_OF_FIELD[field]
    return reason && route?.refusals.includes(reason) ? reason : 'format'
  }
  const [first] = fields
  const reason = first === undefined ? 'format' : reasonOf(first)
  const texts = fields.map((field) => [field, refusalText(request.language, reasonOf(field))])
  return sendRefusal(reply, request.language, reason, Object.fromEntries(texts))
}
