import { logTypes } from '@lode/wire'
import type { TextFunction } from '../../shared/i18n/index.ts'

/** The name of a type of log line. A type that was added after this app was loaded has a general name. */
export function typeText(t: TextFunction, type: string): string {
  const knownType = logTypes.find((one) => one === type)
  return t(`wallet.types.${knownType ?? 'undefined'}`)
}
