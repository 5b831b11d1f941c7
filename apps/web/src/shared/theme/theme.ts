import { useSyncExternalStore } from 'react'
import { storage } from '../session/index.ts'

/** `paper` is light, `shaft` is dark, `system` follows the device. */
export const themes = ['system', 'paper', 'shaft'] as const
export type Theme = (typeof themes)[number]

const KEY = 'theme'
/** The colors of the browser's own bars. */
const BAR_COLORS = { paper: '#F6F4EF', shaft: '#0F1216' } as const

const listeners = new Set<() => void>()

const chosenTheme = (): Theme => themes.find((theme) => theme === storage.getItem(KEY)) ?? 'system'

function apply(systemIsDark: boolean): void {
  const chosen = chosenTheme()
  const drawn = chosen === 'system' ? (systemIsDark ? 'shaft' : 'paper') : chosen
  document.documentElement.dataset.theme = drawn
  // The page has one tag for each color scheme of the device. The member's choice now overrides both.
  for (const bars of document.querySelectorAll('meta[name="theme-color"]'))
    bars.setAttribute('content', BAR_COLORS[drawn])
  for (const listener of listeners) listener()
}

const darkSystem = () => matchMedia('(prefers-color-scheme: dark)')

/** From now on, follows the device and the other tabs. */
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
