import {
  closeDays,
  connectDatabase,
  createOperators,
  createPlans,
  readPoolHealth,
  returnPledges,
  sealAll,
  sweepSuspense,
} from '@lode/server'
import { urlAs } from '../tuned-postgres.ts'
import { CHAIN_ID, VAULT } from './fill-pool.ts'

/** The worker's jobs that run every minute. Nothing waits for them, so this is what an idle minute costs. */
export type Jobs = {
  readonly run: Readonly<Record<string, () => Promise<unknown>>>
  readonly close: () => Promise<void>
}

/** One connection, so that PostgreSQL reports together what a job touched. */
export function openJobs(ownerUrl: string): Jobs {
  const { db, close } = connectDatabase(urlAs(ownerUrl, 'lode_worker'), { name: 'bench', max: 1, noTimeouts: true })
  const plans = createPlans({ decimals: { USDT: 6, BTN: 18, BTC: 8 }, operators: null })
  const operators = createOperators({ pool: VAULT, chainId: CHAIN_ID, ceremony: null })
  return {
    run: {
      'seal-ledger': () => sealAll(db),
      'sweep-suspense': () => sweepSuspense(db),
      'close-days': () => closeDays(db, { plans, operators }),
      'return-pledges': () => returnPledges(db),
      'pool health': () => readPoolHealth(db, operators, VAULT),
    },
    close,
  }
}
