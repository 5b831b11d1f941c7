import { benchAudit } from './audit.ts'
import { benchCompare } from './compare.ts'
import { benchDayClose } from './day-close.ts'
import { benchGrowth } from './growth/growth.ts'
import { benchHistory } from './growth/history.ts'
import { benchLedger } from './ledger.ts'
import { benchLongList } from './long-list.ts'
import { benchPaidOut } from './paid-out.ts'
import { benchPayoutQueue } from './payout-queue.ts'
import { benchPlacement } from './placement.ts'
import { benchPromotion } from './promotion.ts'
import { benchRequests } from './requests.ts'
import { benchSettlement } from './settlement.ts'
import type { Target } from './targets.ts'

export const benches: Readonly<Record<string, () => Promise<Target[]>>> = {
  audit: benchAudit,
  compare: benchCompare,
  'day-close': benchDayClose,
  growth: benchGrowth,
  history: benchHistory,
  ledger: benchLedger,
  'long-list': benchLongList,
  'paid-out': benchPaidOut,
  'payout-queue': benchPayoutQueue,
  placement: benchPlacement,
  promotion: benchPromotion,
  requests: benchRequests,
  settlement: benchSettlement,
}
