import { type DataOf, orderTypes, routes } from '@lode/wire'
import * as z from 'zod/mini'
import type { ListedStorage } from '../../shared/session/index.ts'

const PRESSED = { key: true, account: true, planVersion: true, address: true, symbol: true, amount: true } as const

/**
 * One press of the button, written down before it is sent and until it is known what came of it: the key under which the pool
 * does it at most once, and the terms that the member was shown. Never the fund password.
 */
const intent = z.extend(z.pick(routes['transfer/order'].request, PRESSED), {
  /** When the terms were so, by the pool's clock: what this press made is not older. */
  shownAt: z.string(),
  /** When it was last sent, by the clock of this browser. */
  pressedAt: z.number(),
})
export type Intent = z.infer<typeof intent>

const VERSION = 1
const prefixOf = (account: string) => `transfer.${VERSION}.${account.toLowerCase()}.`

/** A day later nobody wonders any more, and the records tell. */
const KEPT_MS = 24 * 3_600_000

export function createIntents(storage: ListedStorage, now: () => number) {
  const nameOf = ({ account, key }: Pick<Intent, 'account' | 'key'>) => `${prefixOf(account)}${key}`

  return {
    /** Presses of this account of which it is not known what came of them, oldest first. */
    keptOf(account: string): Intent[] {
      return storage
        .keys()
        .filter((name) => name.startsWith(prefixOf(account)))
        .flatMap((name) => {
          const kept = intentFrom(storage.getItem(name))
          return kept && now() - kept.pressedAt < KEPT_MS ? [kept] : []
        })
        .sort((left, right) => left.pressedAt - right.pressedAt)
    },

    /** A browser that keeps nothing still sends it: the pool's list shows what came of it. */
    keep(one: Intent): void {
      try {
        storage.setItem(nameOf(one), JSON.stringify(one))
      } catch {
        // Full, or closed to us.
      }
    },

    drop: (one: Pick<Intent, 'account' | 'key'>): void => storage.removeItem(nameOf(one)),
  }
}

function intentFrom(text: string | null): Intent | null {
  try {
    const read = intent.safeParse(JSON.parse(text ?? 'null'))
    return read.success ? read.data : null
  } catch {
    return null
  }
}

export type TransferOrder = DataOf<'transfer/order'>

/** What is asked for by the type of a transfer is a list of transfers, which the compiler cannot follow. */
export const transfersIn = (page: DataOf<'order/list'>): readonly TransferOrder[] =>
  page.type === orderTypes.transferOut ? page.items : []

const same = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

type PressTerms = Pick<Intent, 'planVersion' | 'address' | 'symbol' | 'amount'>

/** Pressing for the same again, while it is not known what came of the first press, is the first press again. */
export const isSamePress = (left: PressTerms, right: PressTerms): boolean =>
  left.planVersion === right.planVersion &&
  left.symbol === right.symbol &&
  left.amount === right.amount &&
  same(left.address, right.address)

/** The order that a press made, among what the pool lists; the first of them, should there be several alike. */
export const orderOf = (one: Intent, orders: readonly TransferOrder[]): TransferOrder | undefined =>
  orders
    .filter((order) => isSamePress(one, order) && Date.parse(order.requestedAt) >= Date.parse(one.shownAt))
    .sort((left, right) => Date.parse(left.requestedAt) - Date.parse(right.requestedAt))[0]

/** 128 random bits, as the wire spells keys. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
