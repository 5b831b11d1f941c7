import { expect, it } from 'vitest'
import { createActivity } from './activity.ts'

it('idle time is counted in whole seconds since the last touch', () => {
  let now = 1_000_000
  const activity = createActivity(() => now)
  expect(activity.idleSeconds()).toBe(0)
  now += 61_999
  expect(activity.idleSeconds()).toBe(61)
  activity.touch()
  expect(activity.idleSeconds()).toBe(0)
})

it('idle time is never negative, even if the clock is set back', () => {
  let now = 1_000_000
  const activity = createActivity(() => now)
  now -= 5_000
  expect(activity.idleSeconds()).toBe(0)
})
