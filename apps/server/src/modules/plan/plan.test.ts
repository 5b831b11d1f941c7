import { describe, expect, it } from 'vitest'
import { exampleText } from '../../testing/plan.ts'
import { burnedOf, quotaAt } from './plan.ts'
import { readPlanText } from './plan-text.ts'

function plan(text = exampleText) {
  const read = readPlanText(text, { USDT: 6, BTN: 18, BTC: 8 })
  if (!read.ok) throw new Error(read.error.join('\n'))
  return read.value.terms
}

describe('the plan', () => {
  it('has a quota for every level, and above the last that of the last', () => {
    expect([0, 1, 5, 9].map((level) => quotaAt(plan(), level).USDT / 1_000_000n)).toEqual([
      100n,
      500n,
      10_000n,
      10_000n,
    ])
  })

  it('burns its part of a fee in BTN, cut off at the last unit, and of no other', () => {
    const odd = plan(exampleText.replace('"destruction": 5000', '"destruction": 3333'))
    expect(burnedOf(odd, 'BTN')).toBe((100n * 10n ** 18n * 3_333n) / 10_000n)
    expect([burnedOf(odd, 'USDT'), burnedOf(odd, 'BTC')]).toEqual([0n, 0n])
  })
})
