import type { PayoutSettlement } from '../custody/index.ts'
import { concludeReleases } from './conclude-releases.ts'
import { findReleaseOf } from './releases.ts'
import { settlePayouts } from './settle-payouts.ts'
import type { SettlementContext } from './settlement-context.ts'

/** Implements the part of the watcher that ends payouts and releases after final blocks. Only the worker runs it. */
export const createSettlement = (context: SettlementContext): PayoutSettlement => ({
  settle: settlePayouts(context),
  releaseOf: findReleaseOf,
  conclude: concludeReleases(context),
})
