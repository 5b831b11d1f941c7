import { formatAmount, formatWholeAmount } from '../../shared/format/index.ts'
import { type TextFunction, useText } from '../../shared/i18n/index.ts'
import { Note, Row, Rows } from '../../shared/ui/index.ts'
import { orderTitle } from './order-title.ts'
import styles from './promotion.module.css'
import type { PromotionOrder } from './use-promotion-overview.ts'

/** The texts and the outcome of a promotion order. */
export const promotionOrderPresenter = {
  title: (t: TextFunction, order: PromotionOrder) => orderTitle(t, order),
  Outcome,
}

/** The new level, its computing power and its airdrop. */
function Outcome({ order }: { order: PromotionOrder }) {
  const t = useText()
  const { level, power, airdrop } = order
  return (
    <div className={styles.outcome}>
      <p className={styles.newLevel}>{t('promotion.outcome.level', { level })}</p>
      <Rows>
        <Row label={t('promotion.power')}>{t('promotion.powerOf', { power })}</Row>
        <Row label={t('promotion.airdrop')}>
          {airdrop.paid === false ? t('promotion.outcome.notPaid') : formatWholeAmount(airdrop.amount, 'BTN')}
        </Row>
      </Rows>
      {airdrop.paid === false && (
        <Note tone="lode">
          {t('promotion.outcome.airdropEmpty', { amount: formatAmount(airdrop.amount, { least: 0, most: 36 }) })}
        </Note>
      )}
    </div>
  )
}
