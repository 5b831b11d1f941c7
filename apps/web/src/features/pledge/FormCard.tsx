import { type FormEvent, useId } from 'react'
import { formatDay, formatWeight, formatWholeAmount } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { AmountField, Card, Pill, Segmented, Skeleton } from '../../shared/ui/index.ts'
import type { PledgeOverview } from '../production/index.ts'
import styles from './pledge.module.css'
import type { PledgeForm } from './use-pledge-form.ts'

type FormCardProps = { id: string; form: PledgeForm; overview: PledgeOverview | undefined; onSubmit: () => void }

/** The form of a pledge: quantity and term, and what follows from them. No forecast of a return. */
export function FormCard({ id, form, overview, onSubmit }: FormCardProps) {
  const t = useText()
  const language = useLanguage()
  const heading = useId()
  const { term } = form
  const plan = overview?.plan
  return (
    <form
      id={id}
      aria-labelledby={heading}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <Card>
        <header className={styles.head}>
          <h2 id={heading}>{t('pledge.new')}</h2>
          {plan && <Pill tone="neutral">{t('order.planVersion', { version: plan.version })}</Pill>}
        </header>
        <AmountField
          ref={form.input}
          label={t('pledge.quantity', { above: form.above ?? '…' })}
          symbol="BTN"
          value={form.text}
          onValue={form.write}
          error={form.error}
          hint={overview && t('order.part.available', { amount: formatWholeAmount(overview.available, 'BTN') })}
          disabled={!plan}
          max={
            form.writeMost ? { text: t('pledge.max'), label: t('pledge.maxLabel'), onMax: form.writeMost } : undefined
          }
        />
        {plan && term ? (
          <Segmented
            label={t('pledge.term')}
            labelHidden
            value={String(term.days)}
            options={plan.terms.map(({ days, weight }) => ({
              value: String(days),
              text: t('pledge.days', { count: days }),
              below: formatWeight(weight),
            }))}
            onValue={(days) => form.choose(Number(days))}
          />
        ) : (
          <div className={styles.waiting} aria-hidden="true" />
        )}
        <p className={styles.lock}>
          {plan && term ? (
            t('pledge.lock', { date: formatDay(plan.startDay + term.days, language) })
          ) : (
            <Skeleton>{t('pledge.lock', { date: '00 Aaa 0000' })}</Skeleton>
          )}
        </p>
      </Card>
    </form>
  )
}
