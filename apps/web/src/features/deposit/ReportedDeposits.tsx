import type { Asset } from '@lode/kernel'
import { useQuery } from '@tanstack/react-query'
import { read, useChain } from '../../shared/api/index.ts'
import { formatMoment, formatWholeAmount } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Note, TransactionLink, useIsHidden } from '../../shared/ui/index.ts'

type ReportedDepositsProps = {
  symbol: Asset
  /** Transactions that this browser follows itself. They are left out. */
  known?: ReadonlySet<string>
}

/** Deposits that one of the member's browsers has sent and that the pool has not seen on the chain yet. */
export function ReportedDeposits({ symbol, known }: ReportedDepositsProps) {
  const t = useText()
  const language = useLanguage()
  const { data: chain } = useChain()
  const isHidden = useIsHidden()
  const { data } = useQuery({
    ...read('wallet/sent', { symbol }),
    meta: { quiet: true },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.items.length ? 5_000 : 30_000),
  })
  return data?.items
    .filter(({ tx }) => !known?.has(tx))
    .map(({ tx, amount, at }) => (
      <Note key={tx} tone="sky">
        <p>
          {t('deposit.reported', {
            amount: isHidden ? symbol : formatWholeAmount(amount, symbol),
            time: formatMoment(at, language),
          })}
        </p>
        {chain && <TransactionLink hash={tx} explorerUrl={chain.explorerUrl} />}
      </Note>
    ))
}
