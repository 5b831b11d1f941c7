import type { Logger } from 'pino'
import type { PayerMetrics } from './metrics.ts'

export type PayerAlarms = ReturnType<typeof createPayerAlarms>

/** Remembers why nothing is paid. Each new reason is logged once, shown in the metrics and told by the readiness. */
export function createPayerAlarms(metrics: PayerMetrics, log: Logger) {
  let trouble: string | null = 'the chain has not been looked at yet'
  let operatorsTrouble: string | null = null
  let formerPayerTrouble: string | null = null

  const showStopped = (): void => metrics.stopped.set(trouble === null && operatorsTrouble === null ? 0 : 1)

  return {
    /** Whether the last turn could have paid. */
    isPaying: (): boolean => trouble === null,
    isFormerPayerStuck: (): boolean => formerPayerTrouble !== null,

    /** Null if payouts are paid. */
    setTrouble(found: string | null): void {
      if (found !== null && found !== trouble) log.error({ reason: found }, 'ALARM: nothing is paid out')
      if (found === null && trouble !== null) log.info('payouts go on')
      trouble = found
      showStopped()
    },

    setOperatorsTrouble(found: string | null): void {
      if (found !== null && found !== operatorsTrouble) log.error({ reason: found }, 'ALARM: nothing is paid out')
      operatorsTrouble = found
      showStopped()
    },

    /** A release of a former payer's key waits. Other payouts are paid meanwhile. */
    setFormerPayerTrouble(found: string | null): void {
      if (found !== null && found !== formerPayerTrouble)
        log.error({ reason: found }, 'ALARM: a former payer’s release waits')
      formerPayerTrouble = found
    },

    trouble: (): string | null => trouble ?? operatorsTrouble ?? formerPayerTrouble,
  }
}
