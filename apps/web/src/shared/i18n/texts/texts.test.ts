import { describe, expect, it } from 'vitest'
import { texts as en } from './en.ts'
import { texts as zh_cn } from './zh_cn.ts'
import { texts as zh_tw } from './zh_tw.ts'

describe('texts with a fixed wording', () => {
  it('are unchanged in English', () => {
    expect(en.common.loading).toBe('Loading...')
    expect(en.common.list).toEqual({
      empty: 'No data yet',
      end: 'No more data available',
      more: 'Load more data',
      failed: 'Failed loading more data',
    })
    expect(en.errors).toMatchObject({
      netError: 'NET ERROR!',
      accountNotAvailable: 'Request failed: account not available',
      navigation: 'Navigate page failed',
      copySucceeded: 'Copy successful',
      copyFailed: 'Copy failed',
    })
    expect(en.refusals).toMatchObject({
      'account-disabled': 'Invalid account or disabled account',
      'account-format': 'Invalid account format',
      'invite-format': 'Invalid invitation code format',
      'signature-invalid': 'Signature failed',
      format: 'Please check the input parameters',
    })
    expect(leaves(en.signIn).map(([, words]) => words)).toEqual(
      expect.arrayContaining([
        'Connecting to wallet',
        'Requesting login',
        'Registering account',
        'Requesting wallet signature',
        'Login successful',
        'Login failed',
        'Failed to connect to wallet',
        'Please wait for verification to complete',
        'Non-Ethereum browser detected!',
      ]),
    )
  })

  it('are unchanged in Simplified Chinese', () => {
    expect(zh_cn.errors).toMatchObject({
      noResponse: '网络连接失败，请检查网络设置',
      requestFailed: '请求失败',
      missingToken: '缺少 token，请求被阻止',
      navigation: '页面跳转失败，请重试',
      clipboardUnsupported: '您的浏览器不支持Clipboard API.',
      copySucceeded: '复制成功!',
      copyFailed: '复制失败，请重试.',
    })
    expect(zh_cn.refusals['session-expired']).toBe('登录已过期，请重新登录')
  })
})

function leaves(node: object, path = ''): [string, string][] {
  return Object.entries(node).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}${key}`, value] as [string, string]] : leaves(value, `${path}${key}.`),
  )
}
const variables = (words: string) => (words.match(/\{\{\w+\}\}/g) ?? []).sort()

describe.each([
  ['zh_tw', zh_tw],
  ['zh_cn', zh_cn],
])('the translation %s', (_language, translation) => {
  it('has every text, none of them empty', () => {
    const translated = leaves(translation)
    expect(translated.map(([path]) => path).sort()).toEqual(
      leaves(en)
        .map(([path]) => path)
        // Chinese has no singular.
        .filter((path) => !path.endsWith('_one'))
        .sort(),
    )
    for (const [path, words] of translated) expect(words.trim(), path).not.toBe('')
  })

  it('has the same placeholders', () => {
    const original = new Map(leaves(en))
    for (const [path, words] of leaves(translation))
      expect(variables(words), path).toEqual(variables(original.get(path) ?? ''))
  })
})
