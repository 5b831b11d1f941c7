import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestClock } from '../../testing/clock.ts'
import { audit } from './audit/audit.ts'
import { post } from './post.ts'
import { sealAll, sealNext } from './seal.ts'
import { readRanges } from './seal-chain.ts'
import { type Books, openBooks, usdt } from './testing/books.ts'
import { deposit } from './testing/transactions.ts'

let books: Books
let member: bigint
beforeEach(async () => {
  books = await openBooks()
  await books.guard()
  member = (await books.members(1))[0] ?? 0n
})
afterEach(() => books.close())

const ripe = { delaySeconds: 0 }
const postDeposits = async (count: number) => {
  for (let index = 0; index < count; index += 1) await post(books.worker, [deposit('USDT', member, usdt(1 + index))])
}

async function seals() {
  const { rows } = await sql<{ transactions: string; complete: bigint }>`
    select transactions, complete from lode.ledger_seal order by number`.execute(books.owner)
  return rows.map(({ transactions, complete }) => ({ complete, ranges: readRanges(transactions) }))
}

/** Waits for transactions of other tests on the same server: they are older and must end first. */
async function untilComplete(number: bigint): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (((await seals()).at(-1)?.complete ?? 0n) >= number) return
    await postDeposits(1)
    await sealAll(books.worker, ripe)
    await sleep(50)
  }
  throw new Error(`nothing was complete up to ${number}`)
}

const range = (first: bigint, last: bigint) => ({ first, last })

describe('sealing', () => {
  it('seals what is older than the delay, and the rest when it is', async () => {
    await postDeposits(3)
    expect(await sealAll(books.worker)).toBe(0)
    await createTestClock(books.owner).advance(60)
    await postDeposits(1)
    expect(await sealAll(books.worker)).toBe(3)
    await createTestClock(books.owner).advance(60)
    expect(await sealAll(books.worker)).toBe(1)
    expect(await sealAll(books.worker)).toBe(0)
    expect((await seals()).map(({ ranges }) => ranges)).toEqual([[range(1n, 3n)], [range(4n, 4n)]])
    expect(await audit(books.owner)).toMatchObject({ findings: [], seals: { sealed: 4n, unsealed: 0n } })
  })

  it('is of one moment, also where the clock is moved while it is made', async () => {
    await postDeposits(2)
    let sealing: Promise<number> | undefined
    await books.owner.transaction().execute(async (inside) => {
      // The sealing has read its time by then, and waits for this table lock before it reads the transactions.
      await sql`lock table lode.ledger_transaction in access exclusive mode`.execute(inside)
      sealing = sealAll(books.worker, ripe)
      for (let waiting = false; !waiting; ) {
        const { rows } = await sql<{ waiting: boolean }>`
          select exists (select from pg_locks where relation = 'lode.ledger_transaction'::regclass and not granted) as waiting`.execute(
          inside,
        )
        waiting = rows[0]?.waiting ?? false
      }
      await createTestClock(inside).advance(86_400)
    })
    expect(await sealing).toBe(2)
    expect(await audit(books.owner)).toMatchObject({ findings: [], seals: { sealed: 2n } })
  })

  it('never skips a transaction that commits after higher numbers were sealed', async () => {
    await postDeposits(1)
    let commit = () => {}
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve
    })
    let posted = () => {}
    const hasPosted = new Promise<void>((resolve) => {
      posted = resolve
    })
    const [other = 0n] = await books.members(1)
    const late = books.worker.transaction().execute(async (inside) => {
      await post(inside, [deposit('USDT', other, usdt(5))])
      posted()
      await mayCommit
    })
    await hasPosted
    await postDeposits(2)
    expect(await sealAll(books.worker, ripe)).toBe(3)
    await postDeposits(1)
    expect(await sealAll(books.worker, ripe)).toBe(1)
    // Transaction 2 is still open, so `complete` cannot pass it.
    expect(await seals()).toEqual([
      { ranges: [range(1n, 1n), range(3n, 4n)], complete: 0n },
      { ranges: [range(5n, 5n)], complete: 0n },
    ])
    commit()
    await late
    expect(await sealAll(books.worker, ripe)).toBe(1)
    expect((await seals()).at(-1)?.ranges).toEqual([range(2n, 2n)])
    await untilComplete(5n)
    expect((await audit(books.owner)).findings).toEqual([])
  })

  it('knows of a number that was rolled back that it will not come', async () => {
    await postDeposits(1)
    await expect(
      books.worker.transaction().execute(async (inside) => {
        await post(inside, [deposit('USDT', member, usdt(5))])
        throw new Error('changed its mind')
      }),
    ).rejects.toThrow('changed its mind')
    await postDeposits(1)
    await sealAll(books.worker, ripe)
    expect((await seals()).at(-1)?.ranges).toEqual([range(1n, 1n), range(3n, 3n)])
    await untilComplete(3n)
    expect((await audit(books.owner)).findings).toEqual([])
  })

  it('goes on in further seals where one would be too large', async () => {
    await postDeposits(7)
    expect(await sealAll(books.worker, { delaySeconds: 0, limit: 3 })).toBe(7)
    expect((await seals()).map(({ ranges }) => ranges)).toEqual([[range(1n, 3n)], [range(4n, 6n)], [range(7n, 7n)]])
    expect((await audit(books.owner)).findings).toEqual([])
  })

  it('makes one chain when two workers seal at once', async () => {
    await postDeposits(8)
    const counts = await Promise.all(
      Array.from({ length: 4 }, () => sealNext(books.worker, { delaySeconds: 0, limit: 3 })),
    )
    expect(counts.toSorted()).toEqual([0, 2, 3, 3])
    expect((await audit(books.owner)).findings).toEqual([])
  })

  it('is the worker’s alone, and only continues the chain', async () => {
    await postDeposits(1)
    await expect(sealAll(books.api, ripe)).rejects.toThrow(/permission denied/)
    const forged = sql`
      select lode.add_seal(2, decode(repeat('00', 32), 'hex'), '{[1,2)}', 1, 1, pg_current_xact_id(), lode.now(),
                           decode(repeat('11', 32), 'hex'))`
    await expect(forged.execute(books.worker)).rejects.toThrow(/does not continue the chain/)
  })
})
