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
  /** When the terms were so, by the pool's clock: what this press made is not older. */
  shownAt: z.string(),
  pressedAt: z.number(),
})
export type PledgePress = z.infer<typeof press>

function pressFrom(stored: unknown): PledgePress | null {
  const read = press.safeParse(stored)
  return read.success ? read.data : null
}

/** Presses for a pledge, of which it is not known what came of them. */
export const presses = createPresses({ name: 'pledge', from: pressFrom }, storage, () => Date.now())

type PressTerms = Pick<PledgePress, 'planVersion' | 'quantity' | 'termDays'>

/** Pressing for the same again, while it is not known what came of the first press, is the first press again. */
export const isSamePress = (left: PressTerms, right: PressTerms): boolean =>
  left.planVersion === right.planVersion && left.quantity === right.quantity && left.termDays === right.termDays

/** What is asked for by the type of a pledge is a list of pledges, which the compiler cannot follow. */
export const pledgesIn = (page: DataOf<'order/list'>): readonly PledgeOrder[] =>
  page.type === orderTypes.pledge ? page.items : []

/** The order that a press made, among what the pool lists; the first of them, should there be several alike. */
export const orderOf = (one: PledgePress, orders: readonly PledgeOrder[]): PledgeOrder | undefined =>
  orders
    .filter(
      (order) =>
        isSamePress(one, { ...order, quantity: order.amount }) &&
        order.balancePart === one.balancePart &&
        Date.parse(order.createdAt) >= Date.parse(one.shownAt),
    )
    .sort((left, right) => Date.parse(left.createdAt) - Date.parse(right.createdAt))[0]
