import type { Block, ChainNode } from './node.ts'

/** The last block that a node reports as final. Nobody has confirmed it yet. */
export type Head = {
  readonly node: Pick<ChainNode, 'name'>
  readonly finalized: Pick<Block, 'number' | 'time'>
}

/** How far a block's time may be ahead of the clock here. Clocks differ by seconds. */
const MAX_AHEAD_MS = 120_000

/**
 * Returns the heads whose time is in the future: after the clock of this machine, and after what a second origin reports.
 * The second condition matters if the clock here is wrong, or if a test has moved the time of its chain.
 */
export function findFutureHeads<H extends Head>(heads: readonly H[], now: Date): H[] {
  const latest = Math.max(now.getTime(), secondHighest(timesByOrigin(heads))) + MAX_AHEAD_MS
  return heads.filter(({ finalized }) => finalized.time.getTime() > latest)
}

/**
 * How far the chain is, as final. With three origins or more, two of them must have reached it: the number or the time of
 * a single one may be invented. With two, it is what the further one reports, because nobody knows which of them is wrong.
 */
export function findFurthest(heads: readonly Head[]): Pick<Block, 'number' | 'time'> {
  const numbers = highestByOrigin(heads, ({ finalized }) => finalized.number)
  const times = timesByOrigin(heads)
  const [number, time] = numbers.length > 2 ? [secondHighest(numbers), secondHighest(times)] : [numbers[0], times[0]]
  return { number: number ?? 0n, time: new Date(time ?? 0) }
}

/** "A and B". Two nodes of one origin have one name. */
export const listNames = (heads: readonly Pick<Head, 'node'>[]): string =>
  Array.from(new Set(heads.map(({ node }) => node.name))).join(' and ')

const timesByOrigin = (heads: readonly Head[]): number[] =>
  highestByOrigin(heads, ({ finalized }) => finalized.time.getTime())

/** The highest value of each origin, highest first. */
function highestByOrigin<V extends number | bigint>(heads: readonly Head[], read: (head: Head) => V): V[] {
  const highest = new Map<string, V>()
  for (const head of heads) {
    const { name } = head.node
    const before = highest.get(name)
    const value = read(head)
    if (before === undefined || value > before) highest.set(name, value)
  }
  return Array.from(highest.values()).sort((one, other) => (one > other ? -1 : 1))
}

/** Of values in falling order: the second one, or the only one. */
const secondHighest = <V>([highest, second]: readonly V[]): V => (second ?? highest) as V
