import { logTypes } from '@lode/wire'
import type { TFunction } from 'i18next'

/** The name of a type of log line. A type that was added after this app was loaded has a general name. */
export function typeText(t: TFunction, type: string): string {
  const knownType = logTypes.find((one) => one === type)
  return t(`wallet.types.${knownType ?? 'undefined'}`)
}
