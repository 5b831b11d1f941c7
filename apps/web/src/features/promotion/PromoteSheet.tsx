import type { RefusalCode } from '@lode/wire'
import { useState } from 'react'
import { call } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Note } from '../../shared/ui/index.ts'
import { OrderForm } from '../order/index.ts'
import { LevelRows } from './Ladder.tsx'
import type { PromotionPreview } from './preview.ts'
import styles from './promotion.module.css'
import { isSamePress, presses } from './promotion-press.ts'
import { Shares } from './Shares.tsx'

type PromoteSheetProps = {
  preview: PromotionPreview
  onClose: () => void
  /** Reads all data again and returns a new preview. Null if nothing can be ordered, or if an order is open. */
  onRefreshPreview: () => Promise<PromotionPreview | null>
  onOrderCreated: (id: string) => void
}

/** Shows the price of a promotion, where the money goes and what it gives, and creates the order. */
export function PromoteSheet({ preview, onClose, onRefreshPreview, onOrderCreated }: PromoteSheetProps) {
  const t = useText()
  const [changed, setChanged] = useState<'plan-changed' | 'level-not-next' | null>(null)
  const { version, level, airdropFunded } = preview
  const terms = { planVersion: version, level: level.level }

  async function handleRefusal(reason: RefusalCode): Promise<void> {
    switch (reason) {
      case 'plan-changed':
      case 'level-not-next':
        if (await onRefreshPreview()) setChanged(reason)
        return
      case 'order-open':
      case 'plan-none':
      case 'balance-part-range':
      case 'balance-insufficient':
        await onRefreshPreview()
        return
      default:
        return
    }
  }

  return (
    <OrderForm
      title={t('promotion.order.title', { level: level.level })}
      text={t('promotion.order.text', { power: level.power })}
      price={{ label: t('promotion.order.price'), symbol: 'USDT', amount: level.price }}
      planVersion={version}
      available={preview.available}
      presses={presses}
      terms={terms}
      isSame={(kept) => isSamePress(kept, terms)}
      send={(key, payment) => {
        setChanged(null)
        return call('promotion/order', { key, ...terms, ...payment }, { quiet: true })
      }}
      refusalsShownElsewhere={['level-not-next']}
      onRefused={handleRefusal}
      onClose={onClose}
      onOrderCreated={onOrderCreated}
      notes={
        changed && (
          <Note tone="lode">
            {changed === 'plan-changed' ? t('order.form.planChanged') : t('refusals.level-not-next')}
          </Note>
        )
      }
    >
      <Shares shares={preview.shares} />
      <section className={styles.gets} aria-label={t('promotion.order.gets')}>
        <h3 className={styles.heading}>{t('promotion.order.gets')}</h3>
        <LevelRows level={level} />
      </section>
      {!airdropFunded && <Note tone="lode">{t('promotion.airdropUnfunded')}</Note>}
      <p className={styles.risk}>{t('promotion.order.risk')}</p>
    </OrderForm>
  )
}
