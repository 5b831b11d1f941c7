import { describe, expect, it } from 'vitest'
import { TaskLimiter } from './task-limiter.ts'

/** A task that ends when the test says so. */
function createHeldTask() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let began = false
  const task = () => {
    began = true
    return promise
  }
  return { task, resolve, reject, hasBegun: () => began }
}

const waitOneTick = () => new Promise((resolve) => setImmediate(resolve))

describe('the task limiter', () => {
  it('runs and queues up to its limits, and refuses further tasks at once', async () => {
    const gate = new TaskLimiter({ concurrency: 2, queue: 1 })
    const tasks = [createHeldTask(), createHeldTask(), createHeldTask(), createHeldTask()] as const
    const results = tasks.map(({ task }) => gate.run(task))
    await waitOneTick()
    expect(tasks.map(({ hasBegun }) => hasBegun())).toEqual([true, true, false, false])
    expect(await results[3]).toEqual({ ok: false, error: 'full' })

    tasks[0].resolve('first')
    expect(await results[0]).toEqual({ ok: true, value: 'first' })
    await waitOneTick()
    expect(tasks[2].hasBegun()).toBe(true)
  })

  it('gives the slot of a failed task to the next task', async () => {
    const gate = new TaskLimiter({ concurrency: 1, queue: 1 })
    const [failing, next] = [createHeldTask(), createHeldTask()]
    const failed = gate.run(failing.task)
    const waiting = gate.run(next.task)
    failing.reject(new Error('broken'))
    await expect(failed).rejects.toThrow('broken')
    next.resolve('next')
    expect(await waiting).toEqual({ ok: true, value: 'next' })
    expect(await gate.run(async () => 'after')).toEqual({ ok: true, value: 'after' })
  })

  it('never runs more tasks at once than its limit', async () => {
    const gate = new TaskLimiter({ concurrency: 3, queue: 100 })
    let running = 0
    let most = 0
    await Promise.all(
      Array.from({ length: 100 }, () =>
        gate.run(async () => {
          running += 1
          most = Math.max(most, running)
          await waitOneTick()
          running -= 1
        }),
      ),
    )
    expect([running, most]).toEqual([0, 3])
  })
})
