import type { Letters } from './production-rows.ts'

/** The model divides a satoshi into this many parts. */
const SCALE = 10n ** 36n

type RunningPledge = { readonly id: string; readonly weight: bigint; readonly start: number; readonly end: number }

type PledgeEarnings = {
  readonly pledge: RunningPledge
  /** The pledge's earnings, in parts of a satoshi (SCALE). */
  held: bigint
  /**
   * In whole units, after each closed day of the pledge: what it could have been paid by then. The newest is
   * last.
   */
  readonly whole: bigint[]
}

/**
 * The model of production. It repeats all closed days as one would by hand: it divides the funding of each day
 * among the running pledges. Apart from the letter A, which is only compared, it keeps no running sums:
 * only what could not be shared out yet.
 */
export class ProductionModel {
  readonly #earnings: readonly PledgeEarnings[]
  /** Units that could not be shared out yet, and the remainder of the division. */
  #carried = 0n
  #remainder = 0n
  #perWeight = 0n

  constructor(pledges: readonly RunningPledge[]) {
    this.#earnings = pledges.map((pledge) => ({ pledge, held: 0n, whole: [] }))
  }

  closeDay(day: number, brought: bigint, atMost: bigint): Letters {
    const Z = this.#emptyEnded(day)
    const running = this.#earnings.filter(({ pledge }) => pledge.start <= day && day < pledge.end)
    const S = running.reduce((sum, { pledge }) => sum + pledge.weight, 0n)
    const F = lesser(brought, atMost)
    const X = brought - F
    if (S === 0n) {
      this.#carried += brought
      return { F, X, T: 0n, C: this.#carried, Z, S, q: 0n, A: this.#perWeight, R: this.#remainder }
    }
    const T = lesser(this.#carried, F)
    this.#carried += X - T
    this.#remainder += (F + T) * SCALE
    const q = this.#remainder / S
    for (const purse of running) {
      purse.held += q * purse.pledge.weight
      this.#remainder -= q * purse.pledge.weight
      purse.whole.push(purse.held / SCALE)
    }
    this.#perWeight += q
    return { F, X, T, C: this.#carried, Z, S, q, A: this.#perWeight, R: this.#remainder }
  }

  /** A pledge that has ended keeps its whole units. The rest goes back to be shared out. */
  #emptyEnded(day: number): bigint {
    let freed = 0n
    for (const purse of this.#earnings) {
      if (purse.pledge.end !== day) continue
      freed += purse.held % SCALE
      purse.held -= purse.held % SCALE
    }
    this.#remainder += freed
    return freed
  }

  /** What each pledge can have been paid after each day, by id. */
  get wholeUnits(): ReadonlyMap<string, readonly bigint[]> {
    return new Map(this.#earnings.map(({ pledge, whole }) => [pledge.id, whole]))
  }
}

const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other)
