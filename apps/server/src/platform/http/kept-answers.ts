import { createHash } from 'node:crypto'
import type { Route } from '@lode/wire'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** How long a shared cache, such as a CDN, may answer a public read instead of the server. */
const PUBLIC_SECONDS = 30

/**
 * Sets the headers of an answer that the caller may keep. Returns true if the caller has this very answer already, so
 * that the server need not send it again.
 *
 * The time of a member's answer is not compared, because the app takes it from the `date` header. The time of a public
 * answer is: the browser shows its own copy, and without the new time nobody would see that the chain has stood still.
 */
export function isUnchanged(route: Route, request: FastifyRequest, reply: FastifyReply, data: unknown): boolean {
  if (route.keptBy === 'nobody') return false
  const compared = route.keptBy === 'client' ? { ...(data as object), at: null } : data
  const json = JSON.stringify(compared, (_key, value) => (typeof value === 'bigint' ? String(value) : value))
  const tag = `"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"`
  reply.header('etag', tag)
  if (route.keptBy === 'anybody') reply.header('cache-control', `public, max-age=${PUBLIC_SECONDS}`)
  return request.headers['if-none-match']?.split(', ').includes(tag) ?? false
}

export const sendUnchanged = (reply: FastifyReply): FastifyReply => reply.code(304).send()
