import type { KeyValueStorage } from './storage.ts'

const KEY = 'device'
const ID = /^[A-Za-z0-9_-]{22}$/
const BYTES = 16

/**
 * This browser's random id, made once and kept after a logout. With it the server tells a known browser from a new one,
 * whose transfers it holds for a day. The id contains no personal data.
 */
export function deviceId(storage: KeyValueStorage): string {
  const kept = storage.getItem(KEY)
  if (kept !== null && ID.test(kept)) return kept
  const random = crypto.getRandomValues(new Uint8Array(BYTES))
  const id = btoa(String.fromCharCode(...random))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
  storage.setItem(KEY, id)
  return id
}
