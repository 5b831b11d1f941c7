import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withoutCauseChecks } from '../../testing/cause-checks.ts'
import { findErrorCode } from '../../testing/database.ts'
import { waitUntil } from '../../testing/pool.ts'
import { type PayingMember, type PayingPool, startPayingPool } from './testing/paying-pool.ts'

let pool: PayingPool
let member: PayingMember
beforeAll(async () => {
  pool = await startPayingPool({ wallets: 1 })
  await pool.startWorker()
  member = await pool.addPayingMember((pool.wallets as [PrivateKeyAccount])[0], { USDT: 1_000_000_000n })
}, 60_000)
afterAll(() => pool.close())

type Role = Parameters<PayingPool['database']['urlOf']>[0]

const answerOf = (role: Role, statement: string) => findErrorCode(pool.database, role, statement)

const DENIED = '42501'
const THIEF = '\\x2222222222222222222222222222222222222222'
const forgedPayout = (id: string) =>
  `insert into lode.payout (id, kind, asset, amount, address, member_id, plan_version, level)
   values ('${id}', 'transfer', 'USDT', 10000000, '${THIEF}', ${member.id}, 1, 0)`

describe('a stolen connection', { timeout: 60_000 }, () => {
  const both = ['lode_api', 'lode_worker', 'lode_signer'] as const

  it.each(both)('of %s cannot make a payout or change its address or amount', async (role) => {
    for (const statement of [
      forgedPayout(randomUUID()),
      `update lode.payout set address = '${THIEF}'`,
      'update lode.payout set amount = amount * 2',
      "update lode.payout set ended = 'final'",
      'delete from lode.payout',
      'delete from lode.release',
      'delete from lode.payout_skip',
    ])
      expect(await answerOf(role, statement), statement).toBe(DENIED)
  })

  it.each(['lode_api', 'lode_worker'] as const)(
    'of %s cannot sign, and cannot read signed transactions',
    async (role) => {
      for (const statement of [
        `insert into lode.release (kind, payer, nonce, call, gas) values ('payouts', '${THIEF}', 0, '', 1)`,
        'update lode.payout set release_number = null',
        'select raw from lode.release_form',
      ])
        expect(await answerOf(role, statement), statement).toBe(DENIED)
    },
  )

  it.each(['lode_api', 'lode_signer'] as const)('of %s cannot end payouts or releases', async (role) => {
    for (const call of [
      `settle_payout('${randomUUID()}', '\\x00', 0, now())`,
      `step_back('${randomUUID()}', '\\x00', 0, 'cap')`,
      `revert_payment('${randomUUID()}')`,
      'end_release(1)',
      'give_up_release(1)',
    ])
      expect(await answerOf(role, `select lode.${call}`), call).toBe(DENIED)
  })

  it('of the owner can insert a payout row, but the signer does not pay it', async () => {
    const signer = await pool.startSigner()
    const id = randomUUID()
    await expect(sql.raw(forgedPayout(id)).execute(pool.db)).rejects.toThrow('is not in the ledger')
    await withoutCauseChecks(pool.db, () => sql.raw(forgedPayout(id)).execute(pool.db))
    await waitUntil(async () => expect((await pool.payout(id)).heldCheck).not.toBeNull())
    expect(await pool.payout(id)).toMatchObject({ releaseNumber: null, ended: null })
    await waitUntil(async () => {
      const metrics = await (await fetch(new URL('/metrics', signer.url))).text()
      expect(metrics).toMatch(/lode_payouts_open\{state="check-failed",process="signer"\} 1/)
      expect(metrics).toMatch(/lode_payer_stopped\{process="signer"\} 0/)
      expect(metrics).toMatch(/lode_payer_full_releases_left\{process="signer"\} [1-9]/)
    })
    // Other payouts do not wait for it. Only the same member's open payouts do, because too little is frozen for them.
    await sql`delete from lode.payout where id = ${id}`.execute(pool.db)
    expect(await pool.waitUntilEnded(await pool.request(member, 'USDT', 10_000_000n))).toMatchObject({ ended: 'final' })
    await signer.close()
  })
})
