// Starts forge, here or from the command line: node tools/forge.ts ARGUMENTS…
//
// The package's own command, `forge`, is a script around the binary that ends with 0 even if the binary fails: a failing
// test would pass. So the binary itself is started.

import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export const packageRoot = join(import.meta.dirname, '..')

/** Runs forge in the package. Its output is shown as it comes, or answered where `capture` asks for it. */
export function forge(args: readonly string[], { capture = false } = {}): { status: number; output: string } {
  const { status, stdout, error } = spawnSync(binary(), args, {
    cwd: packageRoot,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', capture ? 'pipe' : 'inherit', 'inherit'],
  })
  if (error) throw error
  return { status: status ?? 1, output: stdout ?? '' }
}

function binary(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/forge/package.json'))
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  return join(dirname(require.resolve(`@foundry-rs/forge-${process.platform}-${arch}/package.json`)), 'bin', 'forge')
}

if (import.meta.main) process.exit(forge(process.argv.slice(2)).status)
