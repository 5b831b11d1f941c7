import { routes } from '@lode/wire'
import * as z from 'zod/mini'
import { createPressStore } from '../../shared/press/index.ts'
import { storage } from '../../shared/session/index.ts'
import type { PromotionOverview } from './use-promotion-overview.ts'

const STORED_FIELDS = { key: true, account: true, planVersion: true, level: true, balancePart: true } as const

const pressSchema = z.extend(z.pick(routes['promotion/order'].request, STORED_FIELDS), { pressedAt: z.number() })
export type PromotionPress = z.infer<typeof pressSchema>

function parsePress(stored: unknown): PromotionPress | null {
  const read = pressSchema.safeParse(stored)
  return read.success ? read.data : null
}

/** Presses for a promotion whose outcome is not known. */
export const presses = createPressStore({ name: 'promotion', parse: parsePress }, storage, () => Date.now())

type PressTerms = Pick<PromotionPress, 'planVersion' | 'level'>

/**
 * While the outcome of a press is unknown, another press with the same terms repeats it. The order form also compares
 * the part from the balance.
 */
export const isSamePress = (left: PressTerms, right: PressTerms): boolean =>
  left.planVersion === right.planVersion && left.level === right.level

/** Whether the press has arrived: an order for its level is open, or the member holds that level. */
export const hasArrived = (
  { level }: Pick<PromotionPress, 'level'>,
  overview: Pick<PromotionOverview, 'level' | 'open'>,
): boolean => overview.level >= level || overview.open?.level === level
