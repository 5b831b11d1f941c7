import { type DataOf, orderTypes, routes } from '@lode/wire'
import * as z from 'zod/mini'
import { createPresses } from '../../shared/press/index.ts'
import { storage } from '../../shared/session/index.ts'
import type { PledgeOrder } from '../production/index.ts'

const PRESSED = {
  key: true,
  account: true,
  planVersion: true,
  quantity: true,
  termDays: true,
  balancePart: true,
} as const

const press = z.extend(z.pick(routes['pledge/order'].request, PRESSED), {
  /** When the pool showed these terms, by its clock. An order of this press cannot be older. */
  shownAt: z.string(),
  pressedAt: z.number(),
})
export type PledgePress = z.infer<typeof press>

function pressFrom(stored: unknown): PledgePress | null {
  const read = press.safeParse(stored)
  return read.success ? read.data : null
}

/** Presses for a pledge whose outcome is not known. */
export const presses = createPresses({ name: 'pledge', from: pressFrom }, storage, () => Date.now())

type PressTerms = Pick<PledgePress, 'planVersion' | 'quantity' | 'termDays'>

/** A press with the same terms, while the first one's outcome is unknown, repeats the first one. */
export const isSamePress = (left: PressTerms, right: PressTerms): boolean =>
  left.planVersion === right.planVersion && left.quantity === right.quantity && left.termDays === right.termDays

/** A list of the pledge type contains pledges only. The compiler cannot derive this. */
export const pledgesIn = (page: DataOf<'order/list'>): readonly PledgeOrder[] =>
  page.type === orderTypes.pledge ? page.items : []

/** The order that a press created, found in the pool's list. If several match, the oldest. */
export const orderOf = (one: PledgePress, orders: readonly PledgeOrder[]): PledgeOrder | undefined =>
  orders
    .filter(
      (order) =>
        isSamePress(one, { ...order, quantity: order.amount }) &&
        order.balancePart === one.balancePart &&
        Date.parse(order.createdAt) >= Date.parse(one.shownAt),
    )
    .sort((left, right) => Date.parse(left.createdAt) - Date.parse(right.createdAt))[0]
