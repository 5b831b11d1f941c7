import type { Language } from '@lode/wire'

type LanguageFacts = {
  /** Its name for itself, by which its readers find it. */
  readonly name: string
  /** For the page and for screen readers, and by which the fonts are chosen. */
  readonly htmlLang: string
  /** For dates and numbers, and for the server, which answers in it. */
  readonly locale: string
}

export const languageFacts: Record<Language, LanguageFacts> = {
  en: { name: 'English', htmlLang: 'en', locale: 'en-GB' },
  zh_tw: { name: '繁體中文', htmlLang: 'zh-Hant', locale: 'zh-TW' },
  zh_cn: { name: '简体中文', htmlLang: 'zh-Hans', locale: 'zh-CN' },
}
