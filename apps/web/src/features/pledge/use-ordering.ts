import { useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { toast } from '../../shared/notify/index.ts'
import { session } from '../../shared/session/index.ts'
import { openOrder } from '../order/index.ts'
import type { Overview } from '../production/index.ts'
import { presses } from './press.ts'
import { type Preview, previewOf } from './preview.ts'

const keptPresses = () => presses.keptOf(session.get().account ?? '')

/** The pledge that is about to be ordered, and earlier presses without a known outcome. */
export function useOrdering(refetch: () => Promise<{ data: Overview | undefined }>) {
  const t = useText()
  const [preview, setPreview] = useState<Preview | null>(null)
  const [unheard, setUnheard] = useState(keptPresses)

  function close(): void {
    setPreview(null)
    setUnheard(keptPresses())
  }

  /** Previews the same pledge with the current overview. If an order is open, that order is shown instead. */
  async function lookAgain(): Promise<Preview | null> {
    const { data: fresh } = await refetch()
    if (!fresh || !preview) return null
    if (fresh.open) {
      close()
      toast.error(t('refusals.order-open'))
      openOrder(fresh.open.id)
      return null
    }
    const { quantity, term, firstPart } = preview
    const again = previewOf(fresh, { quantity, days: term.days, firstPart })
    if (again) setPreview(again)
    else close()
    return again
  }

  return { preview, propose: setPreview, unheard, close, lookAgain }
}
