import { vi } from 'vitest'
import { createProgram } from '../processes/lode/program.ts'
import type { TestDatabase } from './database.ts'

/** Runs a command of `lode` inside this process, which is much faster than a new one, and returns what it prints. */
export async function runLode(
  { environment, database }: { environment: Readonly<Record<string, string>>; database: Pick<TestDatabase, 'urlOf'> },
  ...words: readonly string[]
): Promise<string> {
  let output = ''
  const variables = { ...environment, DATABASE_URL: database.urlOf('lode_operator') }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += text
    return true
  })
  try {
    await createProgram().parseAsync(['node', 'lode', ...words])
    return output
  } finally {
    stdout.mockRestore()
    vi.unstubAllEnvs()
  }
}

/** Collects what a command tells people on standard error, until `end` is called. */
export function collectStderr(): { text(): string; end(): void } {
  let collected = ''
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    collected += text
    return true
  })
  return { text: () => collected, end: () => stderr.mockRestore() }
}
