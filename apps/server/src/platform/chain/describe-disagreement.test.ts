import { expect, it } from 'vitest'
import { describeDisagreement } from './describe-disagreement.ts'

const [ada, bo, cy] = ['http://ada', 'http://bo', 'http://cy']
const say = (name: string, answer: unknown) => ({ name, answer })

it('is null if all nodes say the same', () => {
  expect(describeDisagreement('a balance', [say(ada, 5n)])).toBeNull()
  expect(describeDisagreement('a balance', [say(ada, 5n), say(bo, 5n), say(cy, 5n)])).toBeNull()
})

it('tells of two nodes what each said, in any order', () => {
  const text = 'about a balance, the nodes disagree: http://ada says "5"; http://bo says "6"'
  expect(describeDisagreement('a balance', [say(ada, 5n), say(bo, 6n)])).toBe(text)
  expect(describeDisagreement('a balance', [say(bo, 6n), say(ada, 5n)])).toBe(text)
})

it('names the one of three that differs', () => {
  expect(describeDisagreement('a balance', [say(ada, 5n), say(bo, 6n), say(cy, 5n)])).toBe(
    'about a balance, http://bo differs from all other nodes: http://bo says "6"; http://ada and http://cy say "5"',
  )
})

it('names nobody if all three differ, if the others differ too, or if nodes of one origin differ', () => {
  const five = [say(ada, 1), say(bo, 2), say(cy, 2), say('http://di', 3), say('http://ed', 3)]
  expect(describeDisagreement('x', five)).toMatch(/^about x, the nodes disagree: /)
  expect(describeDisagreement('x', [say(ada, 1), say(bo, 2), say(cy, 3)])).toMatch(/^about x, the nodes disagree: /)
  expect(describeDisagreement('x', [say(ada, 1), say(ada, 2)])).toMatch(/^about x, the nodes disagree: /)
})

it('shows of lists only what not all have, and at most three entries of it', () => {
  const logs = Array.from({ length: 9 }, (_, index) => ({ index }))
  expect(describeDisagreement('logs', [say(ada, logs.slice(0, 3)), say(bo, logs)])).toBe(
    'about logs, the nodes disagree: http://ada says nothing more; ' +
      'http://bo says {"index":3}, {"index":4}, {"index":5} and 3 more',
  )
})

it('tells apart nothing and an empty list, and shortens a long answer', () => {
  expect(describeDisagreement('logs', [say(ada, null), say(bo, [])])).toContain('http://ada says null')
  expect(describeDisagreement('code', [say(ada, 'x'.repeat(1_000)), say(bo, '')])?.length).toBeLessThan(500)
})
