import type { Request } from '../../chain/payment/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import styles from './NextSteps.module.css'

type NextStepsProps = {
  requests: readonly Request[]
  /** How much, in words. */
  amount: string
  /** What comes after the wallet. */
  last: string
  /** The vault may take that much already, so that the wallet asks only for the payment. */
  allowed: boolean
}

/** What the wallet will ask, in words, and what follows. */
export function NextSteps({ requests, amount, last, allowed }: NextStepsProps) {
  const t = useText()
  return (
    <section className={styles.next} aria-label={t('deposit.next')}>
      <h3 className={styles.title}>{t('deposit.next')}</h3>
      <ol className={styles.steps}>
        {requests.map((request) => (
          <li key={request}>{withoutGaps(t(`deposit.nextSteps.${request}`, { amount }))}</li>
        ))}
        <li>{last}</li>
      </ol>
      {allowed && <p className={styles.small}>{t('deposit.allowed')}</p>}
    </section>
  )
}

/** Chinese sets figures apart by a space, and words not: where words stand for the figures, the space goes. */
const withoutGaps = (text: string): string => text.replace(/(\p{Script=Han}) (?=\p{Script=Han})/gu, '$1')
