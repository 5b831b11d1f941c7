import { queryClient } from '../../shared/api/index.ts'

/** A transfer was made or taken back: what tells of balances, quotas and transfers is asked for anew. */
export function tellOfMoney(): void {
  for (const name of ['transfer/terms', 'order/list', 'wallet/assets', 'wallet/log'] as const)
    void queryClient.invalidateQueries({ queryKey: [name] })
}
