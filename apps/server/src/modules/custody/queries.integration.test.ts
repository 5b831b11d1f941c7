import { sql } from 'kysely'
import { numberToHex, pad } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import { address } from '../../testing/contracts.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { loadIncoming, sumIncoming } from './index.ts'

const DEPOSITS = 150
const account = address(1)
const txOf = (place: number) => pad(numberToHex(place), { size: 32 })

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await sql`insert into lode.chain_block (number, hash, time) values (1, ${bytesOf(txOf(1))}, lode.now())`.execute(
    database.db,
  )
  for (let place = 1; place <= DEPOSITS; place += 1)
    await sql`
      insert into lode.chain_incoming (block_number, log_index, tx, account, asset, amount)
      values (1, ${place}, ${bytesOf(txOf(place))}, ${bytesOf(account)}, 'USDT', ${place})`.execute(database.db)
})
afterAll(() => database.drop())

it('lists the newest hundred incoming deposits, and sums all of them', async () => {
  const shown = await loadIncoming(database.db, account, 'USDT')
  expect(shown.map(({ amount }) => amount)).toEqual(Array.from({ length: 100 }, (_, place) => BigInt(150 - place)))
  expect(await sumIncoming(database.db, account, 'USDT')).toBe(BigInt((DEPOSITS * (DEPOSITS + 1)) / 2))
  expect(await sumIncoming(database.db, account, 'BTC')).toBe(0n)
})

it('finds the deposit of a transaction, however many came after it', async () => {
  expect(await loadIncoming(database.db, account, 'USDT', txOf(1))).toMatchObject([{ tx: txOf(1), amount: 1n }])
})
