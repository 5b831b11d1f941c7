import { useSyncExternalStore } from 'react'
import { storage } from '../session/index.ts'

/** `paper` is light, `shaft` is dark; `system` is what the device says. */
export const themes = ['system', 'paper', 'shaft'] as const
export type Theme = (typeof themes)[number]

const KEY = 'theme'
/** What the browser's own bars are painted with. */
const GROUND = { paper: '#F6F4EF', shaft: '#0F1216' } as const

const listeners = new Set<() => void>()

const chosenTheme = (): Theme => themes.find((theme) => theme === storage.getItem(KEY)) ?? 'system'

function apply(systemIsDark: boolean): void {
  const chosen = chosenTheme()
  const drawn = chosen === 'system' ? (systemIsDark ? 'shaft' : 'paper') : chosen
  document.documentElement.dataset.theme = drawn
  // The page names one for each scheme of the device; from here on the member's choice goes before it.
  for (const bars of document.querySelectorAll('meta[name="theme-color"]')) bars.setAttribute('content', GROUND[drawn])
  for (const listener of listeners) listener()
}

const darkSystem = () => matchMedia('(prefers-color-scheme: dark)')

/** Follows the device and the other tabs from here on. */
export function startTheme(): void {
  const follow = () => apply(darkSystem().matches)
  darkSystem().addEventListener('change', follow)
  window.addEventListener('storage', follow)
  follow()
}

export function chooseTheme(theme: Theme): void {
  storage.setItem(KEY, theme)
  apply(darkSystem().matches)
}

export const useTheme = (): Theme =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, chosenTheme)
