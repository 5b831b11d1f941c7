import { queryClient } from '../../shared/api/index.ts'

/** Called when a transfer was created or canceled. Reads balances, quotas and transfers again. */
export function tellOfMoney(): void {
  for (const name of ['transfer/terms', 'order/list', 'wallet/assets', 'wallet/log'] as const)
    void queryClient.invalidateQueries({ queryKey: [name] })
}
