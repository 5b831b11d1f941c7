import { logTypes } from '@lode/wire'
import type { TFunction } from 'i18next'

/** An unknown type was added after this app was loaded. */
export function typeText(t: TFunction, type: string): string {
  const known = logTypes.find((one) => one === type)
  return t(`wallet.types.${known ?? 'undefined'}`)
}
