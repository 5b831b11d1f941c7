import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { roles } from '../chart.ts'
import type { Findings } from './findings.ts'

const MIGRATIONS = new URL('../../../migrations/', import.meta.url)

/** What keeps everybody but lode.post and lode.post_plain out of the books is in its place. */
export async function auditGuards(inside: Database, findings: Findings): Promise<void> {
  await auditTriggers(inside, findings)
  await auditPrivileges(inside, findings)
  await auditFunctions(inside, findings)
}

async function auditTriggers(inside: Database, findings: Findings): Promise<void> {
  const { rows } = await sql<{ unguarded: string }>`
    select format('%s %s', relation.relname, wanted.trigger) as unguarded
    from pg_class relation
    cross join (values ('refuse_change'), ('refuse_truncate')) as wanted (trigger)
    where relation.relnamespace = 'lode'::regnamespace and relation.relkind in ('r', 'p')
      and relation.relname ~ '^(ledger_transaction|ledger_seal|posting|log_line|log_closing)(_|$)'
      and not exists (
        select from pg_trigger
        where tgrelid = relation.oid and tgname = wanted.trigger and tgenabled = 'A'
          and tgfoid = 'lode.refuse_change'::regproc)
    order by 1`.execute(inside)
  for (const { unguarded } of rows) findings.add('a table can be changed: its trigger is gone or disabled', unguarded)
}

async function auditPrivileges(inside: Database, findings: Findings): Promise<void> {
  const { rows } = await sql<{ granted: string }>`
    select format('%s may %s %s', role.rolname, lower(privilege), relation.relname) as granted
    from pg_class relation
    cross join unnest(array['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) as privilege
    join pg_roles role on role.rolname = any (${Object.values(roles)})
    where relation.relnamespace = 'lode'::regnamespace and relation.relkind in ('r', 'p')
      and relation.relname ~ '^(ledger_|posting|log_line|log_closing|suspense_holder)'
      and (has_table_privilege(role.oid, relation.oid, privilege)
           or privilege in ('INSERT', 'UPDATE') and has_any_column_privilege(role.oid, relation.oid, privilege)
           or pg_has_role(role.oid, relation.relowner, 'MEMBER'))
    order by 1`.execute(inside)
  for (const { granted } of rows) findings.add('a process can write the books by itself', granted)
}

/** The functions that write are, letter for letter, those of the migrations. */
async function auditFunctions(inside: Database, findings: Findings): Promise<void> {
  const expected = new Map<string, string>()
  for (const file of (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).toSorted()) {
    const text = await readFile(new URL(file, MIGRATIONS), 'utf8')
    for (const [, name = '', , body = ''] of text.matchAll(
      /create (?:or replace )?function lode\.(post|post_plain|add_seal|refuse_change)\([\s\S]*?\bas (\$\w*\$)([\s\S]*?)\2;/g,
    ))
      expected.set(name, body)
  }
  const { rows } = await sql<{ name: string; body: string; owner: string; definer: boolean }>`
    select proname as name, prosrc as body, pg_get_userbyid(proowner) as owner, prosecdef as definer from pg_proc
    where pronamespace = 'lode'::regnamespace and proname = any (${Array.from(expected.keys())})`.execute(inside)
  for (const [name, body] of expected) {
    const found = rows.filter((row) => row.name === name)
    const sound = found.length === 1 && found[0]?.body === body && found[0].owner === 'lode_ledger'
    if (!sound) findings.add('a function of the ledger is not the one of the migrations', `lode.${name}`)
  }
}
