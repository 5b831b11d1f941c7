import { ORDER_READS, queryClient } from '../../shared/api/index.ts'

/** An order was made, cancelled or settled: what tells of it is asked for anew. */
export function tellOfOrder(): void {
  for (const name of ORDER_READS) void queryClient.invalidateQueries({ queryKey: [name] })
}
