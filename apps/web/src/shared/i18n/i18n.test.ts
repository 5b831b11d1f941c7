import { describe, expect, it, vi } from 'vitest'
import { session } from '../session/index.ts'
import { loadTextsOfMembers, startI18n, text } from './i18n.ts'

describe('the language of the app', () => {
  it('is the one of the session, at the start and at every change', async () => {
    const shown: string[] = []
    session.chooseLanguage('zh_cn')
    await startI18n({
      onLanguage: (htmlLang) => void shown.push(htmlLang),
      onFailure: (error) => expect.fail(`${error}`),
    })
    expect(text('errors.missingToken')).toBe('缺少 token，请求被阻止')

    session.chooseLanguage('zh_tw')
    await vi.waitFor(() => expect(text('shell.titles.home')).toBe('首頁'), 10_000)
    session.signIn({ token: 't', account: '0xa', lang: 'en' })
    await vi.waitFor(() => expect(text('shell.titles.home')).toBe('Home'), 10_000)
    expect(shown).toEqual(['zh-Hans', 'zh-Hant', 'en'])
  })

  it('is the last one chosen, whichever arrives last', async () => {
    session.chooseLanguage('zh_tw')
    session.chooseLanguage('zh_cn')
    session.chooseLanguage('en')
    session.chooseLanguage('zh_cn')
    await vi.waitFor(() => expect(text('shell.titles.home')).toBe('首页'), 10_000)
    await new Promise((later) => setTimeout(later, 50))
    expect(text('shell.titles.home')).toBe('首页')
  })

  it('has what the pages of members say once one of them is to be shown, and from then on in every language', async () => {
    expect(text('wallet.fee')).toBe('wallet.fee')
    await loadTextsOfMembers()
    expect(text('wallet.fee')).toBe('手续费')
    session.chooseLanguage('zh_tw')
    await vi.waitFor(() => expect(text('wallet.fee')).toBe('手續費'), 10_000)
  })
})
