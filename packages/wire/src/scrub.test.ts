import { describe, expect, it } from 'vitest'
import { scrub } from './scrub.ts'

describe('a scrubbed text', () => {
  it.each([
    ['an address', 'no account 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', 'no account 0x…'],
    ['a session’s token', 'Bearer 8sJk3-dkq0ZmA9xPq1LbV7tYw2cN5eR', 'Bearer …'],
    ['an invitation code', 'at /regist?invite=7QK2M9X4', 'at /regist?…'],
    ['an order’s id', 'order 3f2504e0-4f89-41d3-9a0c-0305e82c3301 failed', 'order … failed'],
    ['an amount', 'cannot show 12,345.67 USDT', 'cannot show # USDT'],
    ['a mail address', 'hello ann@example.org', 'hello …'],
    ['a name in Chinese', 'member 王小明', 'member …'],
  ])('has lost %s', (_what, text, scrubbed) => {
    expect(scrub(text)).toBe(scrubbed)
  })

  it('still says what failed and where', () => {
    const text = 'TypeError: x is undefined\nat https://pool.example/assets/home-3f9c1d2b.js:12:345'
    expect(scrub(text)).toBe(text)
  })

  it('has a limited length', () => {
    expect(scrub('a b '.repeat(1_000))).toHaveLength(600)
  })
})
