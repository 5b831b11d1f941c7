import type { Logger } from 'pino'
import type { PayerMetrics } from './metrics.ts'

export type PayerAlarms = ReturnType<typeof createPayerAlarms>

/**
 * Stores why nothing is paid, or why a former payer's release waits. Each new reason is logged once, and `/readyz`
 * reports it. A metric tells whether nothing is paid, without the reason.
 */
export function createPayerAlarms(metrics: PayerMetrics, log: Logger) {
  let trouble: string | null = 'the chain has not been read yet'
  let operatorsTrouble: string | null = null
  let assetTrouble: string | null = null
  let formerPayerTrouble: string | null = null

  const updateStoppedMetric = (): void => metrics.stopped.set(trouble === null && operatorsTrouble === null ? 0 : 1)

  return {
    /** False if something kept the last turn from paying. */
    isPaying: (): boolean => trouble === null,
    isFormerPayerStuck: (): boolean => formerPayerTrouble !== null,

    /** `found` is the reason why nothing is paid, or null. */
    setTrouble(found: string | null): void {
      if (found !== null && found !== trouble) log.error({ reason: found }, 'ALARM: nothing is paid out')
      if (found === null && trouble !== null) log.info('payouts go on')
      trouble = found
      updateStoppedMetric()
    },

    /** The reason why nothing of some assets is paid, or null. The other assets are paid. */
    setAssetTrouble(found: string | null): void {
      if (found !== null && found !== assetTrouble) log.error({ reason: found }, 'ALARM: an asset is not paid out')
      assetTrouble = found
    },

    setOperatorsTrouble(found: string | null): void {
      if (found !== null && found !== operatorsTrouble) log.error({ reason: found }, 'ALARM: nothing is paid out')
      operatorsTrouble = found
      updateStoppedMetric()
    },

    /** The reason why a release of a former payer waits, or null. Other payouts are paid meanwhile. */
    setFormerPayerTrouble(found: string | null): void {
      if (found !== null && found !== formerPayerTrouble)
        log.error({ reason: found }, 'ALARM: a former payer’s release waits')
      formerPayerTrouble = found
    },

    trouble: (): string | null => trouble ?? operatorsTrouble ?? assetTrouble ?? formerPayerTrouble,
  }
}
