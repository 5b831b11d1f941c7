import { ok } from '@lode/kernel'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type DatabaseConnection } from '../../platform/db/database.ts'
import { testEnvironment, testPool } from '../../testing/api.ts'
import { withoutCauseChecks } from '../../testing/cause-checks.ts'
import { copyTestDatabase } from '../../testing/database.ts'
import { disableMember } from '../../testing/disabled-member.ts'
import type { TestMember } from '../../testing/member.ts'
import { signAs } from '../../testing/operators.ts'
import { collectStderr, runLode } from '../../testing/run-lode.ts'
import { createOperators, proposeApproval, proposeRejection, proposeWithdrawal } from '../operators/index.ts'
import { type PayoutRow, readPayouts } from '../payout/index.ts'
import { loadTransfers } from './load-transfers.ts'
import { isOverdue, isUnderReview } from './rules.ts'
import { idOf, publishedPlans, startTransferFixture, type TransferFixture } from './testing/transfer-fixture.ts'
import { findHalfSigned, readWaitingTransfers, type WaitingFilter } from './waiting-transfers.ts'

let fixture: TransferFixture
let operator: DatabaseConnection
let member: TestMember
let disabled: TestMember
beforeAll(async () => {
  fixture = await startTransferFixture({ LOG_LEVEL: 'warn' })
  operator = connectDatabase(fixture.api.database.urlOf('lode_operator'), { name: 'transfer list test', max: 1 })
  member = await fixture.member()
  disabled = await fixture.member()
  await disableMember(fixture.owner, disabled.wallet.account)
}, 60_000)
afterAll(async () => {
  await operator.close()
  await fixture.close()
})

const operators = createOperators({ ...testPool(), ceremony: null })
const context = () => ({ plans: publishedPlans(), operators })
const list = (filter: WaitingFilter = {}, page = { after: 0n, limit: 50 }) =>
  readWaitingTransfers(operator.db, context(), filter, page)
const lode = (...words: string[]) =>
  runLode({ environment: testEnvironment(fixture.api.database), database: fixture.api.database }, ...words)

/** Stores transfers in USDT. Their amounts, in whole coins, and their ages, in hours, repeat. */
async function store(
  of: TestMember,
  count: number,
  { amounts, ages, checks = false }: { amounts: readonly number[]; ages: readonly number[]; checks?: boolean },
): Promise<void> {
  const id = await idOf(fixture.owner, of)
  const insert = sql`
    insert into lode.payout (id, kind, asset, amount, address, member_id, plan_version, level, requested_at, held_check)
    select gen_random_uuid(), 'transfer', 'USDT',
           (${amounts}::numeric[])[1 + n % ${amounts.length}::int] * 1000000, decode(repeat('22', 20), 'hex'), ${id},
           case when ${checks}::boolean and n % 17 = 0 then 99 else 1 end, 0,
           lode.now() - make_interval(hours => (${ages}::int[])[1 + n % ${ages.length}::int]),
           case when ${checks}::boolean and n % 13 = 0 then 'a check' end
    from generate_series(1, ${count}::int) as n`
  await withoutCauseChecks(fixture.owner, () => insert.execute(fixture.owner))
}

const unsigned = (): Promise<PayoutRow[]> =>
  readPayouts(operator.db, sql`where kind = 'transfer' and ended is null order by number`)

const decide = async ({ id, asset, amount, address }: PayoutRow, verb: 'approve' | 'reject') => {
  const terms = { symbol: asset, amount: String(amount), address }
  const proposal = verb === 'approve' ? proposeApproval(id, terms) : proposeRejection(id, terms, 'not yours')
  await signAs(fixture.owner, testPool(), proposal, fixture.alice)
}

