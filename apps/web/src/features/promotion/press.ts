import { routes } from '@lode/wire'
import * as z from 'zod/mini'
import { createPresses } from '../../shared/press/index.ts'
import { storage } from '../../shared/session/index.ts'
import type { Overview } from './use-promotion.ts'

const PRESSED = { key: true, account: true, planVersion: true, level: true, balancePart: true } as const

const press = z.extend(z.pick(routes['promotion/order'].request, PRESSED), { pressedAt: z.number() })
export type OrderPress = z.infer<typeof press>

function pressFrom(stored: unknown): OrderPress | null {
  const read = press.safeParse(stored)
  return read.success ? read.data : null
}

/** Presses for a promotion whose outcome is not known. */
export const presses = createPresses({ name: 'promotion', from: pressFrom }, storage, () => Date.now())

type PressTerms = Pick<OrderPress, 'planVersion' | 'level'>

/** A press with the same terms, while the first one's outcome is unknown, repeats the first one. */
export const isSamePress = (left: PressTerms, right: PressTerms): boolean =>
  left.planVersion === right.planVersion && left.level === right.level

/** The press arrived: an order for that level is open, or the member holds the level. Neither can exist twice. */
export const hasCome = ({ level }: Pick<OrderPress, 'level'>, overview: Pick<Overview, 'level' | 'open'>): boolean =>
  overview.level >= level || overview.open?.level === level
