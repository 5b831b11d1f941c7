import { createHash } from 'node:crypto'
import type { Route } from '@lode/wire'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** How long a shared cache, such as a CDN, may answer a public read instead of the server. */
const PUBLIC_SECONDS = 30

/**
 * Sets the headers of an answer that the caller may keep. Returns true if the caller has this very answer already, so
 * that the server need not send it again.
 *
 * The time of a member's answer is not compared: a header has it, and the app puts it into the answer that it kept. The
 * time of a public answer is compared: the browser shows its own copy, and without the new time nobody would see that
 * the chain has stood still.
 */
export function isUnchanged(route: Route, request: FastifyRequest, reply: FastifyReply, data: unknown): boolean {
  if (route.keptBy === 'nobody') return false
  const compared = route.keptBy === 'client' ? { ...(data as object), at: null } : data
  const json = JSON.stringify(compared, (_key, value) => (typeof value === 'bigint' ? String(value) : value))
  const tag = `"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"`
  reply.header('etag', tag)
  if (route.keptBy === 'client') reply.header('x-at', (data as { at: string }).at)
  if (route.keptBy === 'anybody') reply.header('cache-control', `public, max-age=${PUBLIC_SECONDS}`)
  // A proxy that compresses answers marks their tags as weak.
  const tags = request.headers['if-none-match']?.split(',').map((each) => each.trim().replace(/^W\//, ''))
  return tags?.includes(tag) ?? false
}

export const sendUnchanged = (reply: FastifyReply): FastifyReply => reply.code(304).send()
