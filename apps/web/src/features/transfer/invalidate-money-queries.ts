import { queryClient } from '../../shared/api/index.ts'

/** Reads balances, quotas and transfers again. Called after a transfer was created or canceled. */
export function invalidateMoneyQueries(): void {
  for (const name of ['transfer/terms', 'order/list', 'wallet/assets', 'wallet/log', 'account/home'] as const)
    void queryClient.invalidateQueries({ queryKey: [name] })
}
