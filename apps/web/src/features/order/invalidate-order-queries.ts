import { ORDER_READS, queryClient } from '../../shared/api/index.ts'

/** Reads all data again that shows orders. Called after an order was created, canceled or settled. */
export function invalidateOrderQueries(): void {
  for (const name of ORDER_READS) void queryClient.invalidateQueries({ queryKey: [name] })
}
