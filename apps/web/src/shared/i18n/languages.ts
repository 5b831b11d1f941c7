import type { Language } from '@lode/wire'

type LanguageFacts = {
  /** The language's name in that language. */
  readonly name: string
  /** The value for the page's `lang` attribute, which screen readers and the choice of fonts use. */
  readonly htmlLang: string
  /** The locale for dates and numbers, and for the server's messages. */
  readonly locale: string
}

export const languageFacts: Record<Language, LanguageFacts> = {
  en: { name: 'English', htmlLang: 'en', locale: 'en-GB' },
  zh_tw: { name: '繁體中文', htmlLang: 'zh-Hant', locale: 'zh-TW' },
  zh_cn: { name: '简体中文', htmlLang: 'zh-Hans', locale: 'zh-CN' },
}
