import type { FastifyRequest } from 'fastify'

const NAME = 'lode-device'
const COOKIE = new RegExp(`(?:^|;\\s*)${NAME}=([A-Za-z0-9_-]{22})(?:;|$)`)
/** The longest time that browsers accept. */
const MAX_AGE_SECONDS = 400 * 24 * 3_600

/**
 * The id of the browser: from its cookie, or else the one that the app has sent. Phones empty the storage of pages that
 * were not opened for a week, and keep cookies that a server has set. Without the cookie such a browser would count as
 * new at every visit.
 */
export const readDevice = (request: FastifyRequest, sent: string | undefined): string | undefined =>
  COOKIE.exec(request.headers.cookie ?? '')?.[1] ?? sent

/**
 * The cookie that stores the id. It is sent with sign-ins only and grants nothing: a session's token is no cookie. No
 * script can read it.
 */
export const deviceCookie = (device: string, { protocol }: URL): string =>
  `${NAME}=${device}; Path=/api/sign; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Strict` +
  (protocol === 'https:' ? '; Secure' : '')