describe('the transfers that are not signed yet', () => {
  it('are counted by PostgreSQL as the rules count them one by one', async () => {
    expect((await list()).counts).toMatchObject({ all: 0, oldestReviewAt: null })
    const sizes = { amounts: [10, 5_000, 5_001, 20_000, 20_001, 50_000], ages: [1, 71, 72, 73, 100], checks: true }
    await store(member, 240, sizes)
    await store(disabled, 60, sizes)
    const rows = await unsigned()
    for (const [index, row] of rows.entries())
      if (index % 29 === 0) await decide(row, index % 2 === 0 ? 'approve' : 'reject')

    const loaded = Array.from((await loadTransfers(operator.db, rows, context())).values())
    const expected = {
      review: loaded.filter(isUnderReview),
      overdue: loaded.filter(isOverdue),
      'half-signed': loaded.filter((one) => isUnderReview(one) && findHalfSigned(one).length > 0),
      check: loaded.filter(({ row, plan }) => row.heldCheck !== null || plan === null),
    }
    for (const [status, transfers] of Object.entries(expected)) {
      expect(transfers.length, status).toBeGreaterThan(1)
      const page = await list({ status: status as keyof typeof expected }, { after: 0n, limit: 500 })
      expect(page.transfers.map(({ row }) => row.id)).toEqual(transfers.map(({ row }) => row.id))
      expect(page.matching).toBe(transfers.length)
      expect(page.counts).toMatchObject({ all: 300, [status]: transfers.length })
    }
  })

  it('are filtered by symbol, member, age and size', async () => {
    const rows = await unsigned()
    const ofDisabled = await idOf(fixture.owner, disabled)
    expect((await list({ asset: 'BTC' })).matching).toBe(0)
    expect((await list({ member: disabled.wallet.account })).matching).toBe(
      rows.filter(({ memberId }) => memberId === ofDisabled).length,
    )
    expect((await list({ olderThanHours: 72 })).matching).toBe(180)
    expect((await list({ asset: 'USDT', above: 20_000_000_000n })).matching).toBe(100)
  })

  it('are printed in pages that say how many there are, and who signed first', async () => {
    const first = await lode('transfer', 'list', '--member', member.wallet.account)
    expect(first).toContain('Not signed yet and matching: 240.')
    expect(await lode('transfer', 'list', '--symbol', 'BTC')).toContain('No transfer that waits matches these options.')
    expect(first).toContain('Shown: 1 to 50 of 240.')
    const next = /The next page: lode (transfer list --member 0x\w{40} --after \d+)/.exec(first)?.[1] ?? ''
    const second = await lode(...next.split(' '))
    expect(second).toContain('Shown: 51 to 100 of 240.')
    const last = await lode('transfer', 'list', '--status', 'half-signed')
    expect(last).toMatch(/to (approve|reject): signed by alice on .* UTC, needs another operator until /)
    expect(last).not.toContain('The next page')
    const data = JSON.parse(await lode('transfer', 'list', '--status', 'half-signed', '--json'))
    expect(data.transfers[0]).toMatchObject({ symbol: 'USDT', halfSigned: [{ signer: 'alice' }] })
    expect(data.matching).toBe(data.transfers.length)
    const tooYoung = await lode('transfer', 'list', '--status', 'review', '--older-than', '9000')
    expect(tooYoung).toContain('No transfer that waits matches these options.')
    expect(tooYoung).not.toContain('None')
    await expect(lode('transfer', 'list', '--status', 'held')).rejects.toThrow('held is not a status')
    await expect(lode('transfer', 'list', '--above', '5')).rejects.toThrow('--above needs --symbol')
  })

  it('are decided by an operator who is told that another one has signed the opposite', async () => {
    const { transfers } = JSON.parse(await lode('transfer', 'list', '--status', 'half-signed', '--json'))
    const [{ id, halfSigned }] = transfers
    const [{ verb }] = halfSigned
    const decide = (...words: string[]) => lode('transfer', ...words).then(String, String)
    const told = collectStderr()
    try {
      // Nobody signs, because no key is named.
      expect(await (verb === 'approve' ? decide('reject', id, 'why') : decide('approve', id))).toContain('--key')
      expect(told.text()).toContain(`alice signed to ${verb} it, on `)
    } finally {
      told.end()
    }
  })

  it('are no longer half-signed once the first signer has withdrawn the decision', async () => {
    const before = await list({ status: 'half-signed' })
    const { open } = JSON.parse(await lode('decision', 'list', '--open', '--json'))
    expect(open).toHaveLength(before.matching)
    const [{ id, textHash, verb }] = open
    expect(['approve', 'reject']).toContain(verb)
    const proposal = proposeWithdrawal({ id: BigInt(id), textHash }, async () => ok(null))
    expect(await signAs(operator.db, testPool(), proposal, fixture.alice)).toBe(1)
    expect((await list({ status: 'half-signed' })).matching).toBe(before.matching - 1)
    const { open: after } = JSON.parse(await lode('decision', 'list', '--open', '--json'))
    expect(after.map((one: { id: string }) => one.id)).not.toContain(id)
  })

  it('take hardly longer to list and count if there are 5,000 than if there are 50', { timeout: 300_000 }, async () => {
    await withoutCauseChecks(fixture.owner, () =>
      sql`update lode.payout set ended = 'cancelled', ended_at = lode.now() where ended is null`.execute(fixture.owner),
    )
    const reviews = { amounts: [6_000], ages: [1, 30, 60] }
    const commands = [
      [],
      ['--status', 'review'],
      ['--status', 'half-signed'],
      ['--symbol', 'USDT', '--above', '5500', '--older-than', '30'],
      ['--member', member.wallet.account],
    ]
    await store(member, 50, reviews)
    const few = await copyTestDatabase(fixture.api.database)
    await store(member, 4_950, reviews)
    expect((await list()).counts).toMatchObject({ all: 5_000, review: 5_000 })
    const databases = [few, fixture.api.database]
    for (const { db } of databases) await sql`analyze lode.payout`.execute(db)
    for (const options of commands) {
      // In turn, and the fastest of up to 400 runs, because other tests may use the processors meanwhile.
      const fastest = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
      const isFast = () => (fastest[1] ?? 0) < 1.5 * (fastest[0] ?? 0)
      for (let run = 0; run < 400 && !(run > 5 && isFast()); run += 1)
        for (const [index, database] of databases.entries()) {
          const began = performance.now()
          await runLode({ environment: testEnvironment(database), database }, 'transfer', 'list', ...options)
          fastest[index] = Math.min(fastest[index] ?? 0, performance.now() - began)
        }
      expect(isFast(), `${options.join(' ')}: ${fastest.join(' and ')} ms`).toBe(true)
    }
    await few.drop()
  })
})
