import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../repository-files.ts'

/** The settings of the programs around Lode, for real hosts and for `pnpm cluster`. */
export const opsFolder = join(repositoryRoot, 'ops')

/** Fills `${NAME}` in a file of `ops/`, as `envsubst` does on a real host, and writes it. A missing value is an error. */
export function writeSettings(name: string, values: Readonly<Record<string, string | number>>, target: string): void {
  const text = readFileSync(join(opsFolder, name), 'utf8')
  const filled = text.replaceAll(/(?<!#.*)\$\{([A-Z_]+)\}/g, (_, variable: string) => {
    const value = values[variable]
    if (value === undefined) throw new Error(`${name} needs ${variable}`)
    return String(value)
  })
  writeFileSync(target, filled, { mode: 0o644 })
}
