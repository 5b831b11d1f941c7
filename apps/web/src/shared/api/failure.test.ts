import { expect, it, vi } from 'vitest'
import { startI18n, text } from '../i18n/index.ts'
import { session } from '../session/index.ts'
import { CallError, errorText, type Failure } from './failure.ts'

it('a failure is shown in the current language, not in the language at the time of the failure', async () => {
  const shown: string[] = []
  await startI18n({
    onLanguage: (htmlLang) => void shown.push(htmlLang),
    onFailure: (error) => expect.fail(`${error}`),
  })
  const refused = {
    kind: 'refused',
    status: 403,
    serverMessage: null,
    otherwise: 'errors.status403',
    fields: {},
  } as const
  const failures: [Failure, en: string, zh_cn: string][] = [
    [
      { kind: 'no-response' },
      'Network connection failed. Please check your network settings.',
      '网络连接失败，请检查网络设置',
    ],
    [{ ...refused, reason: null }, 'Access denied', '拒绝访问'],
    [{ ...refused, reason: null, serverMessage: 'Not today' }, 'Not today', 'Not today'],
    [
      { ...refused, reason: 'invite-format', serverMessage: 'Not today' },
      'Invalid invitation code format',
      '邀请码格式不正确',
    ],
  ]
  for (const [failure, en] of failures) expect(errorText(text, new CallError(failure))).toBe(en)
  session.chooseLanguage('zh_cn')
  await vi.waitFor(() => expect(shown).toEqual(['en', 'zh-Hans']), 10_000)
  for (const [failure, , chinese] of failures) expect(errorText(text, new CallError(failure))).toBe(chinese)
})
