import type { CSSProperties } from 'react'
import { formatWholeAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { AmountField } from '../../shared/ui/index.ts'
import styles from './BalancePart.module.css'
import { SLIDER_STEPS } from './balance-slider.ts'
import type { BalancePartForm } from './use-balance-part.ts'

type BalancePartProps = {
  form: BalancePartForm
  problem?: string | undefined
  /** True if the wallet is known to hold less than the rest of the price. */
  isWalletShort: boolean
}

/** The part of the price that is paid from the balance: a field and a slider. */
export function BalancePart({ form, problem, isWalletShort }: BalancePartProps) {
  const t = useText()
  const { symbol, canonical, most } = form
  return (
    <div>
      <AmountField
        label={t('order.part.label')}
        symbol={symbol}
        value={form.text}
        onValue={form.write}
        error={form.error ?? problem}
        hint={
          form.available === 0n
            ? t(isWalletShort ? 'order.part.nothing' : 'order.part.empty')
            : t('order.part.available', { amount: formatWholeAmount(canonical(form.available), symbol) })
        }
        disabled={most === 0n}
        max={
          most > 0n ? { text: t('order.part.max'), label: t('order.part.maxLabel'), onMax: form.writeMost } : undefined
        }
      />
      {most > 0n && (
        <input
          type="range"
          className={styles.slider}
          style={{ '--place': `${(form.position / SLIDER_STEPS) * 100}%` } as CSSProperties}
          min={0}
          max={SLIDER_STEPS}
          value={form.position}
          onChange={(event) => form.slide(event.currentTarget.valueAsNumber)}
          aria-label={t('order.part.label')}
          aria-valuetext={formatWholeAmount(canonical(form.part ?? 0n), symbol)}
        />
      )}
    </div>
  )
}
