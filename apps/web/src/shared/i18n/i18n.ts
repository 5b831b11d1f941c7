import type { Language } from '@lode/wire'
import i18next, { type TFunction } from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import { session, useSession } from '../session/index.ts'
import { languageFacts } from './languages.ts'
import type { texts as english } from './texts/en.ts'
import type { texts as englishOfMembers } from './texts/member/en.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof english & typeof englishOfMembers }
  }
}

type Catalogs = Record<Language, () => Promise<{ texts: object }>>

/** Only the texts of the chosen language are loaded. */
const catalogs = {
  en: () => import('./texts/en.ts'),
  zh_tw: () => import('./texts/zh_tw.ts'),
  zh_cn: () => import('./texts/zh_cn.ts'),
} satisfies Catalogs

/** Further texts, for the pages behind the sign-in. */
const memberCatalogs = {
  en: () => import('./texts/member/en.ts'),
  zh_tw: () => import('./texts/member/zh_tw.ts'),
  zh_cn: () => import('./texts/member/zh_cn.ts'),
} satisfies Catalogs

/** True once a page behind the sign-in was opened. From then on every language loads these texts too. */
let needsMemberTexts = false
let markStarted = () => {}
const started = new Promise<void>((resolve) => {
  markStarted = resolve
})

/** Must be awaited before a page behind the sign-in is shown. */
export async function loadMemberTexts(): Promise<void> {
  needsMemberTexts = true
  await started
  // While the language changes, the old one is still shown, and the new one may already be loaded without these texts.
  const languages = new Set([i18next.language as Language, session.get().lang])
  await Promise.all(Array.from(languages, addMemberTexts))
}

async function addMemberTexts(language: Language): Promise<void> {
  const { texts } = await memberCatalogs[language]()
  i18next.addResourceBundle(language, NAMESPACE, texts, true)
}

const NAMESPACE = 'translation'

type I18nOptions = {
  /**
   * Called at the start and after each change, once the new texts are loaded. Gets the value for the page's `lang`
   * attribute.
   */
  readonly onLanguage: (htmlLang: string) => void
  /** The chosen language could not be loaded; the old one stays. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Shows texts in the session's language from now on and follows every change of it. `fallbackLng` is off: a translation
 * cannot lack a key, so a second catalog would be loaded for nothing.
 */
export async function startI18n({ onLanguage, onFailure }: I18nOptions): Promise<void> {
  const { lang } = session.get()
  const { texts } = await catalogs[lang]()
  await i18next.use(initReactI18next).init({
    lng: lang,
    fallbackLng: false,
    load: 'currentOnly',
    resources: { [lang]: { [NAMESPACE]: texts } },
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  })
  markStarted()
  onLanguage(languageFacts[lang].htmlLang)

  async function show(language: Language): Promise<void> {
    const catalog = await catalogs[language]()
    i18next.addResourceBundle(language, NAMESPACE, catalog.texts, true)
    if (needsMemberTexts) await addMemberTexts(language)
    // The member may have chosen another language while this one was loading.
    if (session.get().lang !== language) return
    await i18next.changeLanguage(language)
    onLanguage(languageFacts[language].htmlLang)
  }
  session.subscribe((now, before) => {
    if (now.lang !== before.lang) show(now.lang).catch(onFailure)
  })
  // The language may have changed in another tab while the first texts were loading.
  const current = session.get().lang
  if (current !== lang) await show(current).catch(onFailure)
}

/** The key of a text about a failed call. */
export type ErrorText = `errors.${keyof typeof english.errors}`

/** In components: `const t = useText()`, then `t('profile.level')`. Renders again when the language changes. */
export const useText = (): TFunction => useTranslation().t

/** Outside of components: the text in the current language. */
export const text: TFunction = i18next.t

export const useLanguage = (): Language => useSession(({ lang }) => lang)
