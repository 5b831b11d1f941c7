import { ok, type Result, refused } from '@lode/kernel'

/**
 * Lets a limited number of tasks run and a limited number wait. It refuses further tasks at once, so that a slow
 * service cannot fill the memory of the process with waiting tasks.
 */
export class TaskLimiter {
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
      // A task that ends hands its slot to the next waiting task, without freeing it in between.
      await new Promise<void>((start) => this.#waiting.push(start))
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
