import { assets } from '@lode/kernel'
import type { ViewProps } from '../../shared/routing/index.ts'
import { FormScreen } from './FormScreen.tsx'
import { OrderScreen } from './OrderScreen.tsx'
import { RecordsScreen } from './RecordsScreen.tsx'

/** The form, the records, or one transfer: by what the address asks for. */
export function TransferView({ query }: ViewProps) {
  if (query.id !== undefined) return <OrderScreen id={query.id} />
  if (query.show === 'records') return <RecordsScreen />
  return <FormScreen first={assets.find((asset) => asset === query.symbol) ?? 'USDT'} />
}
