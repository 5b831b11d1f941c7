import type { WalletRequest } from '../../chain/payment/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import styles from './NextSteps.module.css'

type NextStepsProps = {
  requests: readonly WalletRequest[]
  /** The amount with its symbol, or the words “the amount” while none is typed. */
  amount: string
  /** The text for what happens after the wallet. */
  last: string
  /** The vault's allowance already covers the amount, so the wallet asks only for the payment. */
  allowed: boolean
}

/** What the wallet will ask, and what follows, in words. */
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

/**
 * Chinese puts a space before and after digits, but not between words. If a word replaces the digits, the spaces are
 * removed.
 */
const withoutGaps = (text: string): string => text.replace(/(\p{Script=Han}) (?=\p{Script=Han})/gu, '$1')
