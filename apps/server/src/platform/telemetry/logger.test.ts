import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createLogger } from './logger.ts'

/** Returns the text that is written for these fields. */
function writeLog(fields: object): string {
  let written = ''
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      written += chunk
      done()
    },
  })
  createLogger('test', 'info', destination).info(fields, 'something happened')
  return written
}

describe('a secret that somebody logs by mistake', () => {
  it.each([
    ['by itself', { token: 'hunter2' }],
    ['in a body', { body: { signature: 'hunter2', message: 'hunter2' } }],
    ['in the input of a call', { call: { input: { message: 'hunter2', setupCode: 'hunter2' } } }],
    ['in the headers of a request', { req: { headers: { authorization: 'hunter2', cookie: 'hunter2' } } }],
    ['in an answer', { answer: { body: { data: { token: 'hunter2', setupCode: 'hunter2' } } } }],
  ])('is not written: %s', (_where, fields) => {
    expect(writeLog(fields)).not.toContain('hunter2')
    expect(writeLog(fields)).toContain('[redacted]')
  })

  it('does not hide the message of an error', () => {
    expect(writeLog({ err: new Error('the column is missing') })).toContain('the column is missing')
  })
})
