import { parseSync, Visitor } from 'oxc-parser'
import { readRepositoryFiles } from './repository-files.ts'

/**
 * Fails on functions that are too long. Split a long function by its phases: each phase becomes a function with a name,
 * and the shared state becomes a small type.
 */
const TYPESCRIPT_LINES = 90
const SQL_LINES = 150

/** Product code, without tests and their fixtures. */
export const TYPESCRIPT_FILES =
  /^(?:(?:apps|packages)\/[^/]+\/src|scripts)\/(?!(?:.*\/)?testing\/|.*\.test\.tsx?$).*\.tsx?$/
/** The same files that `platform/db/function-files.ts` finds. */
export const SQL_FILES = /^apps\/server\/src\/(?:modules|platform)\/\w+\/functions\/\w+\.sql$/

type Files = ReadonlyMap<string, string>
type MeasuredFunction = { readonly name: string; readonly line: number; readonly lines: number }
type Exception = { readonly path: string; readonly name: string; readonly reason: string }

/** Functions that may be longer, each with the reason. */
const EXCEPTIONS: readonly Exception[] = []
const MAX_TYPESCRIPT_EXCEPTIONS = 5

type FunctionNode = { readonly start: number; readonly end: number; readonly id?: { readonly name: string } | null }
type KeyedNode = { readonly key: { readonly type: string } }

/** Every function of a TypeScript source. A function without a name gets the name of its variable or property. */
export function measureTypescriptFunctions(source: string, path = 'source.ts'): MeasuredFunction[] {
  const found: MeasuredFunction[] = []
  const names: string[] = []
  const leave = (): void => void names.pop()
  const enterKeyed = ({ key }: KeyedNode): void => void names.push('name' in key ? String(key.name) : '')
  const measure = ({ start, end, id }: FunctionNode): void => {
    const name = id?.name ?? names.findLast((outer) => outer !== '') ?? 'without a name'
    found.push({ name, line: countLines(source.slice(0, start)), lines: countLines(source.slice(start, end)) })
  }
  new Visitor({
    VariableDeclarator: ({ id }) => void names.push(id.type === 'Identifier' ? id.name : ''),
    'VariableDeclarator:exit': leave,
    Property: enterKeyed,
    'Property:exit': leave,
    MethodDefinition: enterKeyed,
    'MethodDefinition:exit': leave,
    PropertyDefinition: enterKeyed,
    'PropertyDefinition:exit': leave,
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(parseSync(path, source).program)
  return found
}

/** Every function that an SQL text creates, from `create` to the end of its body. */
export const measureSqlFunctions = (source: string): MeasuredFunction[] =>
  Array.from(
    source.matchAll(
      /\bcreate\s+(?:or\s+replace\s+)?(?:function|procedure)\s+(?:lode\.)?(\w+)[\s\S]*?(\$\w*\$)[\s\S]*?\2/gi,
    ),
    ({ 0: text, 1: name = '', index }) => ({
      name,
      line: countLines(source.slice(0, index)),
      lines: countLines(text),
    }),
  )

const countLines = (text: string): number => text.split('\n').length

/** Functions that are too long, and exceptions that are unneeded or too many. */
export function findLongFunctions(files: Files, exceptions: readonly Exception[]): string[] {
  const needed = new Set<Exception>()
  const tooLong = Array.from(files).flatMap(([path, source]) => {
    const isSql = path.endsWith('.sql')
    const most = isSql ? SQL_LINES : TYPESCRIPT_LINES
    return (isSql ? measureSqlFunctions(source) : measureTypescriptFunctions(source, path)).flatMap(
      ({ name, line, lines }) => {
        if (lines <= most) return []
        const exception = exceptions.find((one) => one.path === path && one.name === name)
        if (exception) needed.add(exception)
        return exception
          ? []
          : [`${path}:${line}  ${name} has ${lines} lines, and may have ${most}: split it by its phases`]
      },
    )
  })
  const unneeded = exceptions
    .filter((exception) => !needed.has(exception))
    .map(({ path, name }) => `${path}  ${name} is not too long any more: remove it from the exceptions`)
  return [...tooLong, ...unneeded]
}

/** Limits the number of exceptions and requires a reason for each. */
export function findExceptionFaults(exceptions: readonly Exception[]): string[] {
  const count = exceptions.filter(({ path }) => !path.endsWith('.sql')).length
  const withoutReason = exceptions
    .filter(({ reason }) => reason.trim() === '')
    .map(({ path, name }) => `${path}  ${name} is an exception without a reason`)
  return count > MAX_TYPESCRIPT_EXCEPTIONS
    ? [...withoutReason, `${count} exceptions in TypeScript: there may be ${MAX_TYPESCRIPT_EXCEPTIONS}`]
    : withoutReason
}

if (import.meta.main) {
  const files = new Map([...readRepositoryFiles(TYPESCRIPT_FILES), ...readRepositoryFiles(SQL_FILES)])
  const faults = [...findLongFunctions(files, EXCEPTIONS), ...findExceptionFaults(EXCEPTIONS)]
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exit(1)
  const limits = `functions have at most ${TYPESCRIPT_LINES} lines, in SQL ${SQL_LINES}`
  console.log(`function length: ${files.size} files; ${limits}; exceptions: ${EXCEPTIONS.length}`)
}
