import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createLines } from './lines.ts'

describe('lines', () => {
  it('run one at a time for each member, in the order in which they came, and those of others beside them', async () => {
    const inLine = createLines({ each: 10, all: 100 })
    const happened: string[] = []
    const task = (name: string, ms: number) => async () => {
      happened.push(`${name} begins`)
      await sleep(ms)
      happened.push(`${name} ends`)
    }
    await Promise.all([inLine(1n, task('first', 20)), inLine(1n, task('second', 1)), inLine(2n, task('other', 1))])
    expect(happened).toEqual([
      ...['first begins', 'other begins', 'other ends', 'first ends'],
      ...['second begins', 'second ends'],
    ])
  })

  it('go on after one that failed, whose caller alone is told', async () => {
    const inLine = createLines({ each: 10, all: 100 })
    const failing = inLine(1n, () => Promise.reject(new Error('broken')))
    const next = inLine(1n, async () => 'next')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toEqual({ ok: true, value: 'next' })
  })

  it('have an end, each and all together, and room again when it was waited out', async () => {
    const inLine = createLines({ each: 2, all: 3 })
    const task = () => sleep(5, 'done')
    const full = { ok: false, error: 'full' }
    const answers = [inLine(1n, task), inLine(1n, task), inLine(1n, task), inLine(2n, task), inLine(3n, task)]
    const done = { ok: true, value: 'done' }
    expect(await Promise.all(answers)).toEqual([done, done, full, done, full])
    expect(await inLine(3n, task)).toEqual(done)
  })
})
