import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../platform/db/database.ts'
import { accountNumber } from '../account-number.ts'
import { types } from '../chart.ts'
import { sealAll } from '../seal.ts'
import { disableProtection, runAndRollBack, TRIGGER_FINDING } from '../testing/edit-history.ts'
import { fillLedger } from '../testing/fill-ledger.ts'
import { openTestLedger, type TestLedger } from '../testing/test-ledger.ts'
import { type AuditReport, audit, auditInTransaction } from './audit.ts'
import { formatReport } from './report.ts'

const EDITS = Number(process.env.LEDGER_EDITS ?? 200)
const tables = [
  ...[
    'ledger_asset',
    'ledger_log_type',
    'ledger_kind',
    'ledger_type',
    'ledger_move',
    'ledger_account',
    'suspense_holder',
  ],
  ...['ledger_transaction', 'posting', 'log_line', 'log_closing', 'ledger_seal', 'ledger_day_sum'],
]

let ledger: TestLedger
beforeAll(async () => {
  ledger = await openTestLedger()
  await fillLedger(ledger, 7, 160)
  await sealAll(ledger.worker, { delaySeconds: 0, limit: 40 })
  await ledger.enableCauseChecks()
}, 120_000)
afterAll(() => ledger.close())

const findingTexts = ({ findings }: AuditReport) =>
  findings.map(({ wrong }) => wrong).filter((wrong) => wrong !== TRIGGER_FINDING)

describe('a correct ledger', () => {
  it('passes the audit and is described on one screen', async () => {
    const report = await audit(ledger.owner)
    expect(report.findings).toEqual([])
    expect(report.transactions).toBeGreaterThan(100n)
    expect(report.seals).toMatchObject({ sealed: report.transactions, unsealed: 0n, givenFound: null })
    const text = formatReport(report)
    expect(text).toMatch(/Nothing is wrong/)
    expect(text.split('\n').length).toBeLessThan(24)
    expect(text).toContain(report.seals.newest?.hash)
  })

  it('has rows in every table and column that the tampering test changes', async () => {
    for (const table of tables) {
      const { rows } = await sql<{
        count: number
      }>`select count(*)::int as count from ${sql.id('lode', table)}`.execute(ledger.owner)
      expect([table, rows[0]?.count]).toEqual([table, expect.toSatisfy((count: number) => count > 1)])
    }
  })
})

describe('one field changed without lode.post', () => {
  it(`is found in every table and column, in ${EDITS} of ${EDITS} attempts`, { timeout: 3_600_000 }, async () => {
    const columns = await columnsOf(tables)
    expect(columns.length).toBeGreaterThan(60)
    const missed: string[] = []
    const edited = new Set<string>()
    for (let edit = 0; edit < EDITS; edit += 1) {
      const column = columns[edit % columns.length]
      if (!column) continue
      const { described, found } = await runAndRollBack(ledger.owner, async (trx) => {
        await disableProtection(trx)
        const change = await changeOneField(trx, column)
        return { described: change, found: findingTexts(await auditInTransaction(trx)) }
      })
      edited.add(`${column.table}.${column.name}`)
      if (found.length === 0) missed.push(described)
    }
    expect(missed).toEqual([])
    expect(edited.size).toBe(Math.min(columns.length, EDITS))
  })

  it('is not reported if nothing was changed', async () => {
    const found = await runAndRollBack(ledger.owner, async (trx) => {
      await disableProtection(trx)
      return findingTexts(await auditInTransaction(trx))
    })
    expect(found).toEqual([])
  })
})

describe('a row', () => {
  const removable = tables.filter(
    (table) => !table.startsWith('ledger_') || /transaction|account|seal|day_sum/.test(table),
  )

  it.each(removable)('that was removed from %s is reported as missing', async (table) => {
    const found = await runAndRollBack(ledger.owner, async (trx) => {
      await disableProtection(trx)
      const named = sql.id('lode', table)
      const { numAffectedRows } = await sql`
        with chosen as (
          select tableoid as part, ctid as place from ${named}
          ${table === 'ledger_seal' ? sql`where number < (select max(number) from lode.ledger_seal)` : sql``}
          order by random() limit 1)
        delete from ${named} as target using chosen
        where target.tableoid = chosen.part and target.ctid = chosen.place`.execute(trx)
      expect(numAffectedRows).toBe(1n)
      return findingTexts(await auditInTransaction(trx))
    })
    expect(found).not.toEqual([])
  })

  it('that was the newest seal is missed if its hash was noted, and otherwise its transactions count as unsealed', async () => {
    const noted = (await audit(ledger.owner)).seals.newest?.hash ?? ''
    const [unasked, asked] = await runAndRollBack(ledger.owner, async (trx) => {
      await disableProtection(trx)
      await sql`delete from lode.ledger_seal where number = (select max(number) from lode.ledger_seal)`.execute(trx)
      return [await auditInTransaction(trx), await auditInTransaction(trx, { seal: noted })]
    })
    expect(unasked.seals.unsealed).toBeGreaterThan(0n)
    expect(findingTexts(asked)).toEqual(['the given seal is not in the chain of seals'])
  })

  it('that was inserted among sealed transactions is found, even if all sums are right', async () => {
    const found = await runAndRollBack(ledger.owner, async (trx) => {
      await disableProtection(trx)
      await sql`
        insert into lode.ledger_transaction
        values (0, 0, 'chain:forged', sha256('x'), ${types.coldMove.code}, lode.now() - interval '1 day')`.execute(trx)
      for (const [kind, amount] of [
        ['custody:vault', 5],
        ['custody:cold', -5],
      ] as const) {
        const id = accountNumber(0n, kind, 'USDT')
        await sql`insert into lode.ledger_account (id) values (${id}) on conflict do nothing`.execute(trx)
        await sql`
          insert into lode.posting
          select 0, id, version + 1, 0, null, ${amount}, balance + ${amount} from lode.ledger_account where id = ${id}`.execute(
          trx,
        )
        await sql`
          update lode.ledger_account set balance = balance + ${amount}, version = version + 1 where id = ${id}`.execute(
          trx,
        )
      }
      return findingTexts(await auditInTransaction(trx))
    })
    expect(found).toEqual(['sealed transactions are missing, or others were inserted among them'])
  })
})

