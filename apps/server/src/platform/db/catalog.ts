import { sql } from 'kysely'
import type { Database } from './database.ts'
import { canonicalArguments, canonicalDefinition, canonicalType, type DeclaredFunction } from './declared-function.ts'

/** A function of the schema `lode` in PostgreSQL's catalog, in the same form as a declared one. */
export type InstalledFunction = Omit<DeclaredFunction, 'owner' | 'returns'> & {
  readonly signature: string
  readonly returns: string
  readonly owner: string
  /** The body as PostgreSQL prints it, if it is stored as a parsed expression (`return …`); null if stored as text. */
  readonly parsedBody: string | null
  /** A text about a property that no function file can declare; null if there is none. */
  readonly unsupported: string | null
}

export type InstalledTrigger = {
  readonly name: string
  readonly table: string
  readonly definition: string
  readonly isAlways: boolean
  readonly functionName: string
  /** Whether a partition has the trigger from its parent table. Dropping the parent's trigger drops it too. */
  readonly isInherited: boolean
}

type FunctionRow = {
  name: string
  signature: string
  arguments: string
  returns: string
  language: string
  volatility: DeclaredFunction['volatility']
  strict: boolean
  parallel_safe: boolean
  definer: boolean
  settings: string[] | null
  body: string
  parsed_body: string | null
  owner: string
  executors: string[]
  unsupported: string | null
}

export async function readInstalledFunctions(db: Database): Promise<InstalledFunction[]> {
  const { rows } = await sql<FunctionRow>`
    select proname as name, format('lode.%I(%s)', proname, pg_get_function_identity_arguments(pg_proc.oid)) as signature,
           pg_get_function_arguments(pg_proc.oid) as arguments, pg_get_function_result(pg_proc.oid) as returns,
           lanname as language,
           case provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end as volatility,
           proisstrict as strict, proparallel = 's' as parallel_safe, prosecdef as definer, proconfig as settings,
           prosrc as body, pg_get_function_sqlbody(pg_proc.oid) as parsed_body, pg_get_userbyid(proowner) as owner,
           array(
             select case grantee when 0 then 'public' else pg_get_userbyid(grantee)::text end
                    || case when is_grantable then ' with grant option' else '' end
             from aclexplode(coalesce(proacl, acldefault('f', proowner))) where grantee <> proowner
           ) as executors,
           case when prokind <> 'f' then 'it is not a plain function'
                when proleakproof then 'it is leakproof'
                when proparallel = 'r' then 'it is parallel restricted'
                when prosupport <> 0 then 'it has a support function' end as unsupported
    from pg_proc join pg_language on pg_language.oid = prolang
    where pronamespace = 'lode'::regnamespace
    order by proname, signature`.execute(db)
  return rows.map((row) => ({
    name: row.name,
    signature: row.signature,
    arguments: canonicalArguments(row.arguments),
    returns: canonicalType(row.returns ?? ''),
    language: row.language,
    volatility: row.volatility,
    isStrict: row.strict,
    isParallelSafe: row.parallel_safe,
    isSecurityDefiner: row.definer,
    settings: row.settings ?? [],
    body: row.body,
    parsedBody: row.parsed_body,
    owner: row.owner,
    executors: row.executors,
    unsupported: row.unsupported,
  }))
}

/** Every trigger on a table of the schema `lode`, without PostgreSQL's internal ones. */
export async function readInstalledTriggers(db: Database): Promise<InstalledTrigger[]> {
  const { rows } = await sql<
    Omit<InstalledTrigger, 'isAlways' | 'isInherited' | 'functionName'> & {
      always: boolean
      inherited: boolean
      function_name: string
    }
  >`
    select tgname as name, format('lode.%I', relname) as table, pg_get_triggerdef(pg_trigger.oid) as definition,
           tgenabled = 'A' as always, tgparentid <> 0 as inherited,
           case pronamespace when 'lode'::regnamespace then proname else tgfoid::regproc::text end as function_name
    from pg_trigger join pg_class on pg_class.oid = tgrelid join pg_proc on pg_proc.oid = tgfoid
    where not tgisinternal and relnamespace = 'lode'::regnamespace
    order by relname, tgname`.execute(db)
  return rows.map(({ name, table, definition, always, inherited, function_name }) => ({
    name,
    table,
    definition: canonicalDefinition(definition),
    isAlways: always,
    functionName: function_name,
    isInherited: inherited,
  }))
}

export const readSchemaOwner = async (db: Database): Promise<string> => {
  const { rows } = await sql<{ owner: string }>`
    select pg_get_userbyid(nspowner) as owner from pg_namespace where nspname = 'lode'`.execute(db)
  const [row] = rows
  if (!row) throw new Error('there is no schema lode')
  return row.owner
}
