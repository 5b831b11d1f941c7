import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DeclaredFunction, type DeclaredTrigger, readDeclared } from './declared-function.ts'

const SOURCE = fileURLToPath(new URL('../../', import.meta.url))
const FUNCTION_FILE = /^(modules|platform)\/\w+\/functions\/\w+\.sql$/

/**
 * The functions that stay in migrations, because tables are made with them: a default (`now`), a generated column (`text_hash`), and what
 * makes a table one that is only added to. All others have a file of their own, which `lode migrate` applies after all migrations. So a
 * migration cannot call them, and makes no trigger with them.
 */
export const MIGRATION_FUNCTIONS = ['now', 'text_hash', 'refuse_change', 'refuse_rewriting', 'keep_as_written']

/** The names of the functions that a text creates. */
export const functionsCreatedIn = (text: string): string[] =>
  Array.from(
    text.matchAll(/\bcreate\s+(?:or\s+replace\s+)?(?:function|procedure)\s+(?:lode\.)?(\w+)/gi),
    ([, name = '']) => name,
  )

/** `modules/team/functions/place_member.sql` defines `lode.place_member` and all that belongs to it. */
export type FunctionFile = {
  readonly name: string
  readonly path: string
  readonly text: string
  /** SHA-256 of the text. */
  readonly hash: Buffer
  readonly declared: DeclaredFunction
  readonly triggers: readonly DeclaredTrigger[]
}

/** Every function file, by name. */
export async function readFunctionFiles(folder = SOURCE): Promise<FunctionFile[]> {
  const paths = (await readdir(folder, { recursive: true })).filter((path) => FUNCTION_FILE.test(path))
  const files = await Promise.all(paths.map(async (path) => readOne(path, await readFile(join(folder, path), 'utf8'))))
  const sorted = files.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const twice = sorted.find((file, index) => file.name === sorted[index + 1]?.name)
  if (twice) throw new Error(`two files define lode.${twice.name}`)
  return sorted
}

function readOne(path: string, text: string): FunctionFile {
  const name = basename(path, '.sql')
  try {
    const { functions, triggers } = readDeclared(text)
    const [declared] = functions
    if (!declared || functions.length > 1 || declared.name !== name)
      throw new Error(`it must define lode.${name} and no other function`)
    return { name, path, text, hash: createHash('sha256').update(text).digest(), declared, triggers }
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
