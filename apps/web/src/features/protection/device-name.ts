import type { TFunction } from 'i18next'

type Device = { readonly browser: string | null; readonly system: string | null }

/** `Chrome · Android`, as far as they are known. */
export const deviceName = (t: TFunction, { browser, system }: Device): string =>
  [browser, system].filter((part) => part !== null).join(' · ') || t('security.sessions.unknown')
