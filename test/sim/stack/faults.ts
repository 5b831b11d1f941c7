import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultPoint } from './fault-points.ts'

const POLL_MS = 20

/** The folder with the instructions for processes that reach a fault point. */
export class Faults {
  readonly folder: string
  readonly #meanwhile = new Map<string, () => Promise<unknown>>()
  readonly #watching: Promise<void>
  #isOver = false

  private constructor(folder: string) {
    this.folder = folder
    this.#watching = this.#watch()
  }

  static async begin(): Promise<Faults> {
    return new Faults(await mkdtemp(join(tmpdir(), 'lode-sim-faults-')))
  }

  armKill(point: FaultPoint): Promise<void> {
    return writeFile(join(this.folder, fileOf(point)), '')
  }

  /** The process that reaches the point stops until `meanwhile` is done. */
  async armStop(point: FaultPoint, meanwhile: () => Promise<unknown>): Promise<void> {
    this.#meanwhile.set(fileOf(point), meanwhile)
    await writeFile(join(this.folder, fileOf(point)), 'stop')
  }

  async armed(): Promise<string[]> {
    return (await readdir(this.folder)).filter((name) => !name.endsWith('.reached'))
  }

  /** Removes all instructions and lets stopped processes continue. */
  async disarm(): Promise<void> {
    for (const name of await this.armed()) await rm(join(this.folder, name), { force: true })
    while ((await readdir(this.folder)).some((name) => name.endsWith('.reached'))) await sleep(POLL_MS)
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#watching
    await rm(this.folder, { recursive: true, force: true })
  }

  async #watch(): Promise<void> {
    while (!this.#isOver) {
      for (const name of await readdir(this.folder)) {
        const [, point, pid] = /^(.+)\.(\d+)\.reached$/.exec(name) ?? []
        if (point === undefined || pid === undefined) continue
        try {
          await waitUntilStopped(Number(pid))
          await this.#meanwhile.get(point)?.()
        } finally {
          resumeProcess(Number(pid))
          await rm(join(this.folder, name), { force: true })
        }
      }
      await sleep(POLL_MS)
    }
  }
}

const fileOf = (point: FaultPoint): string => point.replace(/[:/]/g, '-')

/**
 * A process reports the point just before it stops. A SIGCONT before the stop would be lost, and it would stop forever.
 */
async function waitUntilStopped(pid: number): Promise<void> {
  for (;;) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
    if (stat === null || stat.slice(stat.lastIndexOf(')')).startsWith(') T')) return
    await sleep(1)
  }
}

/** The process may have been killed while it was stopped. */
function resumeProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT')
  } catch {
    // The process no longer exists.
  }
}
