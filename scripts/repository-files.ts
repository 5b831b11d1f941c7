import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const repositoryRoot = resolve(import.meta.dirname, '..')

/** Every matching file of the repository that git tracks or would track, by its path from the root. */
export function readRepositoryFiles(matches: RegExp): Map<string, string> {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  })
  const paths = new Set(listed.split('\0').filter((path) => matches.test(path)))
  const present = Array.from(paths).filter((path) => existsSync(join(repositoryRoot, path)))
  return new Map(present.sort().map((path) => [path, readFileSync(join(repositoryRoot, path), 'utf8')]))
}
