import type { Asset, Result } from '@lode/kernel'
import { type Failure, failureText } from '../../shared/api/index.ts'
import { formatAmount, formatWholeAmount, wholePlaces } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { toast } from '../../shared/notify/index.ts'
import { useUnstoredPress } from '../../shared/press/index.ts'
import { Button, Note } from '../../shared/ui/index.ts'
import { invalidateOrderQueries } from '../order/index.ts'

type CollectAnswer = { readonly amount: string }

type CollectButtonProps = {
  symbol: Asset
  /** The amount that can be collected, as far as is known. */
  amount: string
  send: (key: string) => Promise<Result<CollectAnswer, Failure>>
  /** Called after success and after a failure. */
  onAnswered: () => unknown
}

/** Collects everything into the balance with one press. */
export function CollectButton({ symbol, amount, send, onAnswered }: CollectButtonProps) {
  const t = useText()
  const { busy, failure, ask } = useUnstoredPress<CollectAnswer>()

  async function collect(): Promise<void> {
    const outcome = await ask(send)
    if (outcome.kind === 'done')
      toast.success(t('pledge.collected', { amount: formatWholeAmount(outcome.value.amount, symbol) }))
    else toast.error(failureText(t, outcome.failure))
    // Also if nothing was left to collect: then the shown amount was stale.
    invalidateOrderQueries()
    await onAnswered()
  }

  return (
    <>
      {failure && <Note tone="rose">{failureText(t, failure)}</Note>}
      <Button tone="quiet" busy={busy} onClick={collect}>
        {t('pledge.collect', { amount: `${formatAmount(amount, wholePlaces(symbol))}\u00a0${symbol}` })}
      </Button>
    </>
  )
}
