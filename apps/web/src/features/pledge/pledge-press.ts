import { type DataOf, orderTypes, routes } from '@lode/wire'
import * as z from 'zod/mini'
import { createPressStore } from '../../shared/press/index.ts'
import { storage } from '../../shared/session/index.ts'
import type { PledgeOrder } from '../production/index.ts'

const STORED_FIELDS = {
  key: true,
  account: true,
  planVersion: true,
  quantity: true,
  termDays: true,
  balancePart: true,
} as const

const pressSchema = z.extend(z.pick(routes['pledge/order'].request, STORED_FIELDS), {
  /** When the pool answered with these terms, by the pool's clock. An order of this press cannot be older. */
  shownAt: z.string(),
  pressedAt: z.number(),
})
export type PledgePress = z.infer<typeof pressSchema>

function parsePress(stored: unknown): PledgePress | null {
  const read = pressSchema.safeParse(stored)
  return read.success ? read.data : null
}

/** Presses for a pledge whose outcome is not known. */
export const presses = createPressStore({ name: 'pledge', parse: parsePress }, storage, () => Date.now())

type PressTerms = Pick<PledgePress, 'planVersion' | 'quantity' | 'termDays'>

/**
 * While the outcome of a press is unknown, another press with the same terms repeats it. The order form also compares
 * the part from the balance.
 */
export const isSamePress = (left: PressTerms, right: PressTerms): boolean =>
  left.planVersion === right.planVersion && left.quantity === right.quantity && left.termDays === right.termDays

/** A list of the pledge type contains pledges only. The compiler cannot derive this. */
export const pledgeOrdersIn = (page: DataOf<'order/list'>): readonly PledgeOrder[] =>
  page.type === orderTypes.pledge ? page.items : []

/** The order that a press created, found in the pool's list. If several match, the oldest. */
export const findOrder = (press: PledgePress, orders: readonly PledgeOrder[]): PledgeOrder | undefined =>
  orders
    .filter(
      (order) =>
        isSamePress(press, { ...order, quantity: order.amount }) &&
        order.balancePart === press.balancePart &&
        Date.parse(order.createdAt) >= Date.parse(press.shownAt),
    )
    .sort((left, right) => Date.parse(left.createdAt) - Date.parse(right.createdAt))[0]
