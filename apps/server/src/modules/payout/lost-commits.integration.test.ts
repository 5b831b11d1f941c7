import { join } from 'node:path'
import { sql } from 'kysely'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitUntil } from '../../testing/pool.ts'
import { readSystemBalances } from '../ledger/index.ts'
import { forgetLastRelease } from './testing/forget-last-release.ts'
import { type PayingMember, type PayingPool, startPayingPool } from './testing/paying-pool.ts'

let pool: PayingPool
let member: PayingMember
beforeAll(async () => {
  pool = await startPayingPool({ wallets: 1 })
  await pool.startWorker()
  const [wallet] = pool.wallets as [PrivateKeyAccount]
  member = await pool.addPayingMember(wallet, { USDT: 1_000_000_000n, BTN: 10n ** 24n })
}, 60_000)
afterAll(() => pool.close())

describe('a burn that is mined, and that the database forgot', { timeout: 120_000 }, () => {
  it('is signed again under the same id, which the vault refuses, so that it is burned once', async () => {
    const due = async () => (await readSystemBalances(pool.db))('burn:due', 'BTN')
    const held = () => pool.balanceOf('BTN', pool.contracts.vault)
    const countBurns = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from lode.release where kind = 'burn'`.execute(pool.db)
      return rows[0]?.count
    }
    const signer = await pool.startSigner()
    await pool.waitUntilEnded(await pool.request(member, 'BTN', 1_000n * 10n ** 18n))
    await waitUntil(async () => expect(await countBurns()).toBe(1))
    await waitUntil(async () => expect(await pool.pendingTransactionsOf(pool.accountOf('payer').address)).toEqual([]))
    await signer.close()
    const [owed, before] = [await due(), await held()]
    expect(owed).toBeGreaterThan(0n)
    await forgetLastRelease(pool.db)

    // On another host: there the journal does not tell that the database lacks a release.
    const next = await pool.startSigner({ SIGNER_JOURNAL: join(pool.folder, 'other-host.journal') })
    await waitUntil(async () => expect(await countBurns()).toBe(1))
    await waitUntil(async () => {
      await pool.finalize()
      expect(await due()).toBe(0n)
    })
    await waitUntil(async () => {
      await pool.finalize()
      const { rows } = await sql`select from lode.release where ended_at is null`.execute(pool.db)
      expect(rows).toEqual([])
    })
    expect(await held()).toBe(before)
    expect((await readSystemBalances(pool.db))('custody:vault', 'BTN')).toBe(-before)
    await next.close()
  })
})

describe('a transfer that the chain shows as paid, and that the database forgot to have signed', {
  timeout: 60_000,
}, () => {
  it('cannot be canceled', async () => {
    const signer = await pool.startSigner()
    const id = await pool.request(member, 'USDT', 10_000_000n)
    await waitUntil(async () => {
      const { rows } = await sql`select from lode.chain_outgoing where payout_id = ${id}`.execute(pool.db)
      expect(rows).toHaveLength(1)
    })
    await signer.close()
    await forgetLastRelease(pool.db)
    expect(await pool.cancel(member, id)).toBe('order-completed')
    expect(await pool.payout(id)).toMatchObject({ ended: null, releaseNumber: null })
  })
})
