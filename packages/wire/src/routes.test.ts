import { describe, expect, it } from 'vitest'
import { languages } from './enums.ts'
import { isRefusalCode, refusals } from './refusals.ts'
import { routes } from './routes.ts'
import { refusalTexts as en } from './texts/en.ts'
import { refusalTexts as zh_cn } from './texts/zh_cn.ts'
import { refusalTexts as zh_tw } from './texts/zh_tw.ts'

const texts = { en, zh_tw, zh_cn }

describe('the table of routes', () => {
  it.each(Object.entries(routes))('%s has the same name as its path', (name, route) => {
    expect(route.path).toBe(`/${name}`)
  })

  it.each(Object.entries(routes))('%s refuses unknown fields', (_name, route) => {
    expect(
      route.request.safeParse({ surprise: 1 }).error?.issues.some((issue) => issue.code === 'unrecognized_keys'),
    ).toBe(true)
  })

  it.each(Object.entries(routes).filter(([, route]) => route.access !== 'open'))(
    '%s requires the account',
    (_name, route) => {
      expect(Object.keys(route.request.shape)).toContain('account')
    },
  )
})

describe('refusals', () => {
  it.each(languages)('all have a text in %s', (language) => {
    for (const code of Object.keys(refusals))
      expect(texts[language][code as keyof typeof refusals]?.trim(), code).toBeTruthy()
  })

  it('are recognized only by their exact codes', () => {
    expect(isRefusalCode('invite-unknown')).toBe(true)
    expect(isRefusalCode('toString')).toBe(false)
    expect(isRefusalCode(404)).toBe(false)
  })
})
