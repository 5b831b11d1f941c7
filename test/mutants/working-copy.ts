import { execFileSync } from 'node:child_process'
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { applyEdit, type Edit } from '../sim/broken-builds/broken-build.ts'

/** A copy of the repository in which files are changed, one at a time. */
export type WorkingCopy = {
  readonly folder: string
  /** Makes the change, runs the task and undoes the change. */
  withEdit<T>(edit: Edit, task: () => Promise<T>): Promise<T>
  remove(): Promise<void>
}

/**
 * Copies the sources, which takes about a second. Hard links would be faster, but an edit of the repository during a run
 * would change the copy too. Installed packages are not copied. But the links to the packages of this repository are, so
 * that the tests of the copy import the packages of the copy.
 */
export async function makeWorkingCopy(root: string): Promise<WorkingCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'lode-mutants-'))
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['ls-files', '-z', ...args], { cwd: root, encoding: 'utf8', maxBuffer: 64_000_000 })
      .split('\0')
      .filter(Boolean)
  const deleted = new Set(git('--deleted'))
  const files = git('--cached', '--others', '--exclude-standard').filter((file) => !deleted.has(file))
  for (const path of new Set(files.map((file) => dirname(join(folder, file))))) await mkdir(path, { recursive: true })
  for (const file of files) await copyFile(join(root, file), join(folder, file))
  for (const name of ['node_modules', '.tools']) await symlink(join(root, name), join(folder, name))
  const packages = files.filter((file) => file.endsWith('/package.json')).map((file) => dirname(file))
  for (const path of packages)
    await cp(join(root, path, 'node_modules'), join(folder, path, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
    })
  return {
    folder,
    async withEdit(edit, task) {
      const path = join(folder, edit.file)
      const source = await readFile(path, 'utf8')
      await writeFile(path, applyEdit(source, edit))
      try {
        return await task()
      } finally {
        await writeFile(path, source)
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
