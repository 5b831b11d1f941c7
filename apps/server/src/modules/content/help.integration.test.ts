import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Language, languages } from '@lode/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, TEST_ORIGIN, type TestApi, testPool } from '../../testing/api.ts'
import { registerMember, type TestMember } from '../../testing/member.ts'
import { holdCeremony, signInTurn } from '../../testing/operators.ts'
import { type Proposal, storeSignedText } from '../operators/index.ts'
import { type HelpFiles, importHelp, prepareHelp } from './help.ts'
import { readSignedHelp } from './published-help.ts'

let api: TestApi
let member: TestMember
beforeAll(async () => {
  api = await startTestApi()
  member = await registerMember(api)
})
afterAll(() => api.close())

const list = async (lang: Language) =>
  (await api.call('help/list', { account: member.wallet.account, lang }, { token: member.token })).body.data.articles

const HELP_FOLDER = fileURLToPath(import.meta.resolve('../../../help'))
const inEveryLanguage = (filesOf: (lang: Language) => [string, string][]): HelpFiles =>
  Object.fromEntries(languages.map((lang) => [lang, new Map(filesOf(lang))])) as Record<Language, Map<string, string>>
const ownArticles = inEveryLanguage((lang) =>
  readdirSync(`${HELP_FOLDER}/${lang}`).map((name) => [name, readFileSync(`${HELP_FOLDER}/${lang}/${name}`, 'utf8')]),
)

const TITLES = { en: 'The only one', zh_tw: '唯一的一篇', zh_cn: '仅此一篇' }

describe('the help center', () => {
  it('is empty until articles are imported', async () => {
    expect(await list('en')).toEqual([])
  })

  it('has our own articles in three languages, in order', async () => {
    const imported = await importHelp(api.db, ownArticles)
    expect(imported).toEqual({ ok: true, value: ownArticles.en.size })
    const [en, tw, cn] = [await list('en'), await list('zh_tw'), await list('zh_cn')]
    expect(en.map(({ slug }) => slug).slice(0, 2)).toEqual(['how-to-begin', 'what-a-pledge-is'])
    expect(tw.map(({ slug }) => slug)).toEqual(en.map(({ slug }) => slug))
    expect(cn.map(({ slug }) => slug)).toEqual(en.map(({ slug }) => slug))
    expect(en[0]?.title).toBe('How to begin')
  })

  it('is replaced as a whole by an import', async () => {
    const small = inEveryLanguage((lang) => [['01-only.md', `# ${TITLES[lang]}\n\nOne paragraph.`]])
    expect(await importHelp(api.db, small)).toEqual({ ok: true, value: 1 })
    expect(await list('zh_tw')).toEqual([
      {
        slug: 'only',
        title: TITLES.zh_tw,
        blocks: [{ kind: 'paragraph', spans: [{ text: 'One paragraph.', strong: false }] }],
      },
    ])
  })

  it('is not emptied by a signed text without articles', async () => {
    const { alice, bob } = await holdCeremony(api.db, testPool())
    for (const text of ['{}', '{"articles":null}', '{"articles":[]}']) {
      const hash = createHash('sha256').update(text).digest('hex')
      const proposal: Proposal<'publish-help'> = {
        verb: 'publish-help',
        subject: 'help',
        terms: { text: hash },
        needed: 2,
        validHours: 1,
      }
      let decision = 0n
      await signInTurn(api.db, testPool(), proposal, [alice, bob], async (trx, { id }) => {
        decision = id
        await storeSignedText(trx, text)
        return { ok: true, value: null }
      })
      const { rows } = await sql<{ answer: string }>`select lode.publish_help(${decision}) as answer`.execute(api.db)
      expect(rows[0]?.answer).toBe('no-articles')
      expect((await list('en')).map(({ slug }) => slug)).toEqual(['only'])
    }
  })

  it('is compared only with a signed text that could have been prepared', async () => {
    const read = async (text: string) => {
      await storeSignedText(api.db, text)
      return readSignedHelp(api.db, createHash('sha256').update(text).digest('hex'))
    }
    const prepared = prepareHelp(
      inEveryLanguage(() => [['07-fees.md', '# Fees\n\n## More\n\nA **bold** word.\n\n- one\n- two\n\n1. first']]),
    )
    if (!prepared.ok) throw new Error(prepared.error)
    expect(await read(prepared.value.text)).toEqual(prepared.value.articles)
    const [article] = prepared.value.articles
    const strange = [{ slug: 'a\u001b[2J' }, { slug: 7 }, { title: 'a\u202eb' }, { blocks: null }, { lang: 'de' }]
    for (const fields of strange)
      expect(await read(JSON.stringify({ articles: [{ ...article, ...fields }] }))).toBeNull()
    for (const text of ['no JSON', 'null', '[]', '{"articles":null}', '{"articles":[null]}'])
      expect(await read(text)).toBeNull()
  })

  it('is not changed by an import with errors, and the import lists all errors', async () => {
    const files: HelpFiles = {
      en: new Map([
        ['01-one.md', '# One\n\n<b>bold</b>'],
        ['two.md', '# Two\n\nText.'],
      ]),
      zh_tw: new Map([['01-one.md', '# 一\n\n保本。']]),
      zh_cn: new Map([['two.md', '# 二\n\n文字。']]),
    }
    const refusedImport = await importHelp(api.db, files)
    if (refusedImport.ok) throw new Error('it was imported')
    for (const problem of [
      'en/01-one.md: line 3',
      'zh_tw/01-one.md: line 3: promises what nobody can: 保本',
      'zh_cn/01-one.md: is missing',
      'zh_tw/two.md: is missing',
      'two.md: is not a valid file name',
    ])
      expect(refusedImport.error).toContain(problem)
    expect((await list('en')).map(({ slug }) => slug)).toEqual(['only'])
    const long = 'a'.repeat(61)
    const crowded = inEveryLanguage(() => [
      ['06-fees.md', '# Fees\n\nText.'],
      ['07-fees.md', '# Fees\n\nText.'],
      [`08-${long}.md`, '# Long\n\nText.'],
    ])
    for (const answer of [await importHelp(api.db, crowded), prepareHelp(crowded)])
      expect(answer).toMatchObject({
        ok: false,
        error: [
          'The help has errors:',
          '  07-fees.md: has the same name as 06-fees.md, with another number',
          `  08-${long}.md: has a name of more than 60 characters`,
        ].join('\n'),
      })
    const large = inEveryLanguage(() =>
      Array.from({ length: 50 }, (_, index) => [
        `${10 + index}-article-${index}.md`,
        `# Long\n\n${'word '.repeat(1_600)}`,
      ]),
    )
    expect(prepareHelp(large)).toMatchObject({
      ok: false,
      error: expect.stringContaining('All articles together have more than 1000000 characters'),
    })
    expect(
      await importHelp(
        api.db,
        inEveryLanguage(() => []),
      ),
    ).toMatchObject({ ok: false })
    expect((await list('en')).map(({ slug }) => slug)).toEqual(['only'])
  })
})

describe('the share card', () => {
  it('has the member’s invitation code, a link on the pool’s own domain, and the address tail', async () => {
    const { wallet, token } = member
    const input = { account: wallet.account }
    const { inviteCode } = (await api.call('account/profile', input, { token })).body.data
    const card = await api.call('share/card', input, { token, headers: { 'x-forwarded-host': 'evil.example' } })
    expect(card.body.data).toEqual({
      code: inviteCode,
      link: `${TEST_ORIGIN}/regist?invite=${inviteCode}`,
      tail: wallet.account.slice(-6),
    })
  })
})
