import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { isDatabaseUnavailable } from './failure.ts'

function fromDatabase(code: string): Error {
  const error = new pg.DatabaseError('refused', 0, 'error')
  error.code = code
  return error
}

describe('a database', () => {
  it.each([
    ['refuses the connection', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['breaks the connection', new Error('Connection terminated unexpectedly')],
    ['has no connection free', new Error('timeout exceeded when trying to connect')],
    ['shuts down', fromDatabase('57P01')],
    ['starts up', fromDatabase('57P03')],
    ['has too many connections', fromDatabase('53300')],
    ['waits too long for a lock', fromDatabase('55P03')],
    ['cancels a statement', fromDatabase('57014')],
    ['loses the connection', fromDatabase('08006')],
    ['finds a deadlock', fromDatabase('40P01')],
  ])('that %s is unavailable', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true)
  })

  it.each([
    ['was asked something wrong', fromDatabase('42703')],
    ['denied a permission', fromDatabase('42501')],
    ['kept a constraint', fromDatabase('23505')],
    ['has nothing to do with it', new TypeError('undefined is not a function')],
    ['is not even an error', 'ECONNREFUSED'],
  ])('that %s is not', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false)
  })
})
