import type { Asset } from '@lode/kernel'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Session } from '../../platform/http/session.ts'
import { testPool } from '../../testing/api.ts'
import { withoutCauseChecks } from '../../testing/cause-checks.ts'
import type { TestMember } from '../../testing/member.ts'
import { createOperators } from '../operators/index.ts'
import { readPayouts } from '../payout/index.ts'
import { judgeTransfers } from './judge.ts'
import { listTransfers, type OrderPage, readTransfer, selectOrders } from './queries.ts'
import {
  DECIMALS,
  idOf,
  publishedPlans,
  startTransferFixture,
  type TransferFixture,
} from './testing/transfer-fixture.ts'

let fixture: TransferFixture
let member: TestMember
let memberId: bigint
const ids: string[] = []
beforeAll(async () => {
  fixture = await startTransferFixture({ LOG_LEVEL: 'warn' })
  member = await fixture.member({ USDT: '9000' })
  memberId = await idOf(fixture.owner, member)
  for (let count = 0; count < 12; count += 1) ids.push((await fixture.makeOrder(member)).id)
})
afterAll(() => fixture.close())

describe('reading orders', () => {
  it('needs only one statement more for a page than for one order: that of the counts', async () => {
    let statements = 0
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => {
        statements += 1
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const db = fixture.asApi.withPlugin(counting)
    const operators = createOperators({ ...testPool(), ceremony: null })
    const plans = publishedPlans()
    await plans.byVersion(fixture.asApi, 1)
    const showing = { plans, operators, decimals: DECIMALS }
    const session = { memberId } as Session
    const countOf = async (task: () => Promise<unknown>) => {
      statements = 0
      await task()
      return statements
    }
    const one = await countOf(() => readTransfer(db, session, ids[0] ?? '', showing))
    const page = await countOf(async () => {
      const { items } = await listTransfers(db, session, { limit: 12 }, showing)
      expect(items).toHaveLength(12)
    })
    expect(page).toBe(one + 1)
    expect(page).toBeLessThanOrEqual(5)
    const judging = { plans, operators, pinned: true }
    const rows = await readPayouts(db, sql`where member_id = ${memberId}`)
    const judge = (some: typeof rows) =>
      countOf(() => judgeTransfers(fixture.signer.withPlugin(counting), some, judging))
    expect(await judge(rows)).toBe(await judge(rows.slice(0, 1)))
    expect(await judge(rows)).toBeLessThanOrEqual(6)
  })

  it('uses the member’s index with every filter and stops when the page is full', async () => {
    const insertTransfers = sql`
      insert into lode.payout (id, kind, asset, amount, address, member_id, plan_version, level)
      select gen_random_uuid(), 'transfer', 'BTC', 1, decode(repeat('22', 20), 'hex'), other.id, 1, 0
      from generate_series(1, 3000) cross join (select min(id) as id from lode.member) as other`
    await withoutCauseChecks(fixture.owner, () => insertTransfers.execute(fixture.owner))
    await sql`analyze lode.payout`.execute(fixture.owner)
    const planOf = async (page: Partial<OrderPage>) => {
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain (costs off) select * from lode.payout ${selectOrders(memberId, { limit: 5, ...page })}`.execute(
        fixture.owner,
      )
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    for (const page of [{}, { before: 9n }, { symbol: 'USDT' as Asset }, { status: 0 }, { status: 2 }] as const) {
      const plan = await planOf(page)
      expect(plan).toMatch(/Index Scan Backward using payout_by_member/)
      expect(plan).not.toMatch(/Sort|Seq Scan/)
    }
  })

  it('finds the used quota with a partial index', async () => {
    const plan = await fixture.owner.transaction().execute(async (trx) => {
      // With so few rows PostgreSQL would otherwise choose a sequential scan.
      await sql`set local enable_seqscan = off`.execute(trx)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain (costs off) select sum(amount) from lode.quota_use
        where member_id = ${memberId} and asset = 'USDT' and given_back_at is null
          and at > lode.now() - interval '24 hours'`.execute(trx)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    expect(plan).toMatch(/using quota_use_that_counts/)
  })
})
