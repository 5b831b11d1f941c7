import type { Letters } from './production-rows.ts'

/** The model divides a satoshi into this many crumbs and no finer. */
const CRUMBS = 10n ** 36n

type Running = { readonly id: string; readonly weight: bigint; readonly start: number; readonly end: number }

type Purse = {
  readonly of: Running
  /** The pledge's earnings in crumbs. */
  held: bigint
  /**
   * In whole units, after each evening on which the pledge ran: what it could have been paid by then. The newest is
   * last.
   */
  readonly whole: bigint[]
}

/**
 * The model of production. It repeats all closed days as one would by hand: it divides the funding of each evening
 * among the purses of the running pledges. Apart from the letter A, which is only compared, it keeps no running sums:
 * only what could not be shared out yet.
 */
export class Evenings {
  readonly #purses: readonly Purse[]
  /** Units that could not be shared out yet, and crumbs that could not be divided. */
  #aside = 0n
  #crumbs = 0n
  #eachSoFar = 0n

  constructor(pledges: readonly Running[]) {
    this.#purses = pledges.map((of) => ({ of, held: 0n, whole: [] }))
  }

  spend(day: number, brought: bigint, atMost: bigint): Letters {
    const Z = this.#emptyEnded(day)
    const running = this.#purses.filter(({ of }) => of.start <= day && day < of.end)
    const S = running.reduce((sum, { of }) => sum + of.weight, 0n)
    const F = lesser(brought, atMost)
    const X = brought - F
    if (S === 0n) {
      this.#aside += brought
      return { F, X, T: 0n, C: this.#aside, Z, S, q: 0n, A: this.#eachSoFar, R: this.#crumbs }
    }
    const T = lesser(this.#aside, F)
    this.#aside += X - T
    this.#crumbs += (F + T) * CRUMBS
    const q = this.#crumbs / S
    for (const purse of running) {
      purse.held += q * purse.of.weight
      this.#crumbs -= q * purse.of.weight
      purse.whole.push(purse.held / CRUMBS)
    }
    this.#eachSoFar += q
    return { F, X, T, C: this.#aside, Z, S, q, A: this.#eachSoFar, R: this.#crumbs }
  }

  /** A pledge that has ended keeps its whole units. The rest goes back to be shared out. */
  #emptyEnded(day: number): bigint {
    let freed = 0n
    for (const purse of this.#purses) {
      if (purse.of.end !== day) continue
      freed += purse.held % CRUMBS
      purse.held -= purse.held % CRUMBS
    }
    this.#crumbs += freed
    return freed
  }

  /** What each pledge can have been paid after each evening, by id. */
  get wholeUnits(): ReadonlyMap<string, readonly bigint[]> {
    return new Map(this.#purses.map(({ of, whole }) => [of.id, whole]))
  }
}

const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other)
