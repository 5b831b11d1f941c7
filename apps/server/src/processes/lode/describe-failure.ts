import pg from 'pg'
import { failureText, isNodeFailure } from '../../platform/chain/node.ts'
import { isDatabaseUnavailable } from '../../platform/db/database-unavailable.ts'
import { ExpectedFailure } from '../start-up.ts'

const PERMISSION_DENIED = '42501'
/** A wrong password, an unknown role, an unknown database. */
const REFUSED_CONNECTION = new Set(['28P01', '28000', '3D000'])

/** What an operator reads if a command failed. The stack trace is shown only with LODE_DEBUG=1. */
export function describeFailure(error: unknown): string {
  if (error instanceof ExpectedFailure) return error.message
  if (process.env.LODE_DEBUG === '1' && error instanceof Error) return error.stack ?? error.message
  if (error instanceof pg.DatabaseError) {
    if (error.code === PERMISSION_DENIED)
      return 'The role in DATABASE_URL may not do this. Some commands are only for the owner of the database.'
    if (REFUSED_CONNECTION.has(error.code ?? '')) return `The database refuses DATABASE_URL: ${error.message}.`
  }
  if (isDatabaseUnavailable(error)) return `The database does not answer: ${messageOf(error)}. Try again.`
  if (isNodeFailure(error)) return `A node of the chain failed: ${failureText(error)}`
  return `Something unexpected happened: ${messageOf(error)}. With LODE_DEBUG=1 the command prints where.`
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message || String('code' in error ? error.code : error.name) : String(error)).replace(
    /\.$/,
    '',
  )
