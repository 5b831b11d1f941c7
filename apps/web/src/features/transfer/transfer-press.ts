import { type DataOf, orderTypes, routes } from '@lode/wire'
import * as z from 'zod/mini'
import { createPressStore } from '../../shared/press/index.ts'
import { storage } from '../../shared/session/index.ts'

const STORED_FIELDS = {
  key: true,
  account: true,
  planVersion: true,
  address: true,
  symbol: true,
  amount: true,
} as const

/** One press of the button, with the terms that the member saw. */
const pressSchema = z.extend(z.pick(routes['transfer/order'].request, STORED_FIELDS), {
  /** When the pool answered with these terms, by the pool's clock. An order of this press cannot be older. */
  shownAt: z.string(),
  pressedAt: z.number(),
})
export type TransferPress = z.infer<typeof pressSchema>

export function parsePress(stored: unknown): TransferPress | null {
  const read = pressSchema.safeParse(stored)
  return read.success ? read.data : null
}

export const transferPresses = createPressStore({ name: 'transfer', parse: parsePress }, storage, () => Date.now())

export type TransferOrder = DataOf<'transfer/order'>

export const isTransfer = (order: DataOf<'order/detail'> | undefined): order is TransferOrder =>
  order?.type === orderTypes.transferOut

/** A list of the transfer type contains transfers only. The compiler cannot derive this. */
export const transfersIn = (page: DataOf<'order/list'>): readonly TransferOrder[] =>
  page.type === orderTypes.transferOut ? page.items : []

const isSameAddress = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

type PressTerms = Pick<TransferPress, 'planVersion' | 'address' | 'symbol' | 'amount'>

/** While the outcome of a press is unknown, another press with the same terms repeats it. */
export const isSamePress = (left: PressTerms, right: PressTerms): boolean =>
  left.planVersion === right.planVersion &&
  left.symbol === right.symbol &&
  left.amount === right.amount &&
  isSameAddress(left.address, right.address)

/** The order that a press created, found in the pool's list. If several match, the oldest. */
export const findOrder = (press: TransferPress, orders: readonly TransferOrder[]): TransferOrder | undefined =>
  orders
    .filter((order) => isSamePress(press, order) && Date.parse(order.requestedAt) >= Date.parse(press.shownAt))
    .sort((left, right) => Date.parse(left.requestedAt) - Date.parse(right.requestedAt))[0]
