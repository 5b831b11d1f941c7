export { PAYMENT_KEYS } from './payment-keys.ts'

import { useStore } from 'zustand'
import { openStorage } from './storage.ts'
import { createSession, type Session } from './store.ts'

export const storage = openStorage(() => globalThis.localStorage)
export const session = createSession(storage)

/** `useSession((s) => s.account)`: renders again only when that part changes. */
export const useSession = <Part>(part: (session: Session) => Part): Part => useStore(session.store, part)

/** Logging in or out in one tab is followed by all. */
export function followOtherTabs(): void {
  window.addEventListener('storage', () => session.followStorage())
}

export type { KeyValueStorage, ListedStorage } from './storage.ts'
