import pg from 'pg'

/**
 * Lock not available, statement canceled, too many connections, idle in transaction, serialization, deadlock, and a
 * read-only server: the primary became a standby.
 */
const RETRYABLE = new Set(['55P03', '57014', '53300', '25P03', '40001', '40P01', '25006'])
const BROKEN_CONNECTION = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN'])
const BROKEN_MESSAGE = /timeout exceeded when trying to connect|connection terminated|not queryable/i

/** The error of pg if a query was not answered within `query_timeout`. It has no code. */
const NO_ANSWER = 'Query read timeout'

export const isAnswerMissing = (error: unknown): boolean => error instanceof Error && error.message === NO_ANSWER

/** During maintenance or a copy: `alter database … with allow_connections false`. The same code has other meanings. */
const refusesConnections = ({ code, severity }: pg.DatabaseError): boolean => code === '55000' && severity === 'FATAL'

/** Whether the database was unreachable or too busy, as opposed to a wrong statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // Codes 08… mean a broken connection, codes 57P… a server that shuts down or starts.
  if (error instanceof pg.DatabaseError)
    return RETRYABLE.has(code) || code.startsWith('08') || code.startsWith('57P') || refusesConnections(error)
  return BROKEN_CONNECTION.has(code) || BROKEN_MESSAGE.test(error.message) || isAnswerMissing(error)
}
