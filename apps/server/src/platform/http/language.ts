import { defaultLanguage, type Language, type RefusalCode, type RefusalTexts } from '@lode/wire'
import { refusalTexts as en } from '@lode/wire/texts/en'
import { refusalTexts as zh_cn } from '@lode/wire/texts/zh_cn'
import { refusalTexts as zh_tw } from '@lode/wire/texts/zh_tw'

const texts: Record<Language, RefusalTexts> = { en, zh_tw, zh_cn }

export const refusalText = (language: Language, code: RefusalCode): string => texts[language][code]

/** The app sends exactly one language. A browser or a tool sends a list, of which the first supported one counts. */
export function languageOf(acceptLanguage: string | undefined): Language {
  for (const entry of (acceptLanguage ?? '').slice(0, 200).toLowerCase().split(',')) {
    const tag = entry.split(';', 1)[0]?.trim() ?? ''
    if (/^zh-(tw|hk|mo|hant)\b/.test(tag)) return 'zh_tw'
    if (/^zh\b/.test(tag)) return 'zh_cn'
    if (/^en\b/.test(tag)) return 'en'
  }
  return defaultLanguage
}
