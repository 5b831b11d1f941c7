import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningProcess } from '@lode/scripts/process'
import type { Trace } from '../trace.ts'

type Environment = Readonly<Record<string, string>>
type Start = (signal: AbortSignal, environment: Environment) => Promise<RunningProcess>

/** How long a process may take to start when everything that it needs is available. */
const TIMEOUT_MS = 60_000

/** A process that is restarted whenever it ends, as a service manager does, until it is told to stay down. */
export class SupervisedProcess {
  readonly name: string
  /** Where its health routes are. */
  readonly url: string
  readonly #start: Start
  readonly #trace: Trace
  #keeping: { readonly abort: AbortController; readonly ended: Promise<void> } | null = null
  #running: RunningProcess | null = null
  #environment: Environment = {}

  constructor(name: string, url: string, start: Start, trace: Trace) {
    this.name = name
    this.url = url
    this.#start = start
    this.#trace = trace
  }

  get isUp(): boolean {
    return this.#running !== null
  }

  start(): void {
    if (this.#keeping) return
    const abort = new AbortController()
    this.#keeping = { abort, ended: this.#keep(abort.signal) }
  }

  async ready(): Promise<void> {
    this.start()
    const deadline = Date.now() + TIMEOUT_MS
    while (!this.#running) {
      if (Date.now() > deadline) throw new Error(`the ${this.name} does not come up`)
      await sleep(10)
    }
  }

  /** Kills it and starts it again with these further variables, as long as nobody restarts it with others. */
  async restart(environment: Environment): Promise<void> {
    await this.kill()
    this.#environment = environment
    this.start()
  }

  /** kill -9. The process stays down until it is started again. */
  async kill(): Promise<void> {
    const keeping = this.#keeping
    this.#keeping = null
    keeping?.abort.abort()
    await this.#running?.stop('SIGKILL')
    await keeping?.ended
  }

  async #keep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const running = await this.#start(signal, this.#environment)
        if (signal.aborted) return await running.stop('SIGKILL')
        this.#running = running
        await running.ended
        this.#running = null
        if (!signal.aborted) this.#trace.log(`   … the ${this.name} ended by itself and is started again`)
      } catch (error) {
        if (signal.aborted) return
        const reason = String(error).trim().split('\n').at(-1)
        this.#trace.log(`   … the ${this.name} did not start: ${reason}`)
        await sleep(100)
      }
    }
  }
}
