import { describe, expect, it } from 'vitest'
import {
  type Catalogs,
  findTextProblems,
  findUsageProblems,
  flattenTexts,
  groupArticles,
} from './check-translations.ts'
import { mainlandWordsIn, simplifiedCharactersIn, traditionalCharactersIn } from './chinese-script.ts'

const good: Catalogs = {
  en: { level: 'Level {{level}}', pool: 'Lode' },
  zh_tw: { level: '等級 {{level}}', pool: 'Lode' },
  zh_cn: { level: '等级 {{level}}', pool: 'Lode' },
}
const problemsWith = (change: Partial<Catalogs>) => findTextProblems({ ...good, ...change })

describe('the catalogs', () => {
  it('are accepted if every text exists in every language', () => {
    expect(findTextProblems(good)).toEqual([])
  })

  it.each<[string, Partial<Catalogs>, string]>([
    ['a missing text', { zh_cn: { level: '等级 {{level}}' } }, 'zh_cn: pool is missing'],
    ['a text that English lacks', { zh_tw: { ...good.zh_tw, more: '更多' } }, 'zh_tw: more is not in en'],
    ['an empty text', { zh_cn: { ...good.zh_cn, pool: ' ' } }, 'zh_cn: pool is empty'],
    ['a lost placeholder', { zh_cn: { ...good.zh_cn, level: '等级' } }, 'zh_cn: level has the placeholders none'],
    [
      'another placeholder',
      { zh_cn: { ...good.zh_cn, level: '等级 {{l}}' } },
      'zh_cn: level has the placeholders {{l}}',
    ],
    [
      'English left in Chinese',
      { zh_cn: { ...good.zh_cn, level: 'Level {{level}}' } },
      'zh_cn: level is not translated',
    ],
    ['Simplified in Taiwan', { zh_tw: { ...good.zh_tw, level: '等级 {{level}}' } }, 'zh_tw: level is written with 级'],
    ['Traditional on the mainland', { zh_cn: { ...good.zh_cn, pool: '礦池' } }, 'zh_cn: pool is written with 礦'],
    ['a promise', { en: { ...good.en, pool: 'Guaranteed income' } }, 'en: pool promises what nobody can: Guaranteed'],
    [
      'a promise in Taiwan',
      { zh_tw: { ...good.zh_tw, pool: '穩賺不賠' } },
      'zh_tw: pool promises what nobody can: 穩賺',
    ],
    [
      'a promise on the mainland',
      { zh_cn: { ...good.zh_cn, pool: '保本' } },
      'zh_cn: pool promises what nobody can: 保本',
    ],
    ['a word of the mainland', { zh_tw: { ...good.zh_tw, pool: '登錄' } }, 'zh_tw: pool uses a word of the mainland'],
  ])('may not have %s', (_what, change, problem) => {
    expect(problemsWith(change)).toContainEqual(expect.stringContaining(problem))
  })

  it('need no singular in Chinese', () => {
    expect(
      findTextProblems({
        en: { days_one: '{{count}} day', days_other: '{{count}} days' },
        zh_tw: { days_other: '{{count}} 天' },
        zh_cn: { days_other: '{{count}} 天' },
      }),
    ).toEqual([])
  })

  it('are read as one flat list of keys', () => {
    expect(flattenTexts({ home: { level: 'Level', status: { 400: 'Bad' } } })).toEqual({
      'home.level': 'Level',
      'home.status.400': 'Bad',
    })
  })
})

describe('the help articles', () => {
  it('must exist in every language, in its own script, and promise nothing', () => {
    const files = new Map([
      ['apps/server/help/en/01-risk.md', '# Risk\n\nIt is risk-free.\n'],
      ['apps/server/help/en/02-fees.md', '# Fees\n\nThey are small.\n'],
      ['apps/server/help/zh_tw/01-risk.md', '# 风险\n\n可能沒有產出。\n'],
      ['apps/server/help/zh_tw/02-fees.md', '# 手續費\n\n很少。\n'],
      ['apps/server/help/zh_cn/01-risk.md', '# 风险\n\n稳赚不赔。\n'],
    ])
    expect(findTextProblems(groupArticles(files))).toEqual([
      'en: 01-risk.md promises what nobody can: risk-free',
      'zh_tw: 01-risk.md is written with 风险',
      'zh_cn: 02-fees.md is missing',
      'zh_cn: 01-risk.md promises what nobody can: 稳赚',
    ])
  })
})

describe('a text is used', () => {
  const uses = (source: string) => findUsageProblems({ 'home.level': 'Level' }, new Map([['a.tsx', source]]))

  it.each(["t('home.level')", "const key = 'home.level' as const", `t(\`home.\${name}\`)`])('by %s', (source) => {
    expect(uses(source)).toEqual([])
  })

  it('or reported as unused', () => {
    expect(uses('')).toEqual(['home.level is not used anywhere'])
  })

  it('and an unknown key is reported', () => {
    expect(uses("t('home.level'); t('home.lvl')")).toEqual(['a.tsx: there is no text home.lvl'])
  })
})

describe('the two Chinese scripts', () => {
  it('are told apart', () => {
    expect(simplifiedCharactersIn('請检查網络設定')).toEqual(['检', '络'])
    expect(traditionalCharactersIn('请檢查网络設定')).toEqual(['檢', '設'])
  })

  it('share the characters that both use', () => {
    expect(simplifiedCharactersIn('錢包地址、系統、公里')).toEqual([])
    expect(traditionalCharactersIn('钱包地址、系统、公里')).toEqual([])
  })

  it('have their own words', () => {
    expect(mainlandWordsIn('網絡連線')).toEqual(['網絡 (網路)'])
    expect(mainlandWordsIn('網路連線')).toEqual([])
  })
})
