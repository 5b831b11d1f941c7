import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { findBundledProcess } from '@lode/scripts/server-bundle'

export type TestProcess = {
  /** Resolves when the process has printed this, rejects if it ends without. */
  waitForOutput(text: string): Promise<void>
  output(): string
  kill(signal: NodeJS.Signals): void
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
}

/** One of the server's own processes, as in production: a separate Node process with its own environment. */
export function startServerProcess(
  name: 'api' | 'worker' | 'signer' | 'lode',
  environment: Readonly<Record<string, string>>,
  ...args: string[]
): TestProcess {
  const bundled = findBundledProcess(name)
  const child: ChildProcess = spawn(process.execPath, [bundled.file, ...args], {
    env: { ...bundled.environment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk
      for (const checkOutput of listeners) checkOutput()
    })
  const ended = once(child, 'close').then(([code, signal]: (number | string | null)[]) => code ?? signal ?? '')
  return {
    output: () => output,
    kill: (signal) => child.kill(signal),
    ended,
    waitForOutput: (text) =>
      new Promise((resolve, reject) => {
        const checkOutput = () => {
          if (!output.includes(text)) return
          listeners.delete(checkOutput)
          resolve()
        }
        listeners.add(checkOutput)
        void ended.then(() => reject(new Error(`${name} ended without printing "${text}":\n${output}`)))
        checkOutput()
      }),
  }
}
