import { ORDER_READS, queryClient } from '../../shared/api/index.ts'

/** Called when an order was created, canceled or settled. Reads everything again that shows orders. */
export function tellOfOrder(): void {
  for (const name of ORDER_READS) void queryClient.invalidateQueries({ queryKey: [name] })
}
