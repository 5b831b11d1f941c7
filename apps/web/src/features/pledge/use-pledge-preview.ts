import { useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { toast } from '../../shared/notify/index.ts'
import { session } from '../../shared/session/index.ts'
import { showOrder } from '../order/index.ts'
import type { PledgeOverview } from '../production/index.ts'
import { presses } from './pledge-press.ts'
import { buildPledgePreview, type PledgePreview } from './preview.ts'

const loadKeptPresses = () => presses.pendingOf(session.get().account ?? '')

/** The preview of the pledge that the member is about to order, and the lost presses. */
export function usePledgePreview(refetch: () => Promise<{ data: PledgeOverview | undefined }>) {
  const t = useText()
  const [preview, setPreview] = useState<PledgePreview | null>(null)
  const [lostPresses, setLostPresses] = useState(loadKeptPresses)

  function close(): void {
    setPreview(null)
    setLostPresses(loadKeptPresses())
  }

  /** Builds the preview of the same pledge again from new data. If another order is open, shows that order instead. */
  async function refresh(): Promise<PledgePreview | null> {
    const { data: fresh } = await refetch()
    if (!fresh || !preview) return null
    if (fresh.open) {
      close()
      toast.error(t('refusals.order-open'))
      showOrder(fresh.open.id)
      return null
    }
    const { quantity, term, initialBalancePart } = preview
    const again = buildPledgePreview(fresh, { quantity, days: term.days, initialBalancePart })
    if (again) setPreview(again)
    else close()
    return again
  }

  return { preview, show: setPreview, lostPresses, close, refresh }
}
