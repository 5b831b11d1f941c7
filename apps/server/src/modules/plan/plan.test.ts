import { describe, expect, it } from 'vitest'
import { examplePlanText } from '../../testing/plan.ts'
import { burnedFee, quotaAt } from './plan.ts'
import { parsePlanText } from './plan-text.ts'

function plan(text = examplePlanText) {
  const read = parsePlanText(text, { USDT: 6, BTN: 18, BTC: 8 })
  if (!read.ok) throw new Error(read.error.join('\n'))
  return read.value.terms
}

describe('the plan', () => {
  it('has a quota for every level; above the last level, that of the last', () => {
    expect([0, 1, 5, 9].map((level) => quotaAt(plan(), level).USDT / 1_000_000n)).toEqual([
      100n,
      500n,
      10_000n,
      10_000n,
    ])
  })

  it('burns its part of a fee in BTN, rounded down, and nothing of other fees', () => {
    const odd = plan(examplePlanText.replace('"destruction": 5000', '"destruction": 3333'))
    expect(burnedFee(odd, 'BTN')).toBe((100n * 10n ** 18n * 3_333n) / 10_000n)
    expect([burnedFee(odd, 'USDT'), burnedFee(odd, 'BTC')]).toEqual([0n, 0n])
  })
})
