import type { Logger } from 'pino'
import type { Hex } from 'viem'
import { formatUtc, type Operators, PAYOUTS_SUBJECT, readPauseEnd } from '../modules/operators/index.ts'
import { type PayerMetrics, writeSignerState } from '../modules/payout/index.ts'
import { readClock } from '../platform/clock/clock.ts'
import type { Database } from '../platform/db/database.ts'

type OperatorsReportOptions = {
  readonly operators: Operators
  /** The link of the operator chain that the signer pins. */
  readonly pinnedLink: Hex | null
  readonly metrics: PayerMetrics
  readonly log: Logger
}

const NOT_PINNED = 'not pinned: OPERATORS_CEREMONY is not set, so approvals and resumes are not obeyed'

/** Reports to `/readyz`, metrics, log and database whether the signer obeys the operators and whether they paused. */
export function createOperatorsReport({ operators, pinnedLink, metrics, log }: OperatorsReportOptions) {
  let pausedUntil: Date | null = null
  if (pinnedLink === null) log.warn(`The operators are ${NOT_PINNED}`)

  /**
   * Updates the pause and the metrics. Returns why a decision about payouts may be missed, so that nothing is paid, or
   * null.
   */
  async function check(db: Database): Promise<string | null> {
    const doubt = (await operators.findDoubts(db, [PAYOUTS_SUBJECT])).get(PAYOUTS_SUBJECT) ?? null
    pausedUntil = await readPauseEnd(db, operators, await readClock(db))
    metrics.operatorsPinned.set(pinnedLink !== null && doubt === null ? 1 : 0)
    metrics.paused.set(pausedUntil === null ? 0 : 1)
    return doubt
  }

  return {
    check,

    /** Does the same as `check`. Also stores, for the api and the command line, that this signer runs and its pin. */
    async report(connection: Database): Promise<string | null> {
      const doubt = await check(connection)
      await writeSignerState(connection, pinnedLink)
      return doubt
    },

    /** Further entries of `/readyz`. None of them makes the signer unready. */
    notes: (): Readonly<Record<string, string>> => ({
      ...(pinnedLink === null && { operators: NOT_PINNED }),
      ...(pausedUntil && { payouts: `paused until ${formatUtc(pausedUntil)}` }),
    }),
  }
}
