import type { Language } from '@lode/wire'
import { useSyncExternalStore } from 'react'
import { session, useSession } from '../session/index.ts'
import { languageFacts } from './languages.ts'
import { lookUpText, type TextFunction } from './text-lookup.ts'
import type { texts as english } from './texts/en.ts'

type Catalogs = Record<Language, () => Promise<{ texts: object }>>

/** Only the texts of the chosen language are loaded. */
const catalogs = {
  en: () => import('./texts/en.ts'),
  zh_tw: () => import('./texts/zh_tw.ts'),
  zh_cn: () => import('./texts/zh_cn.ts'),
} satisfies Catalogs

/** Further texts, for the pages behind the sign-in other than Home. */
const memberCatalogs = {
  en: () => import('./texts/member/en.ts'),
  zh_tw: () => import('./texts/member/zh_tw.ts'),
  zh_cn: () => import('./texts/member/zh_cn.ts'),
} satisfies Catalogs

/** The loaded texts by language. The texts of members' pages are a second catalog of their language. */
const loaded: Record<Language, object[]> = { en: [], zh_tw: [], zh_cn: [] }

const createTextFunction =
  (language: Language): TextFunction =>
  (key, values) =>
    lookUpText(loaded[language], key, values)

/** The texts that are shown. Replaced when the language changes, so that every component renders again. */
let shown = { language: session.get().lang, t: createTextFunction(session.get().lang) }
const listeners = new Set<() => void>()

function showLanguage(language: Language): void {
  shown = { language, t: createTextFunction(language) }
  for (const listener of listeners) listener()
}

/** True once such a page was opened. From then on every language loads these texts too. */
let needsMemberTexts = false
let markStarted = () => {}
const started = new Promise<void>((resolve) => {
  markStarted = resolve
})

/** Must be awaited before a page or a sheet behind the sign-in is shown, except Home. */
export async function loadMemberTexts(): Promise<void> {
  needsMemberTexts = true
  // Begins before the first texts have arrived. A failure is noticed below.
  memberCatalogs[session.get().lang]().catch(() => {})
  await started
  // While the language changes, the old one is still shown, and the new one may already be loaded without these texts.
  const languages = new Set([shown.language, session.get().lang])
  await Promise.all(Array.from(languages, addMemberTexts))
}

const addTexts = async (language: Language): Promise<void> => addCatalog(language, await catalogs[language]())
const addMemberTexts = async (language: Language): Promise<void> =>
  addCatalog(language, await memberCatalogs[language]())

function addCatalog(language: Language, { texts }: { texts: object }): void {
  if (loaded[language].includes(texts)) return
  loaded[language].push(texts)
  if (language === shown.language) showLanguage(language)
}

type I18nOptions = {
  /**
   * Called at the start and after each change, once the new texts are loaded. Gets the value for the page's `lang`
   * attribute.
   */
  readonly onLanguage: (htmlLang: string) => void
  /** The chosen language could not be loaded; the old one stays. */
  readonly onFailure: (error: unknown) => void
}

/** Shows texts in the session's language from now on and follows every change of it. */
export async function startI18n({ onLanguage, onFailure }: I18nOptions): Promise<void> {
  const { lang } = session.get()
  await addTexts(lang)
  showLanguage(lang)
  markStarted()
  onLanguage(languageFacts[lang].htmlLang)

  async function show(language: Language): Promise<void> {
    await Promise.all([addTexts(language), needsMemberTexts && addMemberTexts(language)])
    // A page of members may have been opened meanwhile.
    if (needsMemberTexts) await addMemberTexts(language)
    // The member may have chosen another language while this one was loading.
    if (session.get().lang !== language) return
    showLanguage(language)
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

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const shownTexts = (): TextFunction => shown.t

/** In components: `const t = useText()`, then `t('profile.level')`. Renders again when the language changes. */
export const useText = (): TextFunction => useSyncExternalStore(subscribe, shownTexts, shownTexts)

/** Outside of components: the text in the current language. */
export const text: TextFunction = (key, values) => shown.t(key, values)

export const useLanguage = (): Language => useSession(({ lang }) => lang)
