import { units } from '@lode/kernel'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type DatabaseConnection } from '../../platform/db/database.ts'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { withoutCauseChecks } from '../../testing/cause-checks.ts'
import { registerMember, type TestMember } from '../../testing/member.ts'
import { post } from '../ledger/index.ts'

let api: TestApi
let worker: DatabaseConnection
let member: TestMember
beforeAll(async () => {
  api = await startTestApi()
  worker = connectDatabase(api.database.urlOf('lode_worker'), { name: 'reported deposits test' })
  member = await registerMember(api)
})
afterAll(async () => {
  await worker.close()
  await api.close()
})

const txOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

const report = ({ wallet, token }: TestMember, number: number, amount = '5') =>
  api.call('wallet/report-sent', { account: wallet.account, symbol: 'USDT', amount, tx: txOf(number) }, { token })

async function readSent({ wallet, token }: TestMember, symbol: 'USDT' | 'BTN' = 'USDT') {
  const answer = await api.call('wallet/sent', { account: wallet.account, symbol }, { token })
  return answer.body.data.items
}

async function readBalance({ wallet, token }: TestMember) {
  const answer = await api.call('wallet/assets', { account: wallet.account }, { token })
  return answer.body.data.items.find(({ symbol }) => symbol === 'USDT')
}

describe('a deposit that a browser reports', () => {
  it('is shown to the member alone, and credits nothing', async () => {
    const before = await readBalance(member)
    expect((await report(member, 1)).status).toBe(200)
    expect(await readSent(member)).toEqual([{ tx: txOf(1), amount: '5', at: expect.any(String) }])
    expect(await readSent(member, 'BTN')).toEqual([])
    expect(await readSent(await registerMember(api))).toEqual([])
    expect(await readBalance(member)).toEqual(before)
  })

  it('is kept as first reported', async () => {
    await report(member, 2, '6')
    await report(member, 2, '600')
    expect((await readSent(member)).find(({ tx }) => tx === txOf(2))?.amount).toBe('6')
  })

  it('is refused if its amount is zero or has too many decimals', async () => {
    for (const amount of ['0', '0.0000001']) expect((await report(member, 3, amount)).body.reason).toBe('format')
  })

  it('is no longer shown once the deposit is in the ledger', async () => {
    const payer = await registerMember(api)
    await report(payer, 4)
    await report(payer, 5)
    const { rows } = await sql<{ id: bigint }>`
      select id from lode.member where account = ${Buffer.from(payer.wallet.account.slice(2), 'hex')}`.execute(api.db)
    const line = { type: 'transferIn', operation: `${txOf(4)}:0` } as const
    const to = { kind: 'available', member: rows[0]?.id ?? 0n, line } as const
    const move = { asset: 'USDT', amount: units('USDT', 5_000_000n), from: 'custody:vault', to } as const
    await withoutCauseChecks(api.db, () =>
      post(worker.db, [{ type: 'deposit', key: `chain:31337:${txOf(4)}:0`, moves: [move] }]),
    )
    expect((await readSent(payer)).map(({ tx }) => tx)).toEqual([txOf(5)])
  })

  it('replaces the oldest of ten reports', async () => {
    const payer = await registerMember(api)
    for (let number = 10; number < 22; number += 1) await report(payer, number)
    const kept = (await readSent(payer)).map(({ tx }) => tx)
    expect(kept.toSorted()).toEqual(Array.from({ length: 10 }, (_, index) => txOf(12 + index)))
  })
})
