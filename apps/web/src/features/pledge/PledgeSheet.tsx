import type { RefusalCode } from '@lode/wire'
import { useState } from 'react'
import { call } from '../../shared/api/index.ts'
import { formatDay, formatWeight, wholeAmount } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Note, Row, Rows } from '../../shared/ui/index.ts'
import { OrderFormSheet } from '../order/index.ts'
import { effectiveOf } from '../production/index.ts'
import styles from './pledge.module.css'
import { isSamePress, presses } from './press.ts'
import type { Preview } from './preview.ts'

type PledgeSheetProps = {
  preview: Preview
  onClose: () => void
  /**
   * Reads everything again and previews the same pledge under the current terms. Null if that is impossible, or if an
   * order is open.
   */
  onLookAgain: () => Promise<Preview | null>
  onMade: (id: string) => void
}

/** Shows what is locked, until when and with which weight, and creates the order. */
export function PledgeSheet({ preview, onClose, onLookAgain, onMade }: PledgeSheetProps) {
  const t = useText()
  const language = useLanguage()
  const [hasChanged, setChanged] = useState(false)
  const { version, quantity, term, startDay, shownAt } = preview
  const asked = { planVersion: version, quantity: String(quantity), termDays: term.days }
  const effective = effectiveOf(quantity * BigInt(term.weight))

  async function react(reason: RefusalCode): Promise<void> {
    switch (reason) {
      case 'plan-changed':
        if (await onLookAgain()) setChanged(true)
        return
      case 'order-open':
      case 'plan-none':
      case 'pledge-minimum':
      case 'pledge-term':
      case 'balance-part-range':
      case 'balance-insufficient':
        await onLookAgain()
        return
      default:
        return
    }
  }

  return (
    <OrderFormSheet
      title={t('pledge.order.title')}
      text={t('pledge.order.text')}
      price={{ label: t('pledge.order.quantity'), symbol: 'BTN', amount: asked.quantity }}
      planVersion={version}
      available={preview.available}
      firstPart={preview.firstPart}
      presses={presses}
      terms={{ ...asked, shownAt }}
      isSame={(kept) => isSamePress(kept, asked)}
      send={(key, means) => {
        setChanged(false)
        return call('pledge/order', { key, ...asked, ...means }, { quiet: true })
      }}
      saidElsewhere={[]}
      onRefused={react}
      onClose={onClose}
      onMade={onMade}
      notes={hasChanged && <Note tone="lode">{t('order.form.planChanged')}</Note>}
    >
      <section className={styles.terms}>
        <Rows>
          <Row label={t('pledge.term')}>
            {t('pledge.days', { count: term.days })} <span className={styles.light}>{formatWeight(term.weight)}</span>
          </Row>
          <Row label={t('pledge.order.effective')}>{wholeAmount(effective, 'BTN')}</Row>
          <Row label={t('pledge.order.begins')}>{formatDay(startDay, language)}</Row>
          <Row label={t('pledge.order.ends')}>{formatDay(startDay + term.days, language)}</Row>
        </Rows>
        <p className={styles.small}>{t('pledge.order.midnight')}</p>
      </section>
      <p className={styles.words}>{t('pledge.order.risk')}</p>
    </OrderFormSheet>
  )
}
