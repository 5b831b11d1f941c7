import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const ourServer = resolve(import.meta.dirname, '../../../apps/server')

/** One wrong change in a source file. */
export type Edit = { readonly file: string; readonly find: string; readonly replace: string }

/** Makes a copy of the server with these changes. Fails if a text to replace is missing or not unique. */
export async function makeBrokenBuild(edits: readonly Edit[]): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'lode-broken-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    for (const name of ['src', 'package.json']) await cp(join(ourServer, name), join(folder, name), { recursive: true })
    await symlink(join(ourServer, 'node_modules'), join(folder, 'node_modules'))
    for (const edit of edits) {
      const path = join(folder, 'src', edit.file)
      await writeFile(path, applyEdit(await readFile(path, 'utf8'), edit))
    }
    return { folder, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Returns the changed source. Throws if the text to replace is missing or not unique. */
export function applyEdit(source: string, { file, find, replace }: Edit): string {
  const places = source.split(find).length - 1
  if (places !== 1) throw new Error(`${file} has ${places} places that read:\n${find}`)
  return source.replace(find, () => replace)
}
