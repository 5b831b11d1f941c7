import type { Id } from '@lode/kernel'
import type { SessionMode } from '@lode/wire'
import type { FastifyRequest } from 'fastify'
import type { Address } from 'viem'

/** The caller, as found by the session token. */
export type Session = {
  readonly id: Id<'session'>
  readonly memberId: bigint
  readonly account: Address
  readonly mode: SessionMode
}

/** Finds the session of a token, if it has not ended. `idleSeconds` is the time since the member last used the app. */
export type Authenticate = (token: string, idleSeconds: number) => Promise<Session | null>

const BEARER = /^Bearer ([A-Za-z0-9_-]{43})$/i

export const bearerToken = (request: FastifyRequest): string | null =>
  BEARER.exec(request.headers.authorization ?? '')?.[1] ?? null

/** Seconds since the member last used the app. Without the header it is 0; if the header is invalid, it is infinite. */
export function idleSeconds(request: FastifyRequest): number {
  const header = request.headers['x-idle-seconds']
  if (header === undefined) return 0
  return typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : Number.POSITIVE_INFINITY
}
