import { announcedCalls } from '@lode/contracts/dev/announced-calls'
import { sql } from 'kysely'
import { type Address, type Hex, keccak256, numberToHex, pad } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import type { AdministrativeEvent } from './administrative-events.ts'
import type { EndingEvent } from './announcement.ts'
import {
  countOpenAnnouncements,
  readEndedAnnouncements,
  readOpenAnnouncements,
  storeAdministrativeEvents,
} from './queries.ts'

const DAY = 86_400
const [vault, otherVault] = [pad('0xa0', { size: 20 }), pad('0xb0', { size: 20 })]
const token = (digits: Hex) => pad(digits, { size: 20 })
const [usdt, btn, btc] = [token('0xa1'), token('0xa2'), token('0xa3')]
const pool: PoolContracts = {
  vault,
  formerVaults: [],
  firstBlock: 1n,
  tokens: {
    USDT: { address: usdt, decimals: 6 },
    BTN: { address: btn, decimals: 18 },
    BTC: { address: btc, decimals: 8 },
  },
  priceFeeds: { BTC: token('0xa4'), BTN: token('0xa5') },
}
const calls = announcedCalls({ usdt, btn, btc })

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await sql`
    insert into lode.chain_state (chain_id, vault, genesis_hash, posted_number, posted_hash, posted_time)
    values (1, ${bytesOf(vault)}, sha256('genesis'), 1, sha256('one'), to_timestamp(1))`.execute(database.db)
}, 60_000)
afterAll(() => database.drop())
beforeEach(async () => {
  await sql`delete from lode.vault_event`.execute(database.db)
})

type Event = { name: EndingEvent['name']; seconds: number; call: Hex | null; vault: Address }
const event = (name: Event['name'], seconds: number, call: Hex | null = null): Event => ({ name, seconds, call, vault })
const announced = (seconds: number, call: Hex): Event => event('Announced', seconds, call)

/** Stores the events in this order, and the time of the posted block. */
async function store(events: readonly Event[], atSeconds: number): Promise<void> {
  const rows = events.map(({ name, seconds, call, vault: of }) => ({
    name,
    seconds,
    vault: of,
    hash: call && keccak256(call),
    arguments: { call, notBefore: String(seconds + 2 * DAY), notAfter: String(seconds + 9 * DAY) },
  }))
  await sql`
    insert into lode.vault_event (tx, log_index, block_number, block_time, vault, name, call_hash, arguments)
    select sha256(number::text::bytea), number, (event ->> 'seconds')::bigint,
           to_timestamp((event ->> 'seconds')::bigint), decode(substring(event ->> 'vault' from 3), 'hex'),
           event ->> 'name', decode(substring(event ->> 'hash' from 3), 'hex'), event -> 'arguments'
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as given (event, number)`.execute(
    database.db,
  )
  await sql`update lode.chain_state set posted_time = to_timestamp(${atSeconds})`.execute(database.db)
}

/** The states, newest first, with the second at which each ended. */
async function statesOf(events: readonly Event[], atSeconds: number): Promise<(string | number)[][]> {
  await store(events, atSeconds)
  const { listed } = await readOpenAnnouncements(database.db, pool)
  const ended = await readEndedAnnouncements(database.db, pool)
  return [...listed.toReversed(), ...ended].map(({ callHash, state, endedAt }) => {
    const call = events.find((one) => one.call && keccak256(one.call) === callHash)?.call ?? '0x'
    return endedAt ? [call, state, endedAt.getTime() / 1_000] : [call, state]
  })
}

