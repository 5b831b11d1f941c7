import { formatAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { ShareBar, ShareSwatch } from '../../shared/ui/index.ts'
import type { PromotionPreview } from './preview.ts'
import styles from './promotion.module.css'

/** Where the money goes: as one bar, and in amounts that add up to the price. */
export function Shares({ shares }: { shares: PromotionPreview['shares'] }) {
  const t = useText()
  const parts = shares.filter(({ basisPoints }) => basisPoints > 0)
  return (
    <section aria-label={t('promotion.order.shares')}>
      <h3 className={styles.heading}>{t('promotion.order.shares')}</h3>
      <ShareBar parts={parts} />
      <dl className={styles.shares}>
        {parts.map(({ part, amount }) => (
          <div key={part} className={styles.share}>
            <dt className={styles.shareName}>
              <ShareSwatch part={part} />
              {t(`dao.parts.${part}`)}
            </dt>
            <dd className={styles.shareAmount}>{formatAmount(amount, { least: 2, most: 36 })}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.small}>{t('promotion.order.sharesText')}</p>
    </section>
  )
}
