/** Collects findings by message, with a count and a few examples each. */
export class Findings {
  readonly #found = new Map<string, { count: bigint; examples: string[] }>()

  add(wrong: string, example: string): void {
    this.addMany(wrong, 1n, [example])
  }

  addMany(wrong: string, count: bigint, examples: readonly string[]): void {
    if (count === 0n) return
    const previous = this.#found.get(wrong) ?? { count: 0n, examples: [] }
    this.#found.set(wrong, {
      count: previous.count + count,
      examples: [...previous.examples, ...examples].slice(0, EXAMPLES),
    })
  }

  merge(others: Findings): void {
    for (const { wrong, count, examples } of others.list()) this.addMany(wrong, count, examples)
  }

  list(): readonly Finding[] {
    return Array.from(this.#found, ([wrong, { count, examples }]) => ({ wrong, count, examples }))
  }
}

export type Finding = { readonly wrong: string; readonly count: bigint; readonly examples: readonly string[] }

export const EXAMPLES = 3
