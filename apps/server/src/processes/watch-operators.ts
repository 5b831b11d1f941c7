import type { Logger } from 'pino'
import type { Hex } from 'viem'
import { formatUtc, type Operators, PAYOUTS_SUBJECT, readPauseEnd } from '../modules/operators/index.ts'
import { type PayerMetrics, writeSignerState } from '../modules/payout/index.ts'
import { readClock } from '../platform/clock/clock.ts'
import type { Database } from '../platform/db/database.ts'

type WatchOptions = {
  readonly operators: Operators
  /** The link of the operator chain that the signer pins. */
  readonly ceremony: Hex | null
  readonly metrics: PayerMetrics
  readonly log: Logger
}

const NOT_PINNED = 'not pinned: OPERATORS_CEREMONY is not set, so approvals and resumes are not obeyed'

/** Reports to `/readyz`, metrics, log and database whether the signer obeys the operators and whether they paused. */
export function watchOperators({ operators, ceremony, metrics, log }: WatchOptions) {
  let pausedUntil: Date | null = null
  if (ceremony === null) log.warn(`The operators are ${NOT_PINNED}`)

  /** Returns the reason why the operator chain stops all payouts, or null. */
  async function check(db: Database): Promise<string | null> {
    const doubt = (await operators.findDoubts(db, [PAYOUTS_SUBJECT])).get(PAYOUTS_SUBJECT) ?? null
    pausedUntil = await readPauseEnd(db, operators, await readClock(db))
    metrics.operatorsPinned.set(ceremony !== null && doubt === null ? 1 : 0)
    metrics.paused.set(pausedUntil === null ? 0 : 1)
    return doubt
  }

  return {
    check,

    /** Does the same as `check`. Also stores, for the api and the command line, that this signer runs and its pin. */
    async report(connection: Database): Promise<string | null> {
      const doubt = await check(connection)
      await writeSignerState(connection, ceremony)
      return doubt
    },

    /** Further entries of `/readyz`. None of them makes the signer unready. */
    notes: (): Readonly<Record<string, string>> => ({
      ...(ceremony === null && { operators: NOT_PINNED }),
      ...(pausedUntil && { payouts: `paused until ${formatUtc(pausedUntil)}` }),
    }),
  }
}
