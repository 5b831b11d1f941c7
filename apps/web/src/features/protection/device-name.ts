import type { TextFunction } from '../../shared/i18n/index.ts'

type Device = { readonly browser: string | null; readonly system: string | null }

/** `Chrome · Android`, as far as they are known. */
export const deviceName = (t: TextFunction, { browser, system }: Device): string =>
  [browser, system].filter((part) => part !== null).join(' · ') || t('security.sessions.unknown')
