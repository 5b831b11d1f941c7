import { ORDER_READS, queryClient } from '../../shared/api/index.ts'

/**
 * Reads all data again that an order can change, also balances. Called after an order was created, canceled or has
 * ended, and after a member collected or claimed something.
 */
export function invalidateOrderQueries(): void {
  for (const name of ORDER_READS) void queryClient.invalidateQueries({ queryKey: [name] })
}
