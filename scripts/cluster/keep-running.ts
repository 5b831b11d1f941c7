import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningProcess } from '../stack/process.ts'

/** A process that is started again when it ends, as systemd does on a real host. */
export type KeptProcess = {
  readonly name: string
  /** Resolves when it is ready for the first time. */
  readonly started: Promise<void>
  /** The process id of the newest run that was ready. */
  pid(): number
  /** How often it was started again. */
  restarts(): number
  /** The output of the present run. */
  output(): string
  stop(): Promise<void>
}

type Start = (signal: AbortSignal) => Promise<RunningProcess>

const RESTART_AFTER_MS = 1_000

/** Returns at once, so that the caller can stop it while it still starts. */
export function keepRunning(name: string, start: Start, onStart: (name: string, pid: number) => void): KeptProcess {
  const stopping = new AbortController()
  const run: { newest: RunningProcess | null } = { newest: null }
  let restarts = 0
  const startOnce = async (): Promise<void> => {
    const one = await start(stopping.signal)
    // Stopped just as it became ready.
    if (stopping.signal.aborted) return one.stop()
    run.newest = one
    onStart(name, one.pid)
  }
  const started = startOnce()
  const watching = (async () => {
    await started.catch(() => {})
    while (run.newest) {
      await run.newest.ended
      await sleep(RESTART_AFTER_MS, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      // It may not become ready, for example because what it needs is away too. Then it is tried again.
      await startOnce().then(
        () => (restarts += 1),
        () => {},
      )
    }
  })()
  return {
    name,
    started,
    pid: () => run.newest?.pid ?? -1,
    restarts: () => restarts,
    output: () => run.newest?.output() ?? '',
    async stop() {
      stopping.abort()
      await run.newest?.stop()
      await watching
    },
  }
}
