import type { Asset } from '@lode/kernel'
import { payPartnerReward } from '../modules/partner/index.ts'
import { payDueDividends } from '../modules/pledge/index.ts'
import { payWaitingRewards } from '../modules/promotion/index.ts'
import type { Database } from '../platform/db/database.ts'

/** Pays everything into a member's balance that the member can collect in this asset. Returns the amount. */
export async function collectRewards(trx: Database, member: bigint, asset: Asset): Promise<bigint> {
  switch (asset) {
    case 'USDT': {
      // Thanksgiving rewards come first, because places are locked before all other rows.
      const claimed = BigInt((await payWaitingRewards(trx, member))?.amount ?? 0)
      return claimed + (await payPartnerReward(trx, member))
    }
    case 'BTC':
      return payDueDividends(trx, member)
    case 'BTN':
      return 0n
  }
}
