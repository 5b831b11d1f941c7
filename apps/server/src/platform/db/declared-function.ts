import { splitSqlStatements } from './sql-statements.ts'

/** The properties that a file declares for its function, in the form of PostgreSQL's catalog. */
export type DeclaredFunction = {
  readonly name: string
  /** With normalized spaces and full type names, as `pg_get_function_arguments` writes them. */
  readonly arguments: string
  /** The result type; null if `out` arguments define it. */
  readonly returns: string | null
  readonly language: string
  readonly volatility: 'immutable' | 'stable' | 'volatile'
  readonly isStrict: boolean
  readonly isParallelSafe: boolean
  readonly isSecurityDefiner: boolean
  /** The `set` clauses as `name=value`, in their order. */
  readonly settings: readonly string[]
  readonly body: string
  /** Null: the owner of the schema. */
  readonly owner: string | null
  /** The roles beside the owner that may execute the function; `public` means every role. */
  readonly executors: readonly string[]
}

export type DeclaredTrigger = {
  readonly name: string
  readonly table: string
  /** See `canonicalDefinition`. */
  readonly definition: string
  readonly isAlways: boolean
}

export type Declarations = {
  readonly functions: readonly DeclaredFunction[]
  readonly triggers: readonly DeclaredTrigger[]
}

type Draft = Omit<DeclaredFunction, 'executors'> & { executors: string[] }

/**
 * Reads the statements about functions and their triggers. A function file may contain nothing else, so that the whole
 * file can be compared with the catalog. With `skipOthers`, for migrations, other statements are skipped.
 */
export function readDeclarations(text: string, { skipOthers = false } = {}): Declarations {
  const functions = new Map<string, Draft>()
  const triggers = new Map<string, DeclaredTrigger>()
  let role: string | null = null
  for (const statement of splitSqlStatements(text)) {
    const oneLine = statement.replaceAll(/\s+/g, ' ')
    const [, newRole] = /^set local role (\w+)$/.exec(oneLine) ?? []
    const [, privilege, names = '', roles = ''] =
      /^(revoke|grant) execute on function (lode\.\w+(?:, lode\.\w+)*) (?:from|to) (\w+(?:, \w+)*)$/.exec(oneLine) ?? []
    const [, trigger] = /^create (?:constraint )?trigger (\w+) /.exec(oneLine) ?? []
    const [, always] = /^alter table lode\.\w+ enable always trigger (\w+)$/.exec(oneLine) ?? []
    if (newRole !== undefined) role = newRole
    else if (oneLine === 'reset role') role = null
    else if (/^create (or replace )?function /.test(oneLine)) {
      const declared = readFunction(statement, role)
      functions.set(declared.name, declared)
    } else if (privilege !== undefined) {
      for (const name of names.split(', ')) {
        const declared = functions.get(name.slice('lode.'.length))
        if (declared) {
          const named = roles.split(', ')
          const others = declared.executors.filter((executor) => !named.includes(executor))
          declared.executors = privilege === 'grant' ? [...others, ...named] : others
        } else if (!skipOthers) throw new Error(`${name} is not declared in this file`)
      }
    } else if (trigger !== undefined) {
      const [, table = ''] = / on (lode\.\w+) /.exec(oneLine) ?? []
      triggers.set(`${trigger} ${table}`, {
        name: trigger,
        table,
        definition: canonicalDefinition(oneLine),
        isAlways: false,
      })
    } else if (always !== undefined) {
      const [, table = ''] = /^alter table (lode\.\w+) /.exec(oneLine) ?? []
      const declared = triggers.get(`${always} ${table}`)
      if (declared) triggers.set(`${always} ${table}`, { ...declared, isAlways: true })
      else if (!skipOthers) throw new Error(`the trigger ${always} of ${table} is not declared in this file`)
    } else if (!skipOthers) throw new Error(`a function file cannot hold this statement: ${statement}`)
  }
  return { functions: Array.from(functions.values()), triggers: Array.from(triggers.values()) }
}

function readFunction(statement: string, owner: string | null): Draft {
  const [, head = '', , body] = /^([\s\S]*?)\bas (\$\w*\$)([\s\S]*)\2$/.exec(statement) ?? []
  const [, name] = /^create (?:or replace )?function lode\.(\w+)\(/.exec(head) ?? []
  if (name === undefined || body === undefined)
    throw new Error(`the body of a function must be between $…$: ${statement}`)
  const start = head.indexOf('(') + 1
  const end = findClosingParenthesis(head, start)
  const attributes = head
    .slice(end + 1)
    .replaceAll(/\s+/g, ' ')
    .trim()
  const [, returns = null, rest = attributes] = /^returns (.*?) (language .*)$/.exec(attributes) ?? []
  const clauses = rest.split(/ (?=set \w+ = )/)
  const [flags = '', ...settings] = clauses
  const [, language = '', others = ''] = /^language (\w+)(.*)$/.exec(flags) ?? []
  const draft = {
    name,
    arguments: canonicalArguments(head.slice(start, end)),
    returns: returns === null ? null : canonicalType(returns),
    language,
    settings: settings.map((setting) => setting.replace(/^set (\w+) = /, '$1=')),
    body,
    owner,
    executors: ['public'],
  }
  const found: readonly string[] =
    others.match(/immutable|stable|volatile|strict|parallel safe|security definer/g) ?? []
  if (language === '' || found.join(' ') !== others.trim())
    throw new Error(`lode.${name} has unsupported attributes: ${rest}`)
  return {
    ...draft,
    volatility: found.includes('immutable') ? 'immutable' : found.includes('stable') ? 'stable' : 'volatile',
    isStrict: found.includes('strict'),
    isParallelSafe: found.includes('parallel safe'),
    isSecurityDefiner: found.includes('security definer'),
  }
}

function findClosingParenthesis(text: string, start: number): number {
  let open = 1
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '(') open += 1
    if (text[at] === ')') open -= 1
    if (open === 0) return at
  }
  throw new Error(`a parenthesis is not closed: ${text}`)
}

/** Replaces the short type names of the files with the full names of the catalog. */
export const canonicalType = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/\bint\b/g, 'integer')
    .replaceAll(/\btimestamptz\b/g, 'timestamp with time zone')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?\( ?/g, '(')
    .trim()

/** The argument list with full type names. The type that the catalog adds to a default `null` is removed. */
export const canonicalArguments = (text: string): string =>
  canonicalType(text)
    .split(', ')
    .map((argument) => argument.replace(/ default null::.*$/, ' default null'))
    .join(', ')

/** Removes the differences between the spelling of a file and of the catalog: capitals, spaces, parentheses, `in`. */
export const canonicalDefinition = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/ in \(([^()]*)\)/g, ' = any array[$1]')
    .replaceAll(/[\s()]+/g, ' ')
    .trim()
