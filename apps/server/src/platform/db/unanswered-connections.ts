import type pg from 'pg'

/**
 * Connections that gave no answer in time. The server still works on their last query, such as a commit that waits for a
 * standby, and keeps its locks. So each keeps its place in the pool until the answer comes or the connection ends:
 * otherwise the pool would open a new connection for each, without limit.
 *
 * Half of the pool is left for reads. If a crowd of commits began to wait at once, the connections beyond the other half
 * are closed instead of kept, as many as half of the pool, until an answer comes.
 */
export class UnansweredConnections {
  readonly #half: number
  readonly #waiting = new Set<pg.PoolClient>()
  #closedEarly = 0
  #closing = false

  constructor(half: number) {
    this.#half = half
  }

  /** Whether at least half of the pool waits. */
  areMany(): boolean {
    return this.#waiting.size >= this.#half
  }

  /** Releases the connection when its late answer comes. */
  keep(client: pg.PoolClient, lateAnswer: Promise<unknown>): void {
    const closesEarly = this.areMany() && this.#closedEarly < this.#half
    if (closesEarly) this.#closedEarly += 1
    if (closesEarly || this.#closing) {
      client.release(true)
      return
    }
    this.#waiting.add(client)
    void lateAnswer.then(() => {
      if (!this.#waiting.delete(client)) return
      this.#closedEarly = 0
      client.release(true)
    })
  }

  /** Ends all that wait, so that the pool can be closed. */
  close(): void {
    this.#closing = true
    for (const client of this.#waiting) client.release(true)
    this.#waiting.clear()
  }
}
