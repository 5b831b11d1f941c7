import { ok, type Result, refused } from '@lode/kernel'

/**
 * Lets a bounded number of tasks run and a bounded number wait. Whoever comes beyond that is turned away at once, so a slow
 * neighbour costs those who need it an answer, never the process its memory.
 */
export class Gate {
  readonly #concurrency: number
  readonly #queue: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(limits: { concurrency: number; queue: number }) {
    this.#concurrency = limits.concurrency
    this.#queue = limits.queue
  }

  async run<T>(task: () => Promise<T>): Promise<Result<T, 'full'>> {
    if (this.#running < this.#concurrency) this.#running += 1
    else {
      if (this.#waiting.length >= this.#queue) return refused('full')
      // The place is handed over: whoever leaves wakes the next without giving it up in between.
      await new Promise<void>((enter) => this.#waiting.push(enter))
    }
    try {
      return ok(await task())
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }
}
