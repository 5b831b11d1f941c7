import { assets } from '@lode/kernel'
import { Suspense } from 'react'
import { lazyComponent } from '../../shared/parts/index.ts'
import type { ViewProps } from '../../shared/routing/index.ts'
import { FormScreen } from './FormScreen.tsx'
import { TransferDetailScreen } from './TransferDetailScreen.tsx'

/** Opened from the form, so the list's code is loaded after the form. */
const RecordsScreen = lazyComponent(async () => (await import('./RecordsScreen.tsx')).RecordsScreen)

/** Shows the form, the records or one transfer, depending on the address. */
export function TransferView({ query }: ViewProps) {
  if (query.id !== undefined) return <TransferDetailScreen id={query.id} />
  if (query.show === 'records')
    return (
      <Suspense fallback={null}>
        <RecordsScreen />
      </Suspense>
    )
  return <FormScreen initialSymbol={assets.find((asset) => asset === query.symbol) ?? 'USDT'} />
}
