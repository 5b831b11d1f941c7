import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const ourServer = resolve(import.meta.dirname, '../../../apps/server')

/** One wrong change in the server's source. */
export type Edit = { readonly file: string; readonly find: string; readonly replace: string }

/** Makes a copy of the server with these changes. Fails if a text to replace is missing or not unique. */
export async function makeBrokenBuild(edits: readonly Edit[]): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'lode-broken-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    for (const name of ['src', 'package.json']) await cp(join(ourServer, name), join(folder, name), { recursive: true })
    await symlink(join(ourServer, 'node_modules'), join(folder, 'node_modules'))
    for (const { file, find, replace } of edits) {
      const path = join(folder, 'src', file)
      const source = await readFile(path, 'utf8')
      const places = source.split(find).length - 1
      if (places !== 1) throw new Error(`${file} has ${places} places that read:\n${find}`)
      await writeFile(
        path,
        source.replace(find, () => replace),
      )
    }
    return { folder, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
