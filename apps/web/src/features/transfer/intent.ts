import { type DataOf, orderTypes, routes } from '@lode/wire'
import * as z from 'zod/mini'
import { createPresses } from '../../shared/press/index.ts'
import { storage } from '../../shared/session/index.ts'

const PRESSED = { key: true, account: true, planVersion: true, address: true, symbol: true, amount: true } as const

/** One press of the button, with the terms that the member saw. */
const intent = z.extend(z.pick(routes['transfer/order'].request, PRESSED), {
  /** When the pool showed these terms, by its clock. An order of this press cannot be older. */
  shownAt: z.string(),
  pressedAt: z.number(),
})
export type Intent = z.infer<typeof intent>

export function intentFrom(stored: unknown): Intent | null {
  const read = intent.safeParse(stored)
  return read.success ? read.data : null
}

export const intents = createPresses({ name: 'transfer', from: intentFrom }, storage, () => Date.now())

export type TransferOrder = DataOf<'transfer/order'>

/** A list of the transfer type contains transfers only. The compiler cannot derive this. */
export const transfersIn = (page: DataOf<'order/list'>): readonly TransferOrder[] =>
  page.type === orderTypes.transferOut ? page.items : []

const same = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

type PressTerms = Pick<Intent, 'planVersion' | 'address' | 'symbol' | 'amount'>

/** A press with the same terms, while the first one's outcome is unknown, repeats the first one. */
export const isSamePress = (left: PressTerms, right: PressTerms): boolean =>
  left.planVersion === right.planVersion &&
  left.symbol === right.symbol &&
  left.amount === right.amount &&
  same(left.address, right.address)

/** The order that a press created, found in the pool's list. If several match, the oldest. */
export const orderOf = (one: Intent, orders: readonly TransferOrder[]): TransferOrder | undefined =>
  orders
    .filter((order) => isSamePress(one, order) && Date.parse(order.requestedAt) >= Date.parse(one.shownAt))
    .sort((left, right) => Date.parse(left.requestedAt) - Date.parse(right.requestedAt))[0]
