export { PAYMENT_KEY_PREFIX } from './payment-key-prefix.ts'

import { useStore } from 'zustand'
import { deviceId } from './device.ts'
import { openStorage } from './storage.ts'
import { createSession, type Session } from './store.ts'

export const storage = openStorage(() => globalThis.localStorage)
export const session = createSession(storage)

export const thisDevice = (): string => deviceId(storage)

/** `useSession((s) => s.account)`: renders again only when that part changes. */
export const useSession = <Part>(part: (session: Session) => Part): Part => useStore(session.store, part)

/** All tabs follow a sign-in or sign-out in one of them. */
export function followOtherTabs(): void {
  window.addEventListener('storage', () => session.followStorage())
}

export type { KeyValueStorage, ListedStorage } from './storage.ts'