describe('an announcement', () => {
  it('is open until its time has passed', async () => {
    expect(await statesOf([announced(100, '0x01')], 100 + 9 * DAY)).toEqual([['0x01', 'open']])
    expect(await countOpenAnnouncements(database.db)).toBe(1)
    const { listed } = await readOpenAnnouncements(database.db, pool)
    expect(listed).toMatchObject([
      { announcedAt: new Date(100_000), notBefore: new Date((100 + 2 * DAY) * 1_000), vault: pool.vault },
    ])
    expect(await statesOf([], 101 + 9 * DAY)).toEqual([['0x', 'expired', 100 + 9 * DAY]])
    expect(await countOpenAnnouncements(database.db)).toBe(0)
  })

  it('ends when it is carried out or withdrawn, and the others stay open', async () => {
    const events = [
      announced(1, '0x01'),
      announced(2, '0x02'),
      announced(3, '0x03'),
      event('AnnouncementWithdrawn', 4, '0x02'),
      event('AnnouncementUsed', 5, '0x01'),
    ]
    expect(await statesOf(events, 6)).toEqual([
      ['0x03', 'open'],
      ['0x01', 'done', 5],
      ['0x02', 'withdrawn', 4],
    ])
  })

  it('is replaced by a second announcement of the same call', async () => {
    expect(await statesOf([announced(1, '0x01'), announced(7, '0x01')], 8)).toEqual([
      ['0x01', 'open'],
      ['0x01', 'replaced', 7],
    ])
  })

  it('has expired, and is not replaced, if the same call is announced after its time', async () => {
    expect(await statesOf([announced(1, '0x01'), announced(10 * DAY, '0x01')], 10 * DAY)).toEqual([
      ['0x01', 'open'],
      ['0x01', 'expired', 1 + 9 * DAY],
    ])
  })

  it('is withdrawn with all others, also if it comes later in the same second', async () => {
    const events = [
      announced(1, '0x01'),
      event('AllAnnouncementsWithdrawn', 5),
      announced(5, '0x02'),
      announced(5, '0x02'),
      announced(6, '0x03'),
      announced(6, '0x01'),
    ]
    expect(await statesOf(events, 7)).toEqual([
      ['0x01', 'open'],
      ['0x03', 'open'],
      ['0x02', 'withdrawn', 5],
      ['0x02', 'withdrawn', 5],
      ['0x01', 'withdrawn', 5],
    ])
  })

  it('ended by the first event that ends it', async () => {
    const events = [
      announced(1, '0x01'),
      event('AnnouncementUsed', 2, '0x01'),
      announced(3, '0x02'),
      event('AllAnnouncementsWithdrawn', 4),
      announced(5, '0x02'),
      event('AllAnnouncementsWithdrawn', 6),
    ]
    expect(await statesOf(events, 7)).toEqual([
      ['0x02', 'withdrawn', 6],
      ['0x02', 'withdrawn', 4],
      ['0x01', 'done', 2],
    ])
  })

  it('of another vault stays open', async () => {
    const other = { ...announced(1, '0x01'), vault: otherVault }
    expect(await statesOf([other, announced(2, '0x01'), event('AllAnnouncementsWithdrawn', 3)], 4)).toEqual([
      ['0x01', 'open'],
      ['0x01', 'withdrawn', 3],
    ])
  })

  it('with an effect is listed before all that have none', async () => {
    const useless = Array.from({ length: 300 }, (_, number) => announced(2, numberToHex(number, { size: 32 })))
    // Its selector is known, but it has bytes after its arguments.
    const padded = announced(3, `${calls.rescue}00`)
    const used = [announced(1, calls.setBurnCap), event('AnnouncementUsed', 2, calls.setBurnCap)]
    const events = [...used, announced(1, calls.moveTo), ...useless, ...useless, padded, announced(4, calls.moveToCold)]
    await store(events, 5)
    const { listed, count } = await readOpenAnnouncements(database.db, pool)
    expect(listed.map(({ call: { kind } }) => kind)).toEqual(['moveTo', 'moveToCold', ...Array(100).fill('other')])
    expect(listed.at(-1)?.callHash).toBe(keccak256(padded.call ?? '0x'))
    expect([count, await countOpenAnnouncements(database.db)]).toEqual([303, 303])
    const ended = await readEndedAnnouncements(database.db, pool)
    expect(ended.map(({ call: { kind } }) => kind)).toEqual(['setBurnCap', ...Array(99).fill('other')])
  })

  it('with an effect is listed however many there are', async () => {
    const moves = Array.from({ length: 2_500 }, (_, number) =>
      announced(1, `${calls.setBurnCap.slice(0, 10)}${numberToHex(number, { size: 32 }).slice(2)}` as Hex),
    )
    await store(moves, 2)
    expect((await readOpenAnnouncements(database.db, pool)).listed).toHaveLength(2_500)
  })
})

describe('the events of the vault', () => {
  const paused = (tx: Hex, blockNumber: bigint): AdministrativeEvent => ({
    log: { tx: pad(tx, { size: 32 }), logIndex: 0, blockNumber },
    vault,
    name: 'Paused',
    arguments: {},
  })
  const storeBlocks = (first: bigint, last: bigint, ...events: AdministrativeEvent[]) =>
    storeAdministrativeEvents(database.db, { first, last, highestPosted: 7n }, events, () => new Date(0))
  const readStored = async () => {
    const { rows } = await sql<{ tx: string; block: bigint }>`
      select right(encode(tx, 'hex'), 2) as tx, block_number as block from lode.vault_event order by 1`.execute(
      database.db,
    )
    return rows.map(({ tx, block }) => `${tx} in ${block}`)
  }

  it('are those of the last reading of each block', async () => {
    await storeBlocks(1n, 7n, paused('0x01', 2n), paused('0x02', 3n), paused('0x03', 6n))
    await storeBlocks(3n, 4n, paused('0x04', 4n))
    expect(await readStored()).toEqual(['01 in 2', '03 in 6', '04 in 4'])
  })

  it('cannot be kept out by an event of the same transaction that is stored with a false block', async () => {
    await storeBlocks(6n, 7n, paused('0x01', 6n), paused('0x02', 7n))
    await storeBlocks(3n, 4n, paused('0x01', 4n))
    expect(await readStored()).toEqual(['01 in 4', '02 in 7'])
  })

  it('are in no block after the last one that was posted', async () => {
    await storeBlocks(8n, 9n, paused('0x01', 9n))
    await storeBlocks(3n, 4n)
    expect(await readStored()).toEqual([])
  })
})

describe('the open announcements', { timeout: 60_000 }, () => {
  it.each([
    ['100,000 announcements of one call', 100_000, sql`''::bytea`, 2],
    ['20,000 announcements of different calls', 20_000, sql`number::text::bytea`, 20_001],
  ])('are found among %s, within the time that the worker’s queries have', async (_which, useless, call, all) => {
    await store([announced(1, calls.moveToCold)], 2)
    await sql`
      insert into lode.vault_event (tx, log_index, block_number, block_time, vault, name, call_hash, arguments)
      select sha256('useless'), number, 1, to_timestamp(1), ${bytesOf(vault)}, 'Announced', sha256(${call}),
             jsonb_build_object('call', '0x' || encode(${call}, 'hex'), 'notAfter', ${String(1 + 9 * DAY)}::text)
      from generate_series(2, ${useless} + 1) number`.execute(database.db)
    await sql`analyze lode.vault_event`.execute(database.db)
    await database.db.transaction().execute(async (trx) => {
      await sql`set local statement_timeout = '5s'`.execute(trx)
      const { listed, count } = await readOpenAnnouncements(trx, pool)
      expect([listed[0]?.call.kind, count]).toEqual(['moveToCold', all])
      expect(await countOpenAnnouncements(trx)).toBe(all)
      await readEndedAnnouncements(trx, pool)
    })
  })
})
