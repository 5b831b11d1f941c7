import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestApi, testEnvironment } from './api.ts'
import { runLode } from './run-lode.ts'

/** Operators with key files. The first two hold the ceremony. Each runs `lode` with a passphrase file of their own. */
export async function createOperatorCommands({ database }: TestApi, names: readonly [string, string, ...string[]]) {
  const folder = mkdtempSync(join(tmpdir(), 'lode-operators-'))
  const keys: Record<string, string> = {}
  const as = (name: string, ...words: readonly string[]): Promise<string> =>
    runLode(
      {
        environment: { ...testEnvironment(database), LODE_PASSPHRASE_FILE: join(folder, `${name}.txt`) },
        database,
      },
      ...words,
    )
  const sign = (name: string, ...words: readonly string[]): Promise<string> =>
    as(name, ...words, '--key', join(folder, `${name}.json`), '--yes')
  for (const name of names) {
    writeFileSync(join(folder, `${name}.txt`), `the passphrase of ${name}\n`)
    const printed = await as(name, 'operator', 'key', join(folder, `${name}.json`), '--name', name)
    keys[name] = printed.trim().split('\n').at(-1) ?? ''
  }
  const [first, second] = names
  for (const name of [first, second])
    await sign(name, 'operator', 'init', ...[first, second].map((one) => keys[one] ?? ''))
  return { folder, keys, as, sign, close: () => rmSync(folder, { recursive: true }) }
}

export type OperatorCommands = Awaited<ReturnType<typeof createOperatorCommands>>
