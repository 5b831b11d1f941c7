import { useRef, useState } from 'react'
import { formatAmount, formatWholeAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import type { PledgeOverview } from '../production/index.ts'
import type { PledgePress } from './pledge-press.ts'
import { buildPledgePreview, type PledgePreview } from './preview.ts'
import { findMaxQuantity, type ParsedQuantity, parsePledgeQuantity } from './quantity.ts'

export type PledgeForm = ReturnType<typeof usePledgeForm>

/** The input of the form, and its messages. */
export function usePledgeForm(overview: PledgeOverview | undefined, decimals: number | undefined) {
  const t = useText()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<number | null>(null)
  const [pressed, setPressed] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  const plan = overview?.plan
  const bounds = plan && decimals !== undefined ? { above: plan.above, decimals } : null
  const quantity = bounds && parsePledgeQuantity(text, bounds)
  const most = bounds && overview ? findMaxQuantity(overview.available, bounds) : null
  const term = plan?.terms.find(({ days }) => days === chosen) ?? plan?.terms[0]

  function errorOf(parsed: ParsedQuantity, above: string): string | undefined {
    switch (parsed.kind) {
      case 'valid':
        return undefined
      case 'empty':
        return pressed ? t('common.amount.empty') : undefined
      case 'format':
        return t('pledge.quantityFormat')
      case 'not-whole':
        return t('pledge.quantityWhole')
      case 'too-few':
        return t('pledge.quantityFew', { above: formatWholeAmount(above, 'BTN') })
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
    buildPreview(): PledgePreview | null {
      setPressed(true)
      if (overview && term && quantity?.kind === 'valid')
        return buildPledgePreview(overview, { quantity: quantity.whole, days: term.days })
      input.current?.focus()
      return null
    },
    /** The preview of an earlier press, if the current plan allows it. */
    buildPreviewAgain({ quantity: again, termDays, balancePart }: PledgePress): PledgePreview | null {
      write(again)
      setChosen(termDays)
      if (!overview || !bounds) return null
      const parsed = parsePledgeQuantity(again, bounds)
      if (parsed.kind !== 'valid') return null
      return buildPledgePreview(overview, { quantity: parsed.whole, days: termDays, initialBalancePart: balancePart })
    },
  }
}
