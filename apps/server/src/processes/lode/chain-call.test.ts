import { expect, it } from 'vitest'
import { connectDatabase } from '../../platform/db/database.ts'
import { readWhenPosted } from './chain-call.ts'

it('says that the pool has not read a payment if the database does not answer after it', async () => {
  // Nothing listens on this port.
  const { db, close } = connectDatabase('postgres://nobody@127.0.0.1:1/none', { name: 'lode', max: 1 })
  expect(await readWhenPosted(db, 1n, async () => 'read', 0)).toBeNull()
  await close()
})
