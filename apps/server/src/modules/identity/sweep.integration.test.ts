import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type DatabaseConnection } from '../../platform/db/database.ts'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { logIn, registerMember, requestAndSign } from '../../testing/member.ts'
import { sweepNonces, sweepSessions } from './sweep.ts'

let api: TestApi
let worker: DatabaseConnection
beforeAll(async () => {
  api = await startTestApi()
  worker = connectDatabase(api.database.urlOf('lode_worker'), { name: 'test worker' })
})
afterAll(async () => {
  await worker.close()
  await api.close()
})

const count = async (table: 'lode.session' | 'lode.consumed_nonce') => {
  const { rows } = await sql<{ count: bigint }>`select count(*) from ${sql.table(table)}`.execute(api.db)
  return rows[0]?.count
}

describe('sweeping', () => {
  it('keeps nonces and sessions that are still valid', async () => {
    const member = await registerMember(api)
    expect(await sweepNonces(worker.db)).toBe(0n)
    expect(await sweepSessions(worker.db)).toBe(0n)
    expect((await api.call('account/profile', { account: member.wallet.account }, member)).status).toBe(200)
  })

  it('removes expired nonces and sessions, in batches', async () => {
    const { wallet } = await registerMember(api)
    const posted = await requestAndSign(api, wallet)
    await api.call('sign/login', { ...posted, lang: 'en' })
    await sql`insert into lode.consumed_nonce (nonce, expires_at)
      select decode(md5(n::text), 'hex'), lode.now() - interval '2 hours' from generate_series(1, 2500) n`.execute(
      api.db,
    )
    await sql`insert into lode.session (id, token_hash, member_id, mode, created_at)
      select gen_random_uuid(), sha256(n::text::bytea), 1, 'full', lode.now() - interval '13 hours'
      from generate_series(1, 2500) n`.execute(api.db)
    expect(await sweepNonces(worker.db)).toBe(2_500n)
    expect(await sweepSessions(worker.db)).toBe(2_500n)
    // The nonce of the signature that was just used is kept.
    const again = await api.call('sign/login', { ...posted, lang: 'en' })
    expect(again.body.reason).toBe('signature-used')
  })

  it('keeps a nonce for an hour after its message has expired, because a slow request may still insert it', async () => {
    const { wallet } = await registerMember(api)
    const posted = await requestAndSign(api, wallet)
    await api.call('sign/login', { ...posted, lang: 'en' })
    await sql`update lode.consumed_nonce set expires_at = lode.now() - interval '30 minutes'`.execute(api.db)
    const kept = await count('lode.consumed_nonce')
    expect([await sweepNonces(worker.db), await count('lode.consumed_nonce')]).toEqual([0n, kept])
    await sql`update lode.consumed_nonce set expires_at = lode.now() - interval '61 minutes'`.execute(api.db)
    expect(await sweepNonces(worker.db)).toBe(kept)
  })

  it('removes every nonce and session once all have expired', async () => {
    await logIn(api, api.root)
    await api.clock.advance(13 * 60 * 60)
    await sweepNonces(worker.db)
    await sweepSessions(worker.db)
    expect([await count('lode.consumed_nonce'), await count('lode.session')]).toEqual([0n, 0n])
  })

  it('finds expired rows by an index', async () => {
    await api.db.connection().execute(async (db) => {
      await sql`set enable_seqscan = off`.execute(db)
      const plan = async (query: RawBuilder<unknown>) => JSON.stringify((await query.execute(db)).rows)
      const nonces = sql`explain select nonce from lode.consumed_nonce
        where expires_at < lode.now() order by expires_at limit 10`
      const sessions = sql`explain select id from lode.session
        where created_at < lode.now() order by created_at limit 10`
      expect(await plan(nonces)).toContain('consumed_nonce_by_expiry')
      expect(await plan(sessions)).toContain('session_by_creation')
    })
  })
})
