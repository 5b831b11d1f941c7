/**
 * A model that shares out the simple way: every evening it goes through all pledges and credits each its part. It has
 * no sums, differences or scale. Fractions are kept with the product's denominator, because the remainder of a division
 * belongs to a definite day.
 */

const PARTS_OF_A_UNIT = 10n ** 36n

type Slip = {
  readonly name: string
  readonly weight: bigint
  readonly firstDay: number
  readonly lastDay: number
  /** In parts of a unit. */
  credit: bigint
  paid: bigint
  isOver: boolean
}

type Deposit = { readonly forDay: number; left: bigint; taken: boolean }

export class EagerDistributor {
  readonly slips: Slip[] = []
  #deposits: Deposit[] = []
  /** Money that came when no pledge ran, or above the limit. */
  waiting = 0n
  /** Parts of a unit that the last division left. */
  crumbs = 0n
  funded = 0n

  pledge(name: string, weight: bigint, firstDay: number, days: number): void {
    const lastDay = firstDay + days - 1
    this.slips.push({ name, weight, firstDay, lastDay, credit: 0n, paid: 0n, isOver: false })
  }

  fund(forDay: number, amount: bigint): void {
    this.#deposits.push({ forDay, left: amount, taken: false })
  }

  evening(day: number, mostOfTheDay: bigint): void {
    let arrived = 0n
    for (const deposit of this.#deposits) {
      if (deposit.taken || deposit.forDay > day) continue
      deposit.taken = true
      arrived += deposit.left
    }
    this.funded += arrived
    for (const slip of this.slips) {
      if (slip.isOver || slip.lastDay + 1 !== day) continue
      const whole = slip.credit / PARTS_OF_A_UNIT
      this.crumbs += slip.credit - whole * PARTS_OF_A_UNIT
      slip.credit = whole * PARTS_OF_A_UNIT
      slip.isOver = true
    }
    const running = this.slips.filter(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay)
    if (running.length === 0) {
      this.waiting += arrived
      return
    }
    let today = arrived
    if (today > mostOfTheDay) {
      today = mostOfTheDay
      this.waiting += arrived - mostOfTheDay
    }
    // What waited before this evening. Money put aside this evening is not admitted on the same day.
    const waitedBefore = this.waiting - (arrived - today)
    let letIn = waitedBefore
    if (letIn > today) letIn = today
    this.waiting -= letIn
    const parts = (today + letIn) * PARTS_OF_A_UNIT + this.crumbs
    let all = 0n
    for (const { weight } of running) all += weight
    const each = parts / all
    let given = 0n
    for (const slip of running) {
      slip.credit += each * slip.weight
      given += each * slip.weight
    }
    this.crumbs = parts - given
  }

  /** Pays a member what is not paid yet, and returns it. */
  collect(name: string): bigint {
    let sum = 0n
    for (const slip of this.slips) {
      if (slip.name !== name) continue
      const whole = slip.credit / PARTS_OF_A_UNIT
      sum += whole - slip.paid
      slip.paid = whole
    }
    return sum
  }
}
