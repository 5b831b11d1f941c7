import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createPasswordHashing } from './password-hashing.ts'

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
  let ended = 0
  let most = 0
  const hashing = createPasswordHashing(() => {
    started += 1
    most = Math.max(most, started - ended)
  })
  const verify = async () => {
    await hashing.verifyDummy('271828')
    ended += 1
  }
  await Promise.all(Array.from({ length: 8 }, () => hashing.runHashingTask(verify)))
  expect(started).toBe(8)
  // A run that has ended starts the next one just before its task can count it.
  expect(most).toBeLessThanOrEqual(3)
})
