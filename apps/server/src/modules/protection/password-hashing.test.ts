import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { createPasswordHashing } from './password-hashing.ts'

/** The runs of the real argon2. A task learns of the end of its run only after the next run has started. */
const runs = vi.hoisted(() => ({ underWay: 0, most: 0 }))
vi.mock('@node-rs/argon2', async (importActual) => {
  const actual = await importActual<typeof import('@node-rs/argon2')>()
  const verify: typeof actual.verify = async (...args) => {
    runs.underWay += 1
    runs.most = Math.max(runs.most, runs.underWay)
    try {
      return await actual.verify(...args)
    } finally {
      runs.underWay -= 1
    }
  }
  return { ...actual, verify }
})

it('lets eight tasks wait for the database at once, and refuses tasks when 250 more wait', async () => {
  const hashing = createPasswordHashing(() => {})
  let underWay = 0
  let most = 0
  const task = async () => {
    underWay += 1
    most = Math.max(most, underWay)
    await sleep(1)
    underWay -= 1
  }
  const results = await Promise.all(Array.from({ length: 300 }, () => hashing.runHashingTask(task)))
  expect(most).toBe(8)
  expect(results.filter(({ ok }) => ok)).toHaveLength(258)
})

it('runs argon2 for all tasks that are under way, two at a time', async () => {
  let started = 0
  const hashing = createPasswordHashing(() => {
    started += 1
  })
  const verify = () => hashing.verifyDummy('271828')
  await Promise.all(Array.from({ length: 8 }, () => hashing.runHashingTask(verify)))
  expect(started).toBe(8)
  expect(runs.most).toBe(2)
})
