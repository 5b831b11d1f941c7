import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestClock } from '../../testing/clock.ts'
import { audit } from './audit/audit.ts'
import { post } from './post.ts'
import { sealAll, sealNext } from './seal.ts'
import { parseRanges } from './seal-chain.ts'
import { openTestLedger, type TestLedger, usdt } from './testing/test-ledger.ts'
import { deposit } from './testing/transactions.ts'

let ledger: TestLedger
let member: bigint
beforeEach(async () => {
  ledger = await openTestLedger()
  await ledger.enableCauseChecks()
  member = (await ledger.members(1))[0] ?? 0n
})
afterEach(() => ledger.close())

const noDelay = { delaySeconds: 0 }
const postDeposits = async (count: number) => {
  for (let index = 0; index < count; index += 1) await post(ledger.worker, [deposit('USDT', member, usdt(1 + index))])
}

async function readSeals() {
  const { rows } = await sql<{ transactions: string; complete: bigint }>`
    select transactions, complete from lode.ledger_seal order by number`.execute(ledger.owner)
  return rows.map(({ transactions, complete }) => ({ complete, ranges: parseRanges(transactions) }))
}

/** Waits for transactions of other tests on the same server: they are older and must end first. */
async function waitUntilComplete(number: bigint): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (((await readSeals()).at(-1)?.complete ?? 0n) >= number) return
    await postDeposits(1)
    await sealAll(ledger.worker, noDelay)
    await sleep(50)
  }
  throw new Error(`nothing was complete up to ${number}`)
}

const range = (first: bigint, last: bigint) => ({ first, last })

describe('sealing', () => {
  it('seals transactions once they are older than the delay', async () => {
    await postDeposits(3)
    expect(await sealAll(ledger.worker)).toBe(0)
    await createTestClock(ledger.owner).advance(60)
    await postDeposits(1)
    expect(await sealAll(ledger.worker)).toBe(3)
    await createTestClock(ledger.owner).advance(60)
    expect(await sealAll(ledger.worker)).toBe(1)
    expect(await sealAll(ledger.worker)).toBe(0)
    expect((await readSeals()).map(({ ranges }) => ranges)).toEqual([[range(1n, 3n)], [range(4n, 4n)]])
    expect(await audit(ledger.owner)).toMatchObject({ findings: [], seals: { sealed: 4n, unsealed: 0n } })
  })

  it('uses one time for the whole seal, even if the clock is moved meanwhile', async () => {
    await postDeposits(2)
    let sealing: Promise<number> | undefined
    await ledger.owner.transaction().execute(async (trx) => {
      // The sealing has read its time by then, and waits for this table lock before it reads the transactions.
      await sql`lock table lode.ledger_transaction in access exclusive mode`.execute(trx)
      sealing = sealAll(ledger.worker, noDelay)
      for (let waiting = false; !waiting; ) {
        const { rows } = await sql<{ waiting: boolean }>`
          select exists (select from pg_locks where relation = 'lode.ledger_transaction'::regclass and not granted) as waiting`.execute(
          trx,
        )
        waiting = rows[0]?.waiting ?? false
      }
      await createTestClock(trx).advance(86_400)
    })
    expect(await sealing).toBe(2)
    expect(await audit(ledger.owner)).toMatchObject({ findings: [], seals: { sealed: 2n } })
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
    const [other = 0n] = await ledger.members(1)
    const late = ledger.worker.transaction().execute(async (trx) => {
      await post(trx, [deposit('USDT', other, usdt(5))])
      posted()
      await mayCommit
    })
    await hasPosted
    await postDeposits(2)
    expect(await sealAll(ledger.worker, noDelay)).toBe(3)
    await postDeposits(1)
    expect(await sealAll(ledger.worker, noDelay)).toBe(1)
    // Transaction 2 is still open, so `complete` cannot pass it.
    expect(await readSeals()).toEqual([
      { ranges: [range(1n, 1n), range(3n, 4n)], complete: 0n },
      { ranges: [range(5n, 5n)], complete: 0n },
    ])
    commit()
    await late
    expect(await sealAll(ledger.worker, noDelay)).toBe(1)
    expect((await readSeals()).at(-1)?.ranges).toEqual([range(2n, 2n)])
    await waitUntilComplete(5n)
    expect((await audit(ledger.owner)).findings).toEqual([])
  })

  it('does not wait for a number whose transaction was rolled back', async () => {
    await postDeposits(1)
    await expect(
      ledger.worker.transaction().execute(async (trx) => {
        await post(trx, [deposit('USDT', member, usdt(5))])
        throw new Error('changed its mind')
      }),
    ).rejects.toThrow('changed its mind')
    await postDeposits(1)
    await sealAll(ledger.worker, noDelay)
    expect((await readSeals()).at(-1)?.ranges).toEqual([range(1n, 1n), range(3n, 3n)])
    await waitUntilComplete(3n)
    expect((await audit(ledger.owner)).findings).toEqual([])
  })

  it('makes several seals if one would be too large', async () => {
    await postDeposits(7)
    expect(await sealAll(ledger.worker, { delaySeconds: 0, limit: 3 })).toBe(7)
    expect((await readSeals()).map(({ ranges }) => ranges)).toEqual([[range(1n, 3n)], [range(4n, 6n)], [range(7n, 7n)]])
    expect((await audit(ledger.owner)).findings).toEqual([])
  })

  it('makes one chain when two workers seal at once', async () => {
    await postDeposits(8)
    const counts = await Promise.all(
      Array.from({ length: 4 }, () => sealNext(ledger.worker, { delaySeconds: 0, limit: 3 })),
    )
    expect(counts.toSorted()).toEqual([0, 2, 3, 3])
    expect((await audit(ledger.owner)).findings).toEqual([])
  })

  it('is allowed for the worker only, and only as the next seal of the chain', async () => {
    await postDeposits(1)
    await expect(sealAll(ledger.api, noDelay)).rejects.toThrow(/permission denied/)
    const forge = (number: number, previousByte: string) =>
      sql`
        select lode.add_seal(${number}, decode(repeat(${previousByte}, 32), 'hex'), '{[1,2)}', 1, 1, pg_current_xact_id(),
                             lode.now(), decode(repeat('11', 32), 'hex'))`.execute(ledger.worker)
    await expect(forge(2, '00')).rejects.toThrow(/does not continue the chain/)
    await expect(forge(1, '22')).rejects.toThrow(/does not continue the chain/)
  })
})
