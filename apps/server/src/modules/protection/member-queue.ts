import { ok, type Result, refused } from '@lode/kernel'

/**
 * Returns a function that runs a task in its member's queue. Tasks of one queue run one after another; different queues
 * run in parallel. The length of each queue, and of all queues together, is limited. A task beyond the limit is refused
 * at once.
 */
export function createMemberQueueRunner(limits: { perMember: number; total: number }) {
  const queues = new Map<bigint, { waiting: number; end: Promise<unknown> }>()
  let waiting = 0

  return async <T>(member: bigint, task: () => Promise<T>): Promise<Result<T, 'full'>> => {
    const queue = queues.get(member) ?? { waiting: 0, end: Promise.resolve() }
    if (queue.waiting >= limits.perMember || waiting >= limits.total) return refused('full')
    queue.waiting += 1
    waiting += 1
    const turn = queue.end.then(task)
    // The next task starts even if this one failed.
    queue.end = turn.catch(() => {})
    queues.set(member, queue)
    try {
      return ok(await turn)
    } finally {
      queue.waiting -= 1
      waiting -= 1
      if (queue.waiting === 0) queues.delete(member)
    }
  }
}
