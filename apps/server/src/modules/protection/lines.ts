import { ok, type Result, refused } from '@lode/kernel'

/**
 * A line for each member: what is in one runs one after the other, and different lines run beside each other. Lines have an
 * end, each and all together; whoever comes beyond is turned away at once.
 */
export function createLines(limits: { each: number; all: number }) {
  const last = new Map<bigint, { waiting: number; end: Promise<unknown> }>()
  let waiting = 0

  return async <T>(member: bigint, task: () => Promise<T>): Promise<Result<T, 'full'>> => {
    const line = last.get(member) ?? { waiting: 0, end: Promise.resolve() }
    if (line.waiting >= limits.each || waiting >= limits.all) return refused('full')
    line.waiting += 1
    waiting += 1
    const turn = line.end.then(task)
    // Whoever is next does not care how this one ended.
    line.end = turn.catch(() => {})
    last.set(member, line)
    try {
      return ok(await turn)
    } finally {
      line.waiting -= 1
      waiting -= 1
      if (line.waiting === 0) last.delete(member)
    }
  }
}
