import type { Id } from '@lode/kernel'
import type { SessionMode } from '@lode/wire'
import type { FastifyRequest } from 'fastify'
import type { Address } from 'viem'

/** Who calls, as the token says. */
export type Session = {
  readonly id: Id<'session'>
  readonly memberId: bigint
  readonly account: Address
  readonly mode: SessionMode
}

/** Finds the living session of a token. `idleSeconds` is how long the member has not touched the app. */
export type Authenticate = (token: string, idleSeconds: number) => Promise<Session | null>

const BEARER = /^Bearer ([A-Za-z0-9_-]{43})$/i

export const bearerToken = (request: FastifyRequest): string | null =>
  BEARER.exec(request.headers.authorization ?? '')?.[1] ?? null

/** Without the header a call counts as the member's own act; what is not a number counts as no act at all. */
export function idleSeconds(request: FastifyRequest): number {
  const header = request.headers['x-idle-seconds']
  if (header === undefined) return 0
  return typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : Number.POSITIVE_INFINITY
}
