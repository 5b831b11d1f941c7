import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { units } from '@lode/kernel'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeWorkerState } from '../modules/custody/index.ts'
import { post } from '../modules/ledger/index.ts'
import {
  canonicalJson,
  createKeyFile,
  proposeOperatorChange,
  proposePause,
  readKeyFile,
} from '../modules/operators/index.ts'
import { lookFindings } from '../modules/support/index.ts'
import { bytesOf } from '../platform/chain/hex-column.ts'
import { readClock } from '../platform/clock/clock.ts'
import { connectDatabase, type DatabaseConnection } from '../platform/db/database.ts'
import { startTestApi, type TestApi, testEnvironment, testPool } from '../testing/api.ts'
import { withoutCauseChecks } from '../testing/cause-checks.ts'
import { registerMember, type TestMember } from '../testing/member.ts'
import { signInTurn, type TestOperator } from '../testing/operators.ts'
import { publishFirstPlan } from '../testing/plan.ts'
import { runLode } from '../testing/run-lode.ts'
import { createTestWallet } from '../testing/wallet.ts'

/** How an operator answers a member's question, and what that leaves behind. */

let api: TestApi
let operator: DatabaseConnection
let folder: string
let member: TestMember
let carol: string
let alice: TestOperator
beforeAll(async () => {
  api = await startTestApi()
  operator = connectDatabase(api.database.urlOf('lode_operator'), { name: 'member test', max: 1 })
  folder = mkdtempSync(join(tmpdir(), 'lode-member-'))
  const first = await publishFirstPlan(api.db, testPool())
  alice = first.alice
  const file = await createKeyFile('carol', 'the passphrase of carol')
  carol = file.publicKey
  writeFileSync(join(folder, 'carol.json'), file.text)
  writeFileSync(join(folder, 'carol.txt'), 'the passphrase of carol\n')
  const added = await proposeOperatorChange(api.db, testPool(), 'add', { key: carol, name: 'carol' })
  if (!added.ok) throw new Error(added.error)
  await signInTurn(api.db, testPool(), added.value, [alice, first.bob])
  member = await registerMember(api)
}, 60_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await operator.close()
  await api.close()
})

const show = (...words: string[]): Promise<string> =>
  runLode(
    {
      environment: { ...testEnvironment(api.database), LODE_PASSPHRASE_FILE: join(folder, 'carol.txt') },
      database: api.database,
    },
    'member',
    'show',
    ...words,
    '--key',
    join(folder, 'carol.json'),
  )

