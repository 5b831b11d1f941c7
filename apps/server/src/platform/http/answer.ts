import { type Envelope, type Language, type RefusalCode, refusals } from '@lode/wire'
import type { FastifyReply } from 'fastify'
import { refusalText } from './language.ts'

export const success = <Data>(data: Data): Envelope<Data> => ({ code: 200, message: '', data })

/** The status always equals the envelope's code. */
export function sendRefusal(
  reply: FastifyReply,
  language: Language,
  reason: RefusalCode,
  fields?: Record<string, string>,
): FastifyReply {
  const code = refusals[reason]
  const body: Envelope<null> = { code, message: refusalText(language, reason), data: null, reason }
  return reply
    .code(code)
    .type('application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send(fields ? { ...body, fields } : body)
}
