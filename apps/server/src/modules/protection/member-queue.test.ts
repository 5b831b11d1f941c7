import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createMemberQueueRunner } from './member-queue.ts'

describe('a queue for each member', () => {
  it('runs one task at a time, in order of arrival, in parallel with the queues of other members', async () => {
    const runQueued = createMemberQueueRunner({ perMember: 10, total: 100 })
    const happened: string[] = []
    const task = (name: string, ms: number) => async () => {
      happened.push(`${name} begins`)
      await sleep(ms)
      happened.push(`${name} ends`)
    }
    await Promise.all([
      runQueued(1n, task('first', 20)),
      runQueued(1n, task('second', 1)),
      runQueued(2n, task('other', 1)),
    ])
    expect(happened).toEqual([
      ...['first begins', 'other begins', 'other ends', 'first ends'],
      ...['second begins', 'second ends'],
    ])
  })

  it('continues after a failed task; only its caller gets the error', async () => {
    const runQueued = createMemberQueueRunner({ perMember: 10, total: 100 })
    const failing = runQueued(1n, () => Promise.reject(new Error('broken')))
    const next = runQueued(1n, async () => 'next')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toEqual({ ok: true, value: 'next' })
  })

  it('refuses tasks beyond the limit for one member or for all, until others are done', async () => {
    const runQueued = createMemberQueueRunner({ perMember: 2, total: 3 })
    const task = () => sleep(5, 'done')
    const full = { ok: false, error: 'full' }
    const answers = [
      runQueued(1n, task),
      runQueued(1n, task),
      runQueued(1n, task),
      runQueued(2n, task),
      runQueued(3n, task),
    ]
    const done = { ok: true, value: 'done' }
    expect(await Promise.all(answers)).toEqual([done, done, full, done, full])
    expect(await runQueued(3n, task)).toEqual(done)
  })
})
