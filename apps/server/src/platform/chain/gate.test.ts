import { describe, expect, it } from 'vitest'
import { Gate } from './gate.ts'

/** A task that ends when the test says so. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let began = false
  const task = () => {
    began = true
    return promise
  }
  return { task, resolve, reject, hasBegun: () => began }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('the gate', () => {
  it('lets so many run, so many wait, and turns the rest away at once', async () => {
    const gate = new Gate({ concurrency: 2, queue: 1 })
    const tasks = [held(), held(), held(), held()] as const
    const results = tasks.map(({ task }) => gate.run(task))
    await settle()
    expect(tasks.map(({ hasBegun }) => hasBegun())).toEqual([true, true, false, false])
    expect(await results[3]).toEqual({ ok: false, error: 'full' })

    tasks[0].resolve('first')
    expect(await results[0]).toEqual({ ok: true, value: 'first' })
    await settle()
    expect(tasks[2].hasBegun()).toBe(true)
  })

  it('gives the place of a failed task to the next', async () => {
    const gate = new Gate({ concurrency: 1, queue: 1 })
    const [failing, next] = [held(), held()]
    const failed = gate.run(failing.task)
    const waiting = gate.run(next.task)
    failing.reject(new Error('broken'))
    await expect(failed).rejects.toThrow('broken')
    next.resolve('next')
    expect(await waiting).toEqual({ ok: true, value: 'next' })
    expect(await gate.run(async () => 'after')).toEqual({ ok: true, value: 'after' })
  })

  it('never runs more than it says, whatever comes', async () => {
    const gate = new Gate({ concurrency: 3, queue: 100 })
    let running = 0
    let most = 0
    await Promise.all(
      Array.from({ length: 100 }, () =>
        gate.run(async () => {
          running += 1
          most = Math.max(most, running)
          await settle()
          running -= 1
        }),
      ),
    )
    expect([running, most]).toEqual([0, 3])
  })
})
