import { entitled, fraction, SHARE_SCALE, type ShareSpan } from '@lode/kernel'
import { BEFORE_ALL_DAYS, closeDay, type Production } from '../rules.ts'

type Pledge = {
  readonly name: string
  readonly weight: bigint
  readonly start: number
  readonly end: number
  paid: bigint
}

/** Keeps pledges and days in memory, and changes them by the product's own rules. */
export class InMemoryPledges {
  readonly pledges: Pledge[] = []
  readonly #fundings: { day: number; amount: bigint; used: boolean }[] = []
  readonly #perWeight = new Map<number, bigint>()
  readonly #started = new Map<number, bigint>()
  readonly #ended = new Map<number, bigint>()
  production: Production = BEFORE_ALL_DAYS
  lastClosed: number
  funded = 0n

  constructor(firstDay: number) {
    this.lastClosed = firstDay - 1
  }

  pledge(name: string, weight: bigint, paidOn: number, days: number): Pledge {
    const start = Math.max(paidOn, this.lastClosed) + 1
    const pledge = { name, weight, start, end: start + days, paid: 0n }
    this.pledges.push(pledge)
    this.#started.set(start, (this.#started.get(start) ?? 0n) + weight)
    this.#ended.set(pledge.end, (this.#ended.get(pledge.end) ?? 0n) + weight)
    return pledge
  }

  fund(day: number, amount: bigint): void {
    this.#fundings.push({ day, amount, used: false })
  }

  close(most: bigint) {
    const day = this.lastClosed + 1
    let funding = 0n
    for (const one of this.#fundings.filter((each) => !each.used && each.day <= day)) {
      one.used = true
      funding += one.amount
    }
    this.funded += funding
    const ending = this.pledges.filter(({ end }) => end === day)
    const changes = {
      started: this.#started.get(day) ?? 0n,
      ended: this.#ended.get(day) ?? 0n,
      freed: ending.reduce((sum, pledge) => sum + fraction(this.#spanOf(pledge)), 0n),
    }
    const closed = closeDay(this.production, changes, { funding, most })
    this.production = closed
    this.#perWeight.set(day, closed.perWeight)
    this.lastClosed = day
    return closed
  }

  collect(name: string): bigint {
    let sum = 0n
    for (const pledge of this.pledges.filter((one) => one.name === name)) {
      const now = entitled(this.#spanOf(pledge))
      sum += now - pledge.paid
      pledge.paid = now
    }
    return sum
  }

  /** U: what each pledge has earned and was not paid, scaled. */
  unpaid(): bigint[] {
    return this.pledges.map((pledge) => {
      const { weight, from, to } = this.#spanOf(pledge)
      const has = pledge.end <= this.lastClosed ? entitled({ weight, from, to }) * SHARE_SCALE : weight * (to - from)
      return has - pledge.paid * SHARE_SCALE
    })
  }

  get paid(): bigint {
    return this.pledges.reduce((sum, { paid }) => sum + paid, 0n)
  }

  #spanOf({ weight, start, end }: Pledge): ShareSpan {
    if (start > this.lastClosed) return { weight, from: 0n, to: 0n }
    return {
      weight,
      from: this.#perWeight.get(start - 1) ?? 0n,
      to: this.#perWeight.get(Math.min(this.lastClosed, end - 1)) ?? 0n,
    }
  }
}
