import { ok, type Result, refused } from '@lode/kernel'

/**
 * Lets a bounded number of tasks run and a bounded number wait. Further tasks are refused at once, so that a slow
 * service costs its callers an answer and never the process its memory.
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
      // The slot is handed over: a task that ends wakes the next one without freeing the slot in between.
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
