import { useRef, useState } from 'react'
import { formatAmount, wholeAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import type { Overview } from '../production/index.ts'
import type { PledgePress } from './press.ts'
import { type Preview, previewOf } from './preview.ts'
import { mostOf, type Quantity, quantityOf } from './quantity.ts'

export type PledgeForm = ReturnType<typeof usePledgeForm>

/** The input of the form, and its messages. */
export function usePledgeForm(overview: Overview | undefined, decimals: number | undefined) {
  const t = useText()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<number | null>(null)
  const [pressed, setPressed] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  const plan = overview?.plan
  const bounds = plan && decimals !== undefined ? { above: plan.above, decimals } : null
  const quantity = bounds && quantityOf(text, bounds)
  const most = bounds && overview ? mostOf(overview.available, bounds) : null
  const term = plan?.terms.find(({ days }) => days === chosen) ?? plan?.terms[0]

  function errorOf(read: Quantity, above: string): string | undefined {
    switch (read.kind) {
      case 'taken':
        return undefined
      case 'empty':
        return pressed ? t('common.amount.empty') : undefined
      case 'format':
        return t('pledge.quantityFormat')
      case 'not-whole':
        return t('pledge.quantityWhole')
      case 'too-few':
        return t('pledge.quantityFew', { above: wholeAmount(above, 'BTN') })
    }
  }

  function write(next: string): void {
    setText(next)
    setPressed(false)
  }

  return {
    text,
    write,
    term,
    choose: setChosen,
    error: quantity && plan ? errorOf(quantity, plan.above) : undefined,
    above: plan ? formatAmount(plan.above, { least: 0, most: 36 }) : null,
    writeMost: most === null ? null : () => write(String(most)),
    input,
    /** The preview to confirm. Null if the input is wrong; the field then shows why. */
    propose(): Preview | null {
      setPressed(true)
      if (overview && term && quantity?.kind === 'taken')
        return previewOf(overview, { quantity: quantity.whole, days: term.days })
      input.current?.focus()
      return null
    },
    /** The preview of an earlier press, if the current plan allows it. */
    proposeAgain({ quantity: again, termDays, balancePart }: PledgePress): Preview | null {
      write(again)
      setChosen(termDays)
      if (!overview || !bounds) return null
      const read = quantityOf(again, bounds)
      if (read.kind !== 'taken') return null
      return previewOf(overview, { quantity: read.whole, days: termDays, firstPart: balancePart })
    },
  }
}
