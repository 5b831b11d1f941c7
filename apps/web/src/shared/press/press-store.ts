import type { ListedStorage } from '../session/index.ts'

/**
 * One press of a button that moves money. It is stored before it is sent, and removed when its outcome is known. It has
 * the idempotency key and the fields of its kind, but never the fund password.
 */
export type Press = {
  readonly key: string
  readonly account: string
  /** When it was last sent, by this browser's clock. */
  readonly pressedAt: number
}

export type PressStore<P extends Press> = ReturnType<typeof createPressStore<P>>

const VERSION = 1

/** After a day the member's records show the outcome, so older presses are ignored. */
const MAX_AGE_MS = 24 * 3_600_000

type PressKind<P extends Press> = {
  /** The kind of press: the prefix of its keys in the browser's storage. */
  readonly name: string
  /** Parses a stored value. Null if it is not a press of this kind: it may have been edited by hand. */
  readonly parse: (stored: unknown) => P | null
}

export function createPressStore<P extends Press>(
  { name, parse }: PressKind<P>,
  storage: ListedStorage,
  now: () => number,
) {
  const prefixOf = (account: string) => `${name}.${VERSION}.${account.toLowerCase()}.`
  const storageKeyOf = ({ account, key }: Press) => `${prefixOf(account)}${key}`
  const read = (text: string | null): P | null => {
    try {
      return parse(JSON.parse(text ?? 'null'))
    } catch {
      return null
    }
  }

  return {
    /** This account's presses without a known outcome, oldest first. */
    pendingOf: (account: string): P[] =>
      storage
        .keys()
        .filter((key) => key.startsWith(prefixOf(account)))
        .flatMap((key) => {
          const kept = read(storage.getItem(key))
          return kept && now() - kept.pressedAt < MAX_AGE_MS ? [kept] : []
        })
        .sort((left, right) => left.pressedAt - right.pressedAt),

    /** If the browser cannot store it, the press is sent anyway: the pool's lists show the outcome. */
    save(press: P): void {
      try {
        storage.setItem(storageKeyOf(press), JSON.stringify(press))
      } catch {
        // Storage is full or denied.
      }
    },

    remove: (press: P): void => storage.removeItem(storageKeyOf(press)),
  }
}

/** 128 random bits, in the wire's format of keys. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
