import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DeclaredFunction, type DeclaredTrigger, readDeclarations } from './declared-function.ts'
import { type CodeLookup, replaceCodeNames } from './named-codes.ts'

const SOURCE = fileURLToPath(new URL('../../', import.meta.url))
const FUNCTION_FILE = /^(modules|platform)\/\w+\/functions\/\w+\.sql$/

/**
 * The functions that stay in migrations, because tables need them: a default (`now`), a generated column (`text_hash`),
 * and the functions that make a table append-only. All others have a file of their own, which `lode migrate` applies
 * after all migrations. So a migration cannot call them or create triggers with them.
 */
export const MIGRATION_FUNCTIONS = ['now', 'text_hash', 'refuse_change', 'refuse_rewriting', 'keep_as_written']

/** The names of the functions that a text creates. */
export const findCreatedFunctions = (text: string): string[] =>
  Array.from(
    text.matchAll(/\bcreate\s+(?:or\s+replace\s+)?(?:function|procedure)\s+(?:lode\.)?(\w+)/gi),
    ([, name = '']) => name,
  )

/** `modules/team/functions/place_member.sql` defines `lode.place_member` with its grants and triggers. */
type FunctionSource = {
  readonly name: string
  readonly path: string
  /** With the names of codes, before they are replaced by numbers. */
  readonly source: string
  /** SHA-256 of the source. */
  readonly hash: Buffer
}

export type FunctionFile = FunctionSource & {
  /** The text that PostgreSQL executes. */
  readonly text: string
  readonly declared: DeclaredFunction
  readonly triggers: readonly DeclaredTrigger[]
}

/** Reads every function file, sorted by name. */
export async function readFunctionSources(folder = SOURCE): Promise<FunctionSource[]> {
  const paths = (await readdir(folder, { recursive: true })).filter((path) => FUNCTION_FILE.test(path))
  const sources = await Promise.all(
    paths.map(async (path) => {
      const source = await readFile(join(folder, path), 'utf8')
      return { name: basename(path, '.sql'), path, source, hash: createHash('sha256').update(source).digest() }
    }),
  )
  const sorted = sources.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const twice = sorted.find((file, index) => file.name === sorted[index + 1]?.name)
  if (twice) throw new Error(`two files define lode.${twice.name}`)
  return sorted
}

/** Reads every function file and parses its declarations. */
export const readFunctionFiles = async (codeNamed: CodeLookup, folder = SOURCE): Promise<FunctionFile[]> =>
  (await readFunctionSources(folder)).map((source) => parseFunctionFile(source, codeNamed))

function parseFunctionFile(file: FunctionSource, codeNamed: CodeLookup): FunctionFile {
  const { name, path, source } = file
  try {
    const text = replaceCodeNames(source, codeNamed)
    const { functions, triggers } = readDeclarations(text)
    const [declared] = functions
    if (!declared || functions.length > 1 || declared.name !== name)
      throw new Error(`it must define lode.${name} and no other function`)
    return { ...file, text, declared, triggers }
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
