import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { findFunctionDifferences } from '../../../platform/db/function-differences.ts'
import { roles } from '../chart.ts'
import { codeNamed } from '../codes.ts'
import type { Findings } from './findings.ts'

/** Checks the privileges, functions and triggers that let only lode.post and lode.post_plain write to the ledger. */
export async function auditGuards(trx: Database, findings: Findings): Promise<void> {
  await auditPrivileges(trx, findings)
  for (const { kind, text } of await findFunctionDifferences(trx, {
    appendOnlyTables: await listAppendOnlyTables(trx),
    codeNamed,
  }))
    findings.add(FINDING_BY_KIND[kind], text)
}

const FINDING_BY_KIND = {
  function: 'a function differs from its file',
  trigger: 'a trigger is missing, disabled or differs from its file',
}

/** The tables that `lode.refuse_change` protects, with their partitions. Other tables have `lode.refuse_rewriting`. */
async function listAppendOnlyTables(trx: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select format('lode.%I', relname) as name from pg_class
    where relnamespace = 'lode'::regnamespace and relkind in ('r', 'p')
      and relname ~ '^(ledger_transaction|ledger_seal|posting|log_line|log_closing|command)(_|$)'`.execute(trx)
  return rows.map(({ name }) => name)
}

async function auditPrivileges(trx: Database, findings: Findings): Promise<void> {
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
    order by 1`.execute(trx)
  for (const { granted } of rows) findings.add('a process can write to the ledger directly', granted)
}
