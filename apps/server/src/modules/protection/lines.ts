import { ok, type Result, refused } from '@lode/kernel'

/**
 * A queue for each member: tasks of one queue run one after the other, and different queues run in parallel. Each
 * queue, and all together, have a maximum length. A task beyond it is refused at once.
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
    // The next task starts even if this one failed.
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
