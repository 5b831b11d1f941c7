import { findPromiseWords } from '@lode/kernel'
import { describe, expect, it } from 'vitest'
import { texts as en } from './en.ts'
import { texts as memberEn } from './member/en.ts'
import { texts as memberZhCn } from './member/zh_cn.ts'
import { texts as memberZhTw } from './member/zh_tw.ts'
import { texts as zh_cn } from './zh_cn.ts'
import { texts as zh_tw } from './zh_tw.ts'

/** Words of a forecast. "can bring nothing" and "nobody can promise" are no forecasts. */
const FORECASTS =
  /\b(?:you(?:’|')?ll earn|will (?:earn|bring|receive|yield)|would (?:have )?(?:earn|bring|brought|yield)|expected|estimated?|projected|forecast|per year|annual|AP[RY]|yields?|ROI)\b|预计|預計|预期|預期|年化|收益率|将获得|將獲得|可赚|可賺|回报率|回報率/i

const wordsIn = (texts: unknown): string[] =>
  typeof texts === 'string' ? [texts] : Object.values(texts as object).flatMap(wordsIn)

describe.each([
  ['en', en, memberEn],
  ['zh_tw', zh_tw, memberZhTw],
  ['zh_cn', zh_cn, memberZhCn],
] as const)('the texts about income in %s', (_language, { home, pledge }, { income, statement }) => {
  it.each([
    ['what I earned', income],
    ['the statement', statement],
    ['earned and collected on the home page', [home.earned, home.collect, home.production]],
    ['the preview of a pledge', [pledge.order, pledge.realized, pledge.lock]],
  ])('promise and forecast nothing: %s', (_part, texts) => {
    const words = wordsIn(texts)
    expect(words.length).toBeGreaterThan(5)
    expect(words.flatMap((text) => findPromiseWords(text))).toEqual([])
    expect(words.filter((text) => FORECASTS.test(text))).toEqual([])
  })
})

describe('a forecast', () => {
  it.each(['You will earn 2 BTC', 'Estimated income', '12% APY', '預計每日收入', '年化 20%'])(
    'is found in “%s”',
    (text) => {
      expect(FORECASTS.test(text)).toBe(true)
    },
  )
})
