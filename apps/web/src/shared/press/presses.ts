import type { ListedStorage } from '../session/index.ts'

/**
 * One press of a button that moves money, written down before it is sent and until it is known what came of it: the key under
 * which the pool does it at most once, and whatever else its kind knows it by. Never the fund password.
 */
export type Press = {
  readonly key: string
  readonly account: string
  /** When it was last sent, by the clock of this browser. */
  readonly pressedAt: number
}

export type Presses<P extends Press> = ReturnType<typeof createPresses<P>>

const VERSION = 1

/** A day later nobody wonders any more, and the records tell. */
const KEPT_MS = 24 * 3_600_000

type Kind<P extends Press> = {
  /** Of what they are presses: the beginning of their names in the browser's storage. */
  readonly name: string
  /** Null for what is no press of this kind: it may have been edited by hand. */
  readonly from: (stored: unknown) => P | null
}

export function createPresses<P extends Press>({ name, from }: Kind<P>, storage: ListedStorage, now: () => number) {
  const prefixOf = (account: string) => `${name}.${VERSION}.${account.toLowerCase()}.`
  const nameOf = ({ account, key }: Press) => `${prefixOf(account)}${key}`
  const read = (text: string | null): P | null => {
    try {
      return from(JSON.parse(text ?? 'null'))
    } catch {
      return null
    }
  }

  return {
    /** Presses of this account of which it is not known what came of them, oldest first. */
    keptOf: (account: string): P[] =>
      storage
        .keys()
        .filter((key) => key.startsWith(prefixOf(account)))
        .flatMap((key) => {
          const kept = read(storage.getItem(key))
          return kept && now() - kept.pressedAt < KEPT_MS ? [kept] : []
        })
        .sort((left, right) => left.pressedAt - right.pressedAt),

    /** A browser that keeps nothing still sends it: what the pool shows tells what came of it. */
    keep(press: P): void {
      try {
        storage.setItem(nameOf(press), JSON.stringify(press))
      } catch {
        // Full, or closed to us.
      }
    },

    drop: (press: P): void => storage.removeItem(nameOf(press)),
  }
}

/** 128 random bits, as the wire spells keys. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
