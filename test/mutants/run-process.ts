import { spawn } from 'node:child_process'

type ProcessLimits = {
  readonly limitMs: number
  /** How many characters of its output are kept, counted from the end. */
  readonly kept: number
}

/** Ends the process, and all that it started, after the time limit. */
export const runProcess = (
  program: string,
  args: readonly string[],
  folder: string,
  { limitMs, kept }: ProcessLimits,
): Promise<{ printed: string; timedOut: boolean }> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    let timedOut = false
    const collect = (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-kept)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    const timer = setTimeout(() => {
      timedOut = true
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    }, limitMs)
    child.on('error', reject)
    child.on('close', () => {
      clearTimeout(timer)
      resolve({ printed, timedOut })
    })
  })
