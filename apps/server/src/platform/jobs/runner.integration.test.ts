import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../testing/database.ts'
import { soon } from '../../testing/pool.ts'
import { connectDatabase } from '../db/database.ts'
import { runJobs } from './runner.ts'

it('a job that fails is told of, and neither stops the others nor is in their way', async () => {
  const database = await createTestDatabase()
  const connection = connectDatabase(database.urlOf('lode_worker'), { name: 'jobs', max: 3 })
  const told: string[] = []
  const done: string[] = []
  const tasks = {
    fails: async () => {
      throw new Error('the database was too busy')
    },
    works: async () => {
      done.push('works')
    },
  }
  const log = pino({ level: 'error' }, { write: (line: string) => void told.push(line) })
  const runner = await runJobs({ pool: connection.pool, tasks, crontab: '', log })
  try {
    await runner.addJob('fails', {})
    await soon(async () => expect(told.join()).toContain('the database was too busy'))
    await runner.addJob('works', {})
    await soon(async () => expect(done).toEqual(['works']))
  } finally {
    await runner.stop()
    await connection.close()
    await database.drop()
  }
})
