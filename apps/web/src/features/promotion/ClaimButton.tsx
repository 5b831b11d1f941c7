import type { DataOf } from '@lode/wire'
import { call, failureText } from '../../shared/api/index.ts'
import { formatWholeAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { toast } from '../../shared/notify/index.ts'
import { useUnstoredPress } from '../../shared/press/index.ts'
import { Button, Note } from '../../shared/ui/index.ts'
import { invalidateOrderQueries } from '../order/index.ts'

type ClaimButtonProps = {
  /** The Thanksgiving rewards that wait, in USDT. */
  pending: string
  /** Called after the answer, also after a refusal: then the shown amount may be stale. */
  onAnswered: () => void
}

/** Claims the waiting Thanksgiving rewards of a sharing expert. */
export function ClaimButton({ pending, onAnswered }: ClaimButtonProps) {
  const t = useText()
  const { busy, failure, ask } = useUnstoredPress<DataOf<'promotion/claim'>>()

  async function claim(): Promise<void> {
    const outcome = await ask((key) => call('promotion/claim', { key }, { quiet: true }))
    if (outcome.kind === 'done') toast.success(t('promotion.claimed'))
    else toast.error(failureText(t, outcome.failure))
    invalidateOrderQueries()
    onAnswered()
  }

  return (
    <>
      {failure && <Note tone="rose">{failureText(t, failure)}</Note>}
      <Button tone="quiet" busy={busy} onClick={claim}>
        {t('promotion.claim', { amount: formatWholeAmount(pending, 'USDT') })}
      </Button>
    </>
  )
}
