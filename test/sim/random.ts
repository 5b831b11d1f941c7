import { createHash } from 'node:crypto'

/** The source of every random choice of a run, so that the seed alone determines the steps. */
export class Random {
  #state: Uint32Array

  /** Each step has its own stream, so that the number of draws in one step does not change the next. */
  constructor(...labels: readonly (string | number)[]) {
    const digest = createHash('sha256').update(labels.join('/')).digest()
    this.#state = new Uint32Array([0, 4, 8, 12].map((at) => digest.readUInt32LE(at)))
  }

  /** From 0 (included) to 1 (excluded). The generator is sfc32. */
  next(): number {
    const [a = 0, b = 0, c = 0, counter = 0] = this.#state
    const result = (((a + b) | 0) + counter) | 0
    this.#state.set([b ^ (b >>> 9), (c + (c << 3)) | 0, (((c << 21) | (c >>> 11)) + result) | 0, (counter + 1) | 0])
    return (result >>> 0) / 2 ** 32
  }

  /** Both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[Math.floor(this.next() * list.length)]
    if (picked === undefined) throw new Error('nothing to pick from')
    return picked
  }

  pickWeighted<T extends { readonly weight: number }>(list: readonly T[]): T {
    let left = this.next() * list.reduce((sum, { weight }) => sum + weight, 0)
    for (const each of list) {
      left -= each.weight
      if (left < 0) return each
    }
    return this.pick(list)
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((value) => ({ value, place: this.next() }))
      .sort((one, other) => one.place - other.place)
      .map(({ value }) => value)
  }

  hex32(): `0x${string}` {
    const words = Array.from({ length: 8 }, () => Math.floor(this.next() * 2 ** 32))
    return `0x${words.map((word) => word.toString(16).padStart(8, '0')).join('')}`
  }
}
