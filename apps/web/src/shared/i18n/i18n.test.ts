import { describe, expect, it, vi } from 'vitest'
import { session } from '../session/index.ts'
import { loadMemberTexts, startI18n, text } from './i18n.ts'

describe('the language of the app', () => {
  it('is the language of the session, at the start and after every change', async () => {
    const shown: string[] = []
    session.chooseLanguage('zh_cn')
    await startI18n({
      onLanguage: (htmlLang) => void shown.push(htmlLang),
      onFailure: (error) => expect.fail(`${error}`),
    })
    expect(text('errors.missingToken')).toBe('缺少 token，请求被阻止')

    session.chooseLanguage('zh_tw')
    await vi.waitFor(() => expect(text('shell.titles.login')).toBe('登入'), 10_000)
    session.signIn({ token: 't', account: '0xa', lang: 'en' })
    await vi.waitFor(() => expect(text('shell.titles.login')).toBe('Sign in'), 10_000)
    expect(shown).toEqual(['zh-Hans', 'zh-Hant', 'en'])
  })

  it('is the last one chosen, even if another loads later', async () => {
    session.chooseLanguage('zh_tw')
    session.chooseLanguage('zh_cn')
    session.chooseLanguage('en')
    session.chooseLanguage('zh_cn')
    await vi.waitFor(() => expect(text('shell.titles.login')).toBe('登录'), 10_000)
    await new Promise((later) => setTimeout(later, 50))
    expect(text('shell.titles.login')).toBe('登录')
  })

  it('has the texts of most members’ pages after the first of them loads, then in every language', async () => {
    expect(text('transfer.fee')).toBe('transfer.fee')
    await loadMemberTexts()
    expect(text('transfer.fee')).toBe('手续费')
    session.chooseLanguage('zh_tw')
    await vi.waitFor(() => expect(text('transfer.fee')).toBe('手續費'), 10_000)
  })
})

describe('a language that changes while the app starts', () => {
  it('is shown, and no page shows a key instead of its text', async () => {
    vi.resetModules()
    const { session: newSession } = await import('../session/index.ts')
    const app = await import('./i18n.ts')
    const shown: string[] = []
    newSession.chooseLanguage('en')
    const started = app.startI18n({
      onLanguage: (htmlLang) => void shown.push(htmlLang),
      onFailure: (error) => expect.fail(`${error}`),
    })
    newSession.chooseLanguage('zh_tw')
    await app.loadMemberTexts()
    expect(app.text('transfer.fee')).toMatch(/^(Fee|手續費)$/)
    await started
    expect(app.text('transfer.fee')).toBe('手續費')
    expect(shown).toEqual(['en', 'zh-Hant'])
  })
})

describe('a text with a count', () => {
  const minutes = (count: number) => text('wallet.seen', { count })
  const lines = (count: number) => text('wallet.csv.made', { count })

  it('has a singular and a plural in English', async () => {
    await loadMemberTexts()
    session.chooseLanguage('en')
    await vi.waitFor(() => expect(lines(2)).toBe('2 lines.'), 10_000)
    expect(lines(1)).toBe('1 line.')
    expect(lines(0)).toBe('0 lines.')
    expect(minutes(1)).toBe('Detected; usually final in about a minute.')
    expect(minutes(15)).toBe('Detected; usually final in about 15 minutes.')
  })

  it.each([
    ['zh_tw', '共 1 筆。', '共 2 筆。'],
    ['zh_cn', '共 1 条。', '共 2 条。'],
  ] as const)('has one form in %s', async (language, one, two) => {
    session.chooseLanguage(language)
    await vi.waitFor(() => expect(lines(1)).toBe(one), 10_000)
    expect(lines(2)).toBe(two)
  })
})
