import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

export type RunningProcess = {
  readonly name: string
  readonly pid: number
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<void>
  /** The process's whole output, for error messages. */
  output(): string
  stop(signal?: NodeJS.Signals): Promise<void>
}

type ProcessOptions = {
  name: string
  command: string
  args: readonly string[]
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** Called every 50 ms. The process counts as started when this first returns true. */
  ready: () => Promise<boolean>
  readyTimeoutMs?: number
  /** Called together with `ready`. True if the output shows that the process will never be ready. */
  failed?: () => boolean
  /** Cancels the wait and stops the process. */
  signal?: AbortSignal | undefined
  onLine?: ((line: string) => void) | undefined
}

const MAX_OUTPUT_LENGTH = 64_000

/**
 * Starts a real binary, never a package runner: killing a runner leaves its child behind. The child gets its own
 * process group, so that a Ctrl-C in the terminal reaches only us and we stop the parts in the right order.
 */
export async function startProcess(start: ProcessOptions): Promise<RunningProcess> {
  const child = spawn(start.command, start.args, {
    env: start.env ?? process.env,
    cwd: start.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-MAX_OUTPUT_LENGTH)
    })
    createInterface({ input: stream }).on('line', (line) => start.onLine?.(line))
  }
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', (error) => {
      printed += String(error)
      resolve()
    })
  })

  const running: RunningProcess = {
    name: start.name,
    pid: child.pid ?? -1,
    ended,
    output: () => printed,
    stop: (signal = 'SIGTERM') => stopChild(child, ended, signal),
  }
  const deadline = Date.now() + (start.readyTimeoutMs ?? 60_000)
  let dead = false
  void ended.then(() => {
    dead = true
  })
  while (!(await start.ready().catch(() => false))) {
    const failed = dead || start.failed?.() === true
    if (failed || start.signal?.aborted || Date.now() > deadline) {
      await running.stop(failed ? 'SIGTERM' : 'SIGKILL')
      throw new Error(`${start.name} ${failed ? 'ended at once' : 'did not become ready'}:\n${printed}`)
    }
    await sleep(50)
  }
  return running
}

async function stopChild(child: ChildProcess, ended: Promise<void>, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  const timeLimit = new AbortController()
  const late = sleep(10_000, 'late', { signal: timeLimit.signal }).catch(() => 'ended')
  if ((await Promise.race([ended, late])) === 'late') killGroup(child)
  timeLimit.abort()
  await ended
}

/** Kills the process with all its children, because SIGKILL gives it no chance to stop them itself. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

/** Below the ports that the system gives to connections and to servers that ask for any port. */
const PORTS = [15_000, 32_000] as const
const PORTS_TO_TRY = 100

/**
 * A free port on loopback. The system itself never gives it to another process before it is used: a test once asked the
 * worker of another stack, which had got the port of its api.
 */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS_TO_TRY; tried += 1) {
    const port = await tryPort(randomInt(...PORTS))
    if (port !== undefined) return port
  }
  throw new Error('There is no free port on this machine')
}

/** The preferred port, or any free one if it is taken. */
export const findPort = async (preferred: number): Promise<number> => (await tryPort(preferred)) ?? (await freePort())

async function tryPort(wanted: number): Promise<number | undefined> {
  const server = createServer().listen(wanted, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return undefined
  }
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

export const answersOk = async (url: string): Promise<boolean> =>
  (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok
