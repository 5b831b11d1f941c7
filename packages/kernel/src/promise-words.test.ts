import { describe, expect, it } from 'vitest'
import { findPromiseWords } from './promise-words.ts'

describe('a promise of returns', () => {
  it.each([
    ['Guaranteed', 'Guaranteed income, every day'],
    ['guaranteed', 'Nothing here is guaranteed'],
    ['risk-free', 'A risk-free pledge'],
    ['risk free', 'It is risk free'],
    ['zero risk', 'Pledge with zero risk'],
    ['保本', '保本又能領息'],
    ['稳赚', '稳赚不赔'],
    ['穩賺', '穩賺不賠'],
    ['零风险', '零风险质押'],
    ['無風險', '完全無風險'],
    ['保證獲利', '我們保證獲利'],
  ])('is found in %s', (word, text) => {
    expect(findPromiseWords(text)).toEqual([word])
  })

  it.each([
    'Every pledge carries risk, and a day can bring nothing.',
    'What the member pays is exact to the smallest unit.',
    '質押有風險，某些日子可能沒有任何產出。',
    '我们不对收益作任何承诺。',
    '請確認網址，並妥善保管基本資料。',
  ])('is not found in “%s”', (text) => {
    expect(findPromiseWords(text)).toEqual([])
  })
})