async function countLooks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from lode.member_look`.execute(api.db)
  return rows[0]?.count ?? 0
}

describe('a member’s question', { timeout: 120_000 }, () => {
  it('“my deposit is missing” is answered from the report of the browser to the block that is not final', async () => {
    const { account } = member.wallet
    await sql`
      insert into lode.reported_deposit (member_id, tx, asset, amount)
      select id, decode(repeat('aa', 32), 'hex'), 'USDT', 7000000 from lode.member where account = ${bytesOf(account)}
      union all
      select id, decode(repeat('bb', 32), 'hex'), 'USDT', 8000000 from lode.member where account = ${bytesOf(account)}`.execute(
      api.db,
    )
    expect(await show(account, 'ticket 17')).toMatch(/NOT SEEN on the chain: 7 USDT, 0x(aa){32}/)
    await sql`
      insert into lode.chain_block (number, hash, time)
      values (17, decode(repeat('17', 32), 'hex'), lode.now())`.execute(api.db)
    await sql`
      insert into lode.chain_incoming (block_number, log_index, tx, account, asset, amount)
      values (17, 0, decode(repeat('bb', 32), 'hex'), ${bytesOf(account)}, 'USDT', 8000000)`.execute(api.db)
    const text = await show(account, 'ticket 17')
    expect(text).toMatch(/seen on .* in block 17, credited when the block is final: 8 USDT, 0x(bb){32}/)
    expect(text).not.toMatch(/NOT SEEN on the chain: 8 USDT/)
  })

  it('“my deposit is missing” finds money that was sent before the registration', async () => {
    await withoutCauseChecks(api.db, () =>
      sql`
        insert into lode.log_line (member, asset, id, type, operation, transaction, phase, amount, fee, at)
        select id, 1, nextval('lode.log_line_id'), 15, 'suspense:USDT:1', 1, 'confirmed', 160000000, 0, lode.now()
        from lode.member where account = ${bytesOf(member.wallet.account)}`.execute(api.db),
    )
    expect(await show(member.wallet.account, 'ticket 17')).toMatch(
      /credited on .*: 160 USDT, from what had waited \(sent before the registration, or to cold storage\)/,
    )
  })

  it('“why was my reward missed” is answered in words', async () => {
    const order = '01234567-89ab-4def-8123-456789abcdef'
    await withoutCauseChecks(api.db, async () => {
      await sql`
        insert into lode.pay_order
          (id, member_id, type, plan_version, asset, amount, balance_part, level, power, airdrop)
        select ${order}::uuid, id, 1, 1, 'USDT', 100000000, 100000000, 1, 1, 0
        from lode.member where account = ${bytesOf(member.wallet.account)}`.execute(api.db)
      await sql`
        insert into lode.reward (member_id, order_id, type, layer, basis_points, amount, failed)
        select id, ${order}::uuid, 'upLevelReward', 2, 500, 5000000, 'level-below'
        from lode.member where account = ${bytesOf(member.wallet.account)}
        union all
        select id, ${order}::uuid, 'promotionReward', null, 1000, 10000000, 'count-reached'
        from lode.member where account = ${bytesOf(member.wallet.account)}`.execute(api.db)
    })
    const text = await show(member.wallet.account, 'ticket 18')
    expect(text).toContain(
      'Referral reward, 10 USDT: MISSED, because the member had received as many referral rewards as its level allowed',
    )
    expect(text).toContain(
      'Up-level reward from layer 2, 5 USDT: MISSED, because the member’s level was below that of the promotion',
    )
    const data = JSON.parse(await show(member.wallet.account, 'ticket 18', '--json'))
    expect(data.member.rewards).toMatchObject({ count: 2 })
    expect(data.member.rewards.newest).toContainEqual(
      expect.objectContaining({ symbol: 'USDT', amount: '5', layer: 2 }),
    )
  })

  it('“my transfer is stuck” is answered with its holds and the member’s protections', async () => {
    await withoutCauseChecks(api.db, () =>
      sql`
        insert into lode.payout (id, kind, asset, amount, address, member_id, plan_version, level)
        select gen_random_uuid(), 'transfer', 'USDT', 6000000000, account, id, 1, 0
        from lode.member where account = ${bytesOf(member.wallet.account)}`.execute(api.db),
    )
    await sql`
      insert into lode.protection (member_id, transfers_locked_until)
      select id, lode.now() + interval '3 days' from lode.member where account = ${bytesOf(member.wallet.account)}
      on conflict (member_id) do update set transfers_locked_until = excluded.transfers_locked_until`.execute(api.db)
    const text = await show(member.wallet.account, 'ticket 19')
    expect(text).toMatch(
      /6000 USDT to 0x\w{40}: held, because the member locked transfers, until .* UTC; under review, because it is large/,
    )
    expect(text).toContain('the member locked transfers until')
  })

  it('“why can I only take my money out” is answered with the reason and the balances', async () => {
    const { account } = member.wallet
    const { rows } = await sql<{ id: bigint }>`select id from lode.member where account = ${bytesOf(account)}`.execute(
      api.db,
    )
    const [id = 0n] = rows.map((row) => row.id)
    const log = `0x${'beef'.repeat(16)}:0` as const
    const line = { type: 'transferIn', operation: log } as const
    const frozen = { type: 'transferOut', operation: 'a-transfer' } as const
    const deposited = { asset: 'USDT', amount: units('USDT', 160_500_000n) } as const
    const moved = { asset: 'USDT', amount: units('USDT', 40_000_000n) } as const
    const [books, asked] = (['lode_worker', 'lode_api'] as const).map((role) =>
      connectDatabase(api.database.urlOf(role), { name: 'member test', max: 1 }),
    )
    if (!books || !asked) throw new Error('two connections')
    await withoutCauseChecks(api.db, async () => {
      const to = { kind: 'available', member: id, line } as const
      await post(books.db, [
        { type: 'deposit', key: `chain:31337:${log}`, moves: [{ ...deposited, from: 'custody:vault', to }] },
      ])
      const [from, into] = [
        { kind: 'available', member: id, line: frozen } as const,
        { kind: 'frozenOut', member: id, line: frozen } as const,
      ]
      await post(asked.db, [
        { type: 'transferRequest', member: id, key: 'a-transfer', moves: [{ ...moved, from, to: into }] },
      ])
      await sql`
        with decided as (
          insert into lode.decision (subject, verb, body, expires_at)
          values ('a member', 'disable', '{"note": "your wallet was stolen"}', lode.now() + interval '1 day') returning id)
        update lode.member set disabled_at = lode.now(), disabled_by = (select id from decided) where id = ${id}`.execute(
        api.db,
      )
    })
    await Promise.all([books.close(), asked.close()])
    const text = await show(account, 'ticket 20')
    expect(text).toMatch(/DISABLED since .* UTC, by decision \d+: your wallet was stolen\n/)
    expect(text).toContain('\nBalance: 120.5 USDT, 0 BTN, 0 BTC; frozen 40 USDT, 0 BTN, 0 BTC\n')
    expect(JSON.parse(await show(account, 'ticket 20', '--json')).member.balances).toEqual([
      { symbol: 'USDT', available: '120.5', frozen: '40' },
    ])
  })

  it('is answered with how far the pool has read the chain, and what holds every payout', async () => {
    const { account } = member.wallet
    expect(await show(account, 'ticket 17')).toContain(
      'The pool has read nothing of the chain yet: no deposit is known.',
    )
    const { pool, chainId } = testPool()
    const hash = Buffer.alloc(32, 1)
    await sql`
      insert into lode.chain_state (chain_id, vault, genesis_hash, posted_number, posted_hash, posted_time)
      values (${chainId}, ${bytesOf(pool)}, ${hash}, 17, ${hash}, lode.now())`.execute(api.db)
    const until = new Date((await readClock(api.db)).getTime() + 3_600_000)
    await signInTurn(api.db, testPool(), proposePause(until, 'a drill'), [alice])
    const text = await show(account, 'ticket 17')
    expect(text).toMatch(
      /\nThe pool has read the chain up to block 17 \(.* UTC\); the worker is AWAY: newer deposits are not known\.\n/,
    )
    expect(text).toMatch(/\nPayouts are paused until .* UTC by alice: a drill \(decision \d+\)\.\n/)
    expect(text).toContain('\nNo signer has ever reported here')
    const report = { finalBlock: 17n, nodes: [], failingJobs: [], trouble: null }
    await writeWorkerState(api.db, report)
    expect(await show(account, 'ticket 17')).toMatch(/\nThe pool has read the chain up to block 17 \(.* UTC\)\.\n/)
    await sql`update lode.chain_state set posted_time = lode.now() - interval '2 hours'`.execute(api.db)
    expect(await show(account, 'ticket 17')).toContain('which is 2 h old: newer deposits are not known.')
    await sql`delete from lode.chain_state`.execute(api.db)
  })

  it('about an address that is not registered is answered, and leaves a line, too', async () => {
    const before = await countLooks()
    expect(await show(createTestWallet().account, 'ticket 20')).toContain('Not registered.')
    expect(await countLooks()).toBe(before + 1)
  })
})

describe('the trail of look-ups', { timeout: 120_000 }, () => {
  it('has who looked, at whom and why, signed, and the audit verifies it', async () => {
    const { rows } = await sql<{ operator: Buffer; note: string }>`
      select operator, note from lode.member_look where account = ${bytesOf(member.wallet.account)}
      order by id limit 1`.execute(api.db)
    expect(rows).toEqual([{ operator: Buffer.from(carol, 'hex'), note: 'ticket 17' }])
    expect(await lookFindings(api.db)).toEqual([])
    await sql`
      select lode.note_member_look(
        ${bytesOf(member.wallet.account)}, ${Buffer.from(carol, 'hex')}, 'a lie', '{}', decode(repeat('00', 64), 'hex'))`.execute(
      operator.db,
    )
    expect(await lookFindings(api.db)).toEqual([expect.stringContaining('is not signed by an operator')])
  })

  it('must name the pool, the chain, the verb and the time, and a signature is stored once', async () => {
    const file = readKeyFile(readFileSync(join(folder, 'carol.json'), 'utf8'))
    const opened = file.ok ? await file.value.open('the passphrase of carol') : file
    if (!opened.ok) throw new Error(opened.error)
    const { account } = member.wallet
    const note = 'ticket 21'
    const store = async (text: string): Promise<void> => {
      await sql`
        select lode.note_member_look(
          ${bytesOf(account)}, ${Buffer.from(carol, 'hex')}, ${note}, ${text}, ${opened.value.sign(text)})`.execute(
        operator.db,
      )
    }
    const now = await readClock(api.db)
    const right = { ...testPool(), verb: 'look-up', address: account, note, at: now.toISOString() }
    const before = (await lookFindings(api.db)).length
    await store(canonicalJson(right))
    expect(await lookFindings(api.db)).toHaveLength(before)
    await expect(store(canonicalJson(right))).rejects.toThrow('member_look_signature_key')
    const wrong = [
      { ...right, chainId: 1 },
      { ...right, pool: account },
      { ...right, verb: 'pause' },
      { ...right, note: 'another' },
      { ...right, at: new Date(now.getTime() - 11 * 60_000).toISOString() },
    ]
    for (const text of [...wrong.map((body) => canonicalJson(body)), 'no JSON']) await store(text)
    expect(await lookFindings(api.db)).toHaveLength(before + wrong.length + 1)
  })

  it('cannot be avoided: the role reads a member only after its line is committed', async () => {
    for (const table of [
      'member_look',
      'reward',
      'pay_order',
      'pledge',
      'chain_incoming',
      'log_line',
      'output_address',
    ])
      await expect(sql`select * from ${sql.table(`lode.${table}`)}`.execute(operator.db), table).rejects.toThrow(
        'permission denied',
      )
    await expect(sql`select lode.describe_member(1)`.execute(operator.db)).rejects.toThrow('permission denied')
    await expect(sql`select lode.look_up_member(999999)`.execute(operator.db)).rejects.toThrow('no line of the trail')
    const inOneTransaction = operator.db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ id: bigint }>`
        select lode.note_member_look(
          ${bytesOf(member.wallet.account)}, ${Buffer.from(carol, 'hex')}, 'secretly', '{}',
          decode(repeat('11', 64), 'hex')) as id`.execute(trx)
      await sql`select lode.look_up_member(${rows[0]?.id})`.execute(trx)
    })
    await expect(inOneTransaction).rejects.toThrow('not committed')
  })
})
