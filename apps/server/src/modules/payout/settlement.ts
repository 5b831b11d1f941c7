import type { Settlement } from '../custody/index.ts'
import { concludeReleases } from './conclude-releases.ts'
import { settlePayouts } from './settle-payouts.ts'
import type { SettlementContext } from './settlement-context.ts'

/** What the worker concludes from final blocks about payouts and releases. Only the worker runs this. */
export const createSettlement = (context: SettlementContext): Settlement => ({
  settle: settlePayouts(context),
  conclude: concludeReleases(context),
})
