import { findPromiseWords } from '@lode/kernel'
import { describe, expect, it } from 'vitest'
import { composeWords } from './reversal-notice.ts'

const row = {
  id: 1n,
  asset: 'USDT',
  amount: '300500000',
  note: 'no such deposit',
  due_at: new Date('2026-11-20T19:30:00Z'),
} as const
const decimals = { USDT: 6, BTN: 18, BTC: 8 }
const textsOf = (ended: 'posted' | 'caused' | null) =>
  Object.values(composeWords({ ...row, ended }, decimals)).map(({ title, body }) => [title, ...body].join('\n'))

describe('the notice of a reversal', () => {
  it('says in each language what will be undone, when and why', () => {
    for (const text of textsOf(null)) {
      expect(text).toContain('300.5 USDT')
      expect(text).toContain('2026-11-20 19:30 UTC')
      expect(text).toContain('no such deposit')
    }
  })

  it('says afterwards whether it was undone, without words of promise', () => {
    const all = ([null, 'posted', 'caused'] as const).flatMap(textsOf)
    expect(new Set(all).size).toBe(9)
    expect(all.flatMap((text) => findPromiseWords(text))).toEqual([])
  })
})
