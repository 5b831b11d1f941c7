import { expect, it } from 'vitest'
import { createReloadHold } from './reload-hold.ts'

it('a reload waits until the last hold has ended', () => {
  let reloads = 0
  const page = createReloadHold(() => void reloads++)
  const [first, second] = [page.hold(), page.hold()]
  page.reload()
  first()
  first()
  expect(reloads).toBe(0)
  second()
  expect(reloads).toBe(1)
})

it('a page without a hold reloads at once, and a hold alone reloads nothing', () => {
  let reloads = 0
  const page = createReloadHold(() => void reloads++)
  page.hold()()
  expect(reloads).toBe(0)
  page.reload()
  expect(reloads).toBe(1)
})
