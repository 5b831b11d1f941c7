import type pg from 'pg'

export const thiefRoles = ['lode_api', 'lode_worker', 'lode_signer', 'lode_operator'] as const
export type Role = (typeof thiefRoles)[number]

export type Parameter = { readonly name: string; readonly type: string }
export type Column = Parameter & { readonly nullable: boolean }

/** What a role may do, as PostgreSQL itself says. Functions and tables are named with their schema. */
export type Catalog = {
  readonly functions: ReadonlyMap<string, readonly Parameter[]>
  readonly insertable: ReadonlyMap<string, readonly Column[]>
  readonly updatable: ReadonlyMap<string, readonly Column[]>
  readonly deletable: readonly string[]
  /** For each table: the columns that the role may read, and so name in a condition. */
  readonly readable: ReadonlyMap<string, readonly Column[]>
  /** Rights for which the thief has no action at all: they must stay empty. */
  readonly unexpected: readonly string[]
}

/** The schemas in which the role can name anything, except PostgreSQL's own. */
const SCHEMAS = `select oid, quote_ident(nspname) as name from pg_namespace
  where nspname !~ '^pg_' and nspname <> 'information_schema' and has_schema_privilege($1, oid, 'usage')`

type Row = { readonly table: string; readonly right: string; readonly columns: readonly Column[] }

export async function readCatalog(owner: pg.Client, role: Role): Promise<Catalog> {
  const functions = await owner.query<{ name: string; parameters: readonly Parameter[] }>(
    `with schema as (${SCHEMAS})
     select schema.name || '.' || quote_ident(p.proname) as name,
            coalesce((select json_agg(json_build_object('name', coalesce(p.proargnames[place], ''), 'type', format_type(argument, null)) order by place)
                      from unnest(p.proargtypes::oid[]) with ordinality as given (argument, place)), '[]') as parameters
     from pg_proc p join schema on schema.oid = p.pronamespace
     where has_function_privilege($1, p.oid, 'execute')
       and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
     order by schema.name, p.proname, p.oid`,
    [role],
  )
  const columns = await owner.query<Row>(
    `with schema as (${SCHEMAS})
     select schema.name || '.' || quote_ident(c.relname) as table, wanted as right,
            json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null), 'nullable', not a.attnotnull) order by a.attnum) as columns
     from pg_class c
     join schema on schema.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     cross join unnest(array['insert', 'update', 'select']) as wanted
     where c.relkind in ('r', 'p', 'v', 'f')
       and has_column_privilege($1, c.oid, a.attnum, wanted)
     group by 1, 2 order by 1`,
    [role],
  )
  const tables = await owner.query<{ name: string; deletable: boolean; unexpected: string | null }>(
    `with schema as (${SCHEMAS})
     select schema.name || '.' || quote_ident(c.relname) as name, c.relkind <> 'S' and has_table_privilege($1, c.oid, 'delete') as deletable,
            case when c.relkind = 'S' then case when has_sequence_privilege($1, c.oid, 'usage, update') then 'use the sequence ' || c.relname end
                 when has_table_privilege($1, c.oid, 'truncate') then 'truncate ' || c.relname
                 when has_table_privilege($1, c.oid, 'trigger') then 'create triggers on ' || c.relname end as unexpected
     from pg_class c join schema on schema.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') order by 1`,
    [role],
  )
  const creatable = await owner.query<{ name: string }>(
    `select 'the schema ' || nspname as name from pg_namespace where has_schema_privilege($1, oid, 'create') and nspname !~ '^pg_'
     union all select 'the database' where has_database_privilege($1, current_database(), 'create')`,
    [role],
  )
  const withRight = (right: string) =>
    new Map(columns.rows.filter((row) => row.right === right).map((row) => [row.table, row.columns]))
  const doubled = functions.rows.filter(({ name }, place) => functions.rows[place - 1]?.name === name)
  return {
    functions: new Map(functions.rows.map(({ name, parameters }) => [name, parameters])),
    insertable: withRight('insert'),
    updatable: withRight('update'),
    readable: withRight('select'),
    deletable: tables.rows.filter(({ deletable }) => deletable).map(({ name }) => name),
    unexpected: [
      ...tables.rows.flatMap(({ unexpected }) => (unexpected === null ? [] : [unexpected])),
      ...creatable.rows.map(({ name }) => `create objects in ${name}`),
      ...doubled.map(({ name }) => `call ${name}, which exists twice`),
    ],
  }
}
