import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { AnswerMissing, isDatabaseUnavailable } from './database-unavailable.ts'

function createDatabaseError(code: string, severity = 'ERROR'): Error {
  const error = new pg.DatabaseError('refused', 0, 'error')
  Object.assign(error, { code, severity })
  return error
}

describe('a database', () => {
  it.each([
    ['refuses the connection', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['breaks the connection', new Error('Connection terminated unexpectedly')],
    ['has no connection free', new Error('timeout exceeded when trying to connect')],
    ['shuts down', createDatabaseError('57P01')],
    ['starts up', createDatabaseError('57P03')],
    ['has too many connections', createDatabaseError('53300')],
    ['accepts no connections for a while', createDatabaseError('55000', 'FATAL')],
    ['waits too long for a lock', createDatabaseError('55P03')],
    ['cancels a statement', createDatabaseError('57014')],
    ['loses the connection', createDatabaseError('08006')],
    ['finds a deadlock', createDatabaseError('40P01')],
    ['became a standby', createDatabaseError('25006')],
    ['does not answer', new AnswerMissing(Promise.resolve())],
  ])('that %s is unavailable', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true)
  })

  it.each([
    ['received an invalid statement', createDatabaseError('42703')],
    ['denied a permission', createDatabaseError('42501')],
    ['enforced a constraint', createDatabaseError('23505')],
    ['cannot do something in its state', createDatabaseError('55000')],
    ['did not cause the error', new TypeError('undefined is not a function')],
    ['raised no error object', 'ECONNREFUSED'],
  ])('that %s is not unavailable', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false)
  })
})
