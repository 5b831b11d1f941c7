/**
 * A model that shares out the simple way: every evening it goes through all pledges and credits each its part. It has
 * no sums, differences or scale. Fractions are kept with the product's denominator, because the remainder of a division
 * belongs to a definite day.
 */

const PARTS_OF_A_UNIT = 10n ** 36n

type ModelPledge = {
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
  readonly pledges: ModelPledge[] = []
  #deposits: Deposit[] = []
  /** Money that came when no pledge ran, or above the limit. */
  carry = 0n
  /** Parts of a unit that the last division left. */
  remainder = 0n
  funded = 0n

  pledge(name: string, weight: bigint, firstDay: number, days: number): void {
    const lastDay = firstDay + days - 1
    this.pledges.push({ name, weight, firstDay, lastDay, credit: 0n, paid: 0n, isOver: false })
  }

  fund(forDay: number, amount: bigint): void {
    this.#deposits.push({ forDay, left: amount, taken: false })
  }

  closeDay(day: number, dailyLimit: bigint): void {
    let arrived = 0n
    for (const deposit of this.#deposits) {
      if (deposit.taken || deposit.forDay > day) continue
      deposit.taken = true
      arrived += deposit.left
    }
    this.funded += arrived
    for (const pledge of this.pledges) {
      if (pledge.isOver || pledge.lastDay + 1 !== day) continue
      const whole = pledge.credit / PARTS_OF_A_UNIT
      this.remainder += pledge.credit - whole * PARTS_OF_A_UNIT
      pledge.credit = whole * PARTS_OF_A_UNIT
      pledge.isOver = true
    }
    const running = this.pledges.filter(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay)
    if (running.length === 0) {
      this.carry += arrived
      return
    }
    let today = arrived
    if (today > dailyLimit) {
      today = dailyLimit
      this.carry += arrived - dailyLimit
    }
    // What waited before this evening. Money put aside this evening is not admitted on the same day.
    const waitedBefore = this.carry - (arrived - today)
    let fromCarry = waitedBefore
    if (fromCarry > today) fromCarry = today
    this.carry -= fromCarry
    const parts = (today + fromCarry) * PARTS_OF_A_UNIT + this.remainder
    let all = 0n
    for (const { weight } of running) all += weight
    const each = parts / all
    let given = 0n
    for (const pledge of running) {
      pledge.credit += each * pledge.weight
      given += each * pledge.weight
    }
    this.remainder = parts - given
  }

  /** Pays a member what is not paid yet, and returns it. */
  collect(name: string): bigint {
    let sum = 0n
    for (const pledge of this.pledges) {
      if (pledge.name !== name) continue
      const whole = pledge.credit / PARTS_OF_A_UNIT
      sum += whole - pledge.paid
      pledge.paid = whole
    }
    return sum
  }
}
