import { readdir, readFile } from 'node:fs/promises'
import {
  type InstalledFunction,
  type InstalledTrigger,
  readInstalledFunctions,
  readInstalledTriggers,
  readSchemaOwner,
} from './catalog.ts'
import type { Database } from './database.ts'
import {
  canonicalDefinition,
  type DeclaredFunction,
  type DeclaredTrigger,
  readDeclarations,
} from './declared-function.ts'
import { MIGRATION_FUNCTIONS, readFunctionFiles } from './function-files.ts'
import type { CodeLookup } from './named-codes.ts'

const MIGRATIONS = new URL('../../migrations/', import.meta.url)

/** A function or a trigger that differs from its source, for example `lode.post: its body`. */
export type Difference = { readonly kind: 'function' | 'trigger'; readonly text: string }

/**
 * Compares every function of the schema `lode`, and every trigger on its tables, with the function files and the
 * migrations. It reads only the files and PostgreSQL's catalog, because an attacker who changes a function could also
 * change what `lode migrate` recorded. `appendOnlyTables` are the tables that `lode.refuse_change` protects, with their
 * partitions.
 */
export async function findFunctionDifferences(
  db: Database,
  { appendOnlyTables, codeNamed }: { readonly appendOnlyTables: readonly string[]; readonly codeNamed: CodeLookup },
): Promise<Difference[]> {
  expectedOnce ??= readExpected(codeNamed)
  const expected = await expectedOnce
  const owner = await readSchemaOwner(db)
  const functions = await readInstalledFunctions(db)
  const triggers = await readInstalledTriggers(db)
  const appendOnlyTriggers = appendOnlyTables.flatMap((table) => buildAppendOnlyTriggers(table, 'lode.refuse_change'))
  return [
    ...compareFunctions(expected.functions, functions, owner).map((text) => ({ kind: 'function' as const, text })),
    ...compareTriggers([...expected.triggers, ...appendOnlyTriggers], triggers).map((text) => ({
      kind: 'trigger' as const,
      text,
    })),
  ]
}

type Expected = { readonly functions: readonly DeclaredFunction[]; readonly triggers: readonly DeclaredTrigger[] }

/** The files are read once, because they are the same for every database. */
let expectedOnce: Promise<Expected> | undefined

async function readExpected(codeNamed: CodeLookup): Promise<Expected> {
  const files = await readFunctionFiles(codeNamed)
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).toSorted()
  const migrations = await Promise.all(names.map((name) => readFile(new URL(name, MIGRATIONS), 'utf8')))
  const inMigrations = migrations.flatMap((text) => readDeclarations(text, { skipOthers: true }).functions)
  const kept = migrations.flatMap((text) =>
    Array.from(text.matchAll(/lode\.keep_as_written\('(lode\.\w+)'\)/g), ([, table = '']) => table),
  )
  return {
    functions: [
      ...files.map(({ declared }) => declared),
      ...inMigrations.filter(({ name }) => MIGRATION_FUNCTIONS.includes(name)),
      CLOCK,
    ],
    triggers: [
      ...files.flatMap(({ triggers }) => triggers),
      ...kept.flatMap((table) => buildAppendOnlyTriggers(table, 'lode.refuse_rewriting')),
    ],
  }
}

/** The triggers that refuse changes of a table's rows. */
const buildAppendOnlyTriggers = (table: string, by: string): DeclaredTrigger[] =>
  [
    ['refuse_change', `before delete or update on ${table} for each row execute function ${by}()`],
    ['refuse_truncate', `before truncate on ${table} for each statement execute function ${by}()`],
  ].map(([name = '', does]) => ({
    name,
    table,
    definition: canonicalDefinition(`create trigger ${name} ${does}`),
    isAlways: true,
  }))

/** Declared here, because the migration creates it inside a `do` block, with another body in production. */
const CLOCK: DeclaredFunction = {
  name: 'now',
  arguments: '',
  returns: 'timestamp with time zone',
  language: 'sql',
  volatility: 'stable',
  isStrict: false,
  isParallelSafe: true,
  isSecurityDefiner: false,
  settings: [],
  body: '',
  owner: null,
  executors: ['public'],
}
const CLOCK_BODIES = ['return now()', 'return now() + (select clock.shift from lode.clock)'].map(canonicalDefinition)

function compareFunctions(
  declared: readonly DeclaredFunction[],
  present: readonly InstalledFunction[],
  schemaOwner: string,
): string[] {
  const byName = Map.groupBy(present, ({ name }) => name)
  const wrong = declared.flatMap((expected) => {
    const found = byName.get(expected.name) ?? []
    byName.delete(expected.name)
    const [only, ...others] = found.toSorted((one) => (one.arguments === expected.arguments ? -1 : 1))
    if (!only) return [`lode.${expected.name}: it is missing`]
    const parts = findDifferingParts({ ...expected, owner: expected.owner ?? schemaOwner }, only)
    return [...parts.map((part) => `lode.${expected.name}: ${part}`), ...others.map(describeUndeclared)]
  })
  return [...wrong, ...Array.from(byName.values()).flat().map(describeUndeclared)]
}

const describeUndeclared = ({ signature }: InstalledFunction): string => `${signature}: it is in no file`

function findDifferingParts(expected: DeclaredFunction, present: InstalledFunction): string[] {
  const parsed = present.parsedBody && canonicalDefinition(present.parsedBody)
  const isParsedBodyRight = expected.name === CLOCK.name ? CLOCK_BODIES.includes(parsed ?? '') : parsed === null
  const same: Readonly<Record<string, boolean>> = {
    'its arguments': expected.arguments === present.arguments,
    'its result': expected.returns === null || expected.returns === present.returns,
    'its body': expected.body === present.body && isParsedBodyRight,
    'its owner': expected.owner === present.owner,
    'who may execute it': sameNames(expected.executors, present.executors),
    'with whose rights it runs': expected.isSecurityDefiner === present.isSecurityDefiner,
    'its settings': sameNames(expected.settings, present.settings),
    'its language': expected.language === present.language,
    'its volatility': expected.volatility === present.volatility,
    'whether it is strict': expected.isStrict === present.isStrict,
    'whether it is parallel safe': expected.isParallelSafe === present.isParallelSafe,
  }
  const differing = Object.keys(same).filter((part) => !same[part])
  return present.unsupported === null ? differing : [...differing, present.unsupported]
}

const sameNames = (some: readonly string[], others: readonly string[]): boolean =>
  some.toSorted().join('\n') === others.toSorted().join('\n')

function compareTriggers(declared: readonly DeclaredTrigger[], present: readonly InstalledTrigger[]): string[] {
  const found = new Map(present.map((trigger) => [`${trigger.table} ${trigger.name}`, trigger]))
  const wrong = declared.flatMap(({ table, name, definition, isAlways }) => {
    const trigger = found.get(`${table} ${name}`)
    found.delete(`${table} ${name}`)
    if (!trigger) return [`${table} ${name}: it is missing`]
    if (trigger.definition !== definition) return [`${table} ${name}: its definition`]
    return trigger.isAlways === isAlways ? [] : [`${table} ${name}: it is disabled`]
  })
  return [...wrong, ...Array.from(found.keys(), (extra) => `${extra}: it is in no file`)]
}
