import type { Aim } from './aims.ts'
import { benchLedger } from './ledger.ts'
import { benchPlacement } from './placement.ts'
import { benchPromotion } from './promotion.ts'

export const benches: Readonly<Record<string, () => Promise<Aim[]>>> = {
  ledger: benchLedger,
  placement: benchPlacement,
  promotion: benchPromotion,
}
