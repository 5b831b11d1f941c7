import type { Settlement } from '../custody/index.ts'
import { concludeReleases } from './conclude-releases.ts'
import { settlePayouts } from './settle-payouts.ts'
import type { SettlementContext } from './settlement-context.ts'

/** What the worker, and only the worker, concludes from final blocks about payouts and releases. */
export const createSettlement = (context: SettlementContext): Settlement => ({
  settle: settlePayouts(context),
  conclude: concludeReleases(context),
})
