import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBrokenBuild } from './broken-build.ts'
import { brokenBuilds } from './broken-builds.ts'

const simulator = join(import.meta.dirname, '../sim.ts')

/** The simulator's output and exit code. */
const simulate = (args: readonly string[]): Promise<{ code: number; printed: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [simulator, ...args], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, printed: stdout + stderr }),
    )
  })

describe('the simulator catches a build that', () => {
  it.each(brokenBuilds)('$name', { timeout: 900_000 }, async ({ edits, caughtBy, ...run }) => {
    const { folder, remove } = await makeBrokenBuild(edits)
    try {
      const args =
        'stop' in run
          ? ['--stop', run.stop]
          : ['--steps', String(run.steps), '--commands', run.commands.join(','), ...(run.options ?? [])]
      const { code, printed } = await simulate(['--seed', '1', ...args, '--server', folder])
      expect(printed).toMatch(caughtBy)
      expect(code).toBe(1)
    } finally {
      await remove()
    }
  })
})