describe('a protection of the ledger', () => {
  it('is reported if a function or a trigger was changed by hand', async () => {
    const { findings } = await runAndRollBack(ledger.owner, async (trx) => {
      await sql`grant execute on function lode.post to lode_signer`.execute(trx)
      await sql`alter table lode.ledger_seal disable trigger refuse_change`.execute(trx)
      return auditInTransaction(trx)
    })
    expect(findings).toEqual([
      {
        wrong: 'a function differs from its file',
        count: 1n,
        examples: ['lode.post: who may execute it'],
      },
      { wrong: TRIGGER_FINDING, count: 1n, examples: ['lode.ledger_seal refuse_change: it is disabled'] },
    ])
  })
})

describe('a history that was rewritten and sealed again', () => {
  it('passes the audit by itself, and is found with a seal that was noted before', async () => {
    const before = await audit(ledger.owner)
    const noted = before.seals.newest?.hash ?? ''
    expect(noted).toMatch(/^[0-9a-f]{64}$/)
    expect((await audit(ledger.owner, { seal: noted })).seals.givenFound).toBe(true)

    await ledger.owner.transaction().execute(async (trx) => {
      await disableProtection(trx)
      // Changes an old key. Balances and sums still agree.
      await sql`update lode.ledger_transaction set key = key || '9' where id = (select min(id) from lode.ledger_transaction)`.execute(
        trx,
      )
      await sql`delete from lode.ledger_seal`.execute(trx)
    })
    await sealAll(ledger.worker, { delaySeconds: 0 })
    const after = await audit(ledger.owner)
    expect(findingTexts(after)).toEqual([])
    expect(after.seals.sealed).toBe(before.seals.sealed)

    const asked = await audit(ledger.owner, { seal: noted })
    expect(findingTexts(asked)).toEqual(['the given seal is not in the chain of seals'])
    expect(formatReport(asked)).toMatch(/is NOT in the chain/)
  })
})

type Column = { readonly table: string; readonly name: string; readonly type: string; readonly nullable: boolean }

async function columnsOf(names: readonly string[]): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select relname as table, attname as name, format_type(atttypid, null) as type, not attnotnull as nullable
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'lode'::regnamespace and relname = any (${[...names]}) and attnum > 0 and not attisdropped
    order by random()`.execute(ledger.owner)
  return rows
}

/** Changed values by column type, each an SQL expression over the old value. */
const changedValues: Record<string, readonly string[]> = {
  smallint: ['value + 1', 'value - 1', 'value + 16'],
  integer: ['value + 1', 'value - 1'],
  bigint: ['value + 1', 'value - 1', 'value * 2 + 7', '-value - 1', 'value + 64', 'value + 16384'],
  numeric: ['value + 1', 'value - 1', '-value - 1', 'value * 10 + 1', `'NaN'`, 'value + 0.5', 'value + 0.0'],
  text: [`value || 'x'`, 'reverse(value) || value', `upper(value) || '0'`, `'available'`],
  bytea: [
    'set_bit(value, floor(random() * 8 * octet_length(value))::int, 1 - get_bit(value, 3))',
    'sha256(value)',
    `substring(value || value from 2 for octet_length(value))`,
  ],
  boolean: ['not value'],
  'timestamp with time zone': [`value + interval '1 microsecond'`, `value - interval '1 day'`],
  'lode.log_phase': [`'confirming'`, `'confirmed'`, `'canceled'`],
  int8multirange: [
    'value + int8multirange(int8range(upper(value), upper(value) + 1))',
    'value - int8multirange(int8range(lower(value), lower(value) + 1))',
  ],
  xid8: [`(value::text::bigint + 1)::text::xid8`],
  'smallint[]': ['value || 1::smallint', 'value[2:]'],
  'integer[]': ['value || 1', 'value[2:]'],
  'name[]': [`value || 'lode_signer'::name`, `'{}'`],
}

async function changeOneField(trx: Database, column: Column): Promise<string> {
  const table = sql.id('lode', column.table)
  const name = sql.id(column.name)
  const choices = [...(changedValues[column.type] ?? []), ...(column.nullable ? ['null', '0', `'frozen'`, '1'] : [])]
  if (choices.length === 0) throw new Error(`nothing else can be put into ${column.type}`)
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const choice = choices[Math.floor(Math.random() * choices.length)] ?? 'null'
    await sql`savepoint attempt`.execute(trx)
    try {
      const { rows } = await sql<{ before: string; after: string }>`
        with chosen as (
          select tableoid as part, ctid as place, ${name} as value from ${table} order by random() limit 1
        ),
        other as (
          select part, place, value, (${sql.raw(choice)})::${sql.raw(column.type)} as changed from chosen
        )
        update ${table} as target set ${name} = other.changed from other
        where target.tableoid = other.part and target.ctid = other.place
          and other.changed::text is distinct from other.value::text
        returning other.value::text as before, target.${name}::text as after`.execute(trx)
      const [change] = rows
      if (change) return `${column.table}.${column.name}: ${change.before} → ${change.after}`
    } catch {
      // A constraint refused the edit, so this edit is impossible. Try the next one.
      await sql`rollback to savepoint attempt`.execute(trx)
    }
  }
  throw new Error(`could not change ${column.table}.${column.name}`)
}
