export { PAYMENT_KEY_PREFIX } from './payment-key-prefix.ts'

import { defaultLanguage, type Language } from '@lode/wire'
import { useStore } from 'zustand'
import { deviceId } from './device.ts'
import { openStorage } from './storage.ts'
import { createSession, type Session } from './store.ts'

export const storage = openStorage(() => globalThis.localStorage)
/** prepaint.js found the language of a first visit: that of an invitation link, or of the browser. */
const languageOfPage: Readonly<Record<string, Language>> = { 'zh-Hant': 'zh_tw', 'zh-Hans': 'zh_cn' }
export const session = createSession(
  storage,
  languageOfPage[globalThis.document?.documentElement.lang ?? ''] ?? defaultLanguage,
)

export const thisDevice = (): string => deviceId(storage)

/** `useSession((s) => s.account)`: renders again only when that part changes. */
export const useSession = <Part>(part: (session: Session) => Part): Part => useStore(session.store, part)

/** All tabs follow a sign-in or sign-out in one of them. */
export function followOtherTabs(): void {
  window.addEventListener('storage', () => session.followStorage())
}

export type { KeyValueStorage, ListedStorage } from './storage.ts'
