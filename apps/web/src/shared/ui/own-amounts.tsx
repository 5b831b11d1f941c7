import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react'
import { useText } from '../i18n/index.ts'
import { storage } from '../session/index.ts'

const KEY = 'hide-amounts'
const listeners = new Set<() => void>()

const readChoice = (): boolean => storage.getItem(KEY) !== null

/** Whether the member has chosen to hide amounts on this device. Follows the other tabs. */
export const useHidesAmounts = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    window.addEventListener('storage', listener)
    return () => {
      listeners.delete(listener)
      window.removeEventListener('storage', listener)
    }
  }, readChoice)

export function hideAmounts(hides: boolean): void {
  if (hides) storage.setItem(KEY, '1')
  else storage.removeItem(KEY)
  for (const listener of listeners) listener()
}

const Hidden = createContext(false)

/** Amounts inside are the member's own: they are hidden if the member has chosen so. */
export function OwnAmounts({ children }: { children: ReactNode }) {
  return <Hidden.Provider value={useHidesAmounts()}>{children}</Hidden.Provider>
}

/** True for an own amount that must not be shown. */
export const useIsHidden = (): boolean => useContext(Hidden)

/** Stands for an amount that is hidden. A screen reader says that it is hidden. */
export function HiddenAmount() {
  const t = useText()
  return (
    <>
      <span aria-hidden="true">••••</span>
      <span className="visually-hidden">{t('wallet.hidden.amount')}</span>
    </>
  )
}
