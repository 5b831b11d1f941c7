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

type Catalogues = Record<Language, () => Promise<{ texts: object }>>

/** Only the texts of the chosen language are loaded. */
const catalogues = {
  en: () => import('./texts/en.ts'),
  zh_tw: () => import('./texts/zh_tw.ts'),
  zh_cn: () => import('./texts/zh_cn.ts'),
} satisfies Catalogues

/** Further texts, for the pages behind the sign-in. */
const cataloguesOfMembers = {
  en: () => import('./texts/member/en.ts'),
  zh_tw: () => import('./texts/member/zh_tw.ts'),
  zh_cn: () => import('./texts/member/zh_cn.ts'),
} satisfies Catalogues

/** True from the first page behind the sign-in on, in every language. */
let isOfMembers = false
let markStarted = () => {}
const started = new Promise<void>((resolve) => {
  markStarted = resolve
})

/** Must be awaited before a page behind the sign-in is shown. */
export async function loadTextsOfMembers(): Promise<void> {
  isOfMembers = true
  await started
  await addTextsOfMembers(session.get().lang)
}

async function addTextsOfMembers(language: Language): Promise<void> {
  const { texts } = await cataloguesOfMembers[language]()
  i18next.addResourceBundle(language, NAMESPACE, texts, true)
}

const NAMESPACE = 'translation'

type Start = {
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
 * cannot lack a key, so a second catalogue would be loaded for nothing.
 */
export async function startI18n({ onLanguage, onFailure }: Start): Promise<void> {
  const { lang } = session.get()
  const { texts } = await catalogues[lang]()
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
    const catalogue = await catalogues[language]()
    i18next.addResourceBundle(language, NAMESPACE, catalogue.texts, true)
    if (isOfMembers) await addTextsOfMembers(language)
    // The member may have chosen another language while this one was loading.
    if (session.get().lang !== language) return
    await i18next.changeLanguage(language)
    onLanguage(languageFacts[language].htmlLang)
  }
  session.subscribe((now, before) => {
    if (now.lang !== before.lang) show(now.lang).catch(onFailure)
  })
}

/** The key of a text about a failed call. */
export type ErrorText = `errors.${keyof typeof english.errors}`

/** In components: `const t = useText()`, then `t('profile.level')`. Renders again when the language changes. */
export const useText = (): TFunction => useTranslation().t

/** Outside of components: the text in the current language. */
export const text: TFunction = i18next.t

export const useLanguage = (): Language => useSession(({ lang }) => lang)
