import type { RefusalCode } from '@lode/wire'
import { Suspense, useState } from 'react'
import { call } from '../../shared/api/index.ts'
import { formatWeight, formatWholeAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { ErrorBoundary, lazyComponent } from '../../shared/parts/index.ts'
import { Note, Row, Rows } from '../../shared/ui/index.ts'
import { OrderForm } from '../order/index.ts'
import { effectivePledge } from '../production/index.ts'
import { PledgeDateRows } from './PledgeDateRows.tsx'
import styles from './pledge.module.css'
import { isSamePress, presses } from './pledge-press.ts'
import type { PledgePreview } from './preview.ts'

/** Loaded with the sheet, because the page has no room for it in its first download. */
const RealizedDays = lazyComponent(async () => (await import('./RealizedDays.tsx')).RealizedDays)

type PledgeSheetProps = {
  preview: PledgePreview
  onClose: () => void
  /**
   * Reads all data again and returns a preview of the same pledge under the current plan. Null if this pledge can no
   * longer be ordered, or if another order is open.
   */
  onRefreshPreview: () => Promise<PledgePreview | null>
  onOrderCreated: (id: string) => void
}

/** Shows what is locked, until when and with which weight, and creates the order. */
export function PledgeSheet({ preview, onClose, onRefreshPreview, onOrderCreated }: PledgeSheetProps) {
  const t = useText()
  const [hasPlanChanged, setChanged] = useState(false)
  const { version, quantity, term, startDay, shownAt } = preview
  const orderTerms = { planVersion: version, quantity: String(quantity), termDays: term.days }
  const effective = effectivePledge(quantity * BigInt(term.weight))

  async function handleRefusal(reason: RefusalCode): Promise<void> {
    switch (reason) {
      case 'plan-changed':
        if (await onRefreshPreview()) setChanged(true)
        return
      case 'order-open':
      case 'plan-none':
      case 'pledge-minimum':
      case 'pledge-term':
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
      title={t('pledge.order.title')}
      text={t('pledge.order.text')}
      price={{ label: t('pledge.order.quantity'), symbol: 'BTN', amount: orderTerms.quantity }}
      planVersion={version}
      available={preview.available}
      initialBalancePart={preview.initialBalancePart}
      presses={presses}
      terms={{ ...orderTerms, shownAt }}
      isSame={(kept) => isSamePress(kept, orderTerms)}
      send={(key, payment) => {
        setChanged(false)
        return call('pledge/order', { key, ...orderTerms, ...payment }, { quiet: true })
      }}
      refusalsShownElsewhere={[]}
      onRefused={handleRefusal}
      onClose={onClose}
      onOrderCreated={onOrderCreated}
      notes={hasPlanChanged && <Note tone="lode">{t('order.form.planChanged')}</Note>}
    >
      <section className={styles.terms}>
        <Rows>
          <Row label={t('pledge.term')}>
            {t('pledge.days', { count: term.days })} <span className={styles.light}>{formatWeight(term.weight)}</span>
          </Row>
          <Row label={t('pledge.order.effective')}>{formatWholeAmount(effective, 'BTN')}</Row>
          <PledgeDateRows startDay={startDay} days={term.days} />
        </Rows>
        <p className={styles.small}>{t('pledge.order.midnight')}</p>
      </section>
      <ErrorBoundary fallback={null}>
        <Suspense>
          <RealizedDays />
        </Suspense>
      </ErrorBoundary>
      <p className={styles.words}>{t('pledge.order.risk')}</p>
    </OrderForm>
  )
}
