import type { Aim } from './aims.ts'
import { benchCompare } from './compare.ts'
import { benchDayClose } from './day-close.ts'
import { benchLedger } from './ledger.ts'
import { benchPlacement } from './placement.ts'
import { benchPromotion } from './promotion.ts'

export const benches: Readonly<Record<string, () => Promise<Aim[]>>> = {
  compare: benchCompare,
  'day-close': benchDayClose,
  ledger: benchLedger,
  placement: benchPlacement,
  promotion: benchPromotion,
}
