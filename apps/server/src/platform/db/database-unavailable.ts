import pg from 'pg'

const READ_ONLY = '25006'
/**
 * Lock not available, statement canceled, too many connections, idle in transaction, serialization, deadlock, and a
 * read-only server: the primary became a standby.
 */
const RETRYABLE = new Set(['55P03', '57014', '53300', '25P03', '40001', '40P01', READ_ONLY])
const BROKEN_CONNECTION = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN'])
const BROKEN_MESSAGE = /timeout exceeded when trying to connect|connection terminated|not queryable/i

/** Our own refusal to use a database that cannot do the work now. */
export class DatabaseUnavailable extends Error {}

/** A query was not answered in time. `ended` resolves when it is answered after all, or when its connection ends. */
export class AnswerMissing extends DatabaseUnavailable {
  readonly ended: Promise<unknown>
  constructor(ended: Promise<unknown>) {
    super('the database did not answer in time')
    this.ended = ended
  }
}

/** The server refuses to write: it became a standby, or the transaction was begun as read only. */
export const isReadOnly = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === READ_ONLY

/** During maintenance or a copy: `alter database … with allow_connections false`. The same code has other meanings. */
const refusesConnections = ({ code, severity }: pg.DatabaseError): boolean => code === '55000' && severity === 'FATAL'

/** Whether the database was unreachable or too busy, as opposed to a wrong statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseUnavailable) return true
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // Codes 08… mean a broken connection, codes 57P… a server that shuts down or starts.
  if (error instanceof pg.DatabaseError)
    return RETRYABLE.has(code) || code.startsWith('08') || code.startsWith('57P') || refusesConnections(error)
  return BROKEN_CONNECTION.has(code) || BROKEN_MESSAGE.test(error.message)
}
