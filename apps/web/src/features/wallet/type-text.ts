import { logTypes } from '@lode/wire'
import type { TFunction } from 'i18next'

/** A type that this app does not know is one that was added after it was loaded. */
export function typeText(t: TFunction, type: string): string {
  const known = logTypes.find((one) => one === type)
  return t(`wallet.types.${known ?? 'undefined'}`)
}
