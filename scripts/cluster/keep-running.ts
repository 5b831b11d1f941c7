import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningProcess } from '../stack/process.ts'

/** A process that is started again when it ends, as systemd does on a real host. */
export type KeptProcess = {
  readonly name: string
  /** The process id of the present run. */
  pid(): number
  /** How often it was started again. */
  restarts(): number
  /** The output of the present run. */
  output(): string
  stop(): Promise<void>
}

type Start = (signal: AbortSignal) => Promise<RunningProcess>

const RESTART_AFTER_MS = 1_000

export async function keepRunning(
  name: string,
  start: Start,
  onStart: (name: string, pid: number) => void = () => {},
): Promise<KeptProcess> {
  const stopping = new AbortController()
  let running = await start(stopping.signal)
  onStart(name, running.pid)
  let restarts = 0
  const watching = (async () => {
    for (;;) {
      await running.ended
      await sleep(RESTART_AFTER_MS, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      try {
        running = await start(stopping.signal)
        restarts += 1
        onStart(name, running.pid)
      } catch {
        // It did not become ready, for example because what it needs is away too. It is tried again.
      }
    }
  })()
  return {
    name,
    pid: () => running.pid,
    restarts: () => restarts,
    output: () => running.output(),
    async stop() {
      stopping.abort()
      await running.stop()
      await watching
    },
  }
}
