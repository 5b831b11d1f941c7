import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, type Hex, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { getTransactionReceipt } from 'viem/actions'

const TIMEOUT_MS = 60_000

/**
 * The receipt of a transaction that a development node mines at once. viem's own wait looks again only after another
 * block. If it sees the block just before the receipt exists, and no other block follows, it waits for ever.
 */
export async function waitForReceipt(client: Client, hash: Hex): Promise<TransactionReceipt> {
  const begun = performance.now()
  for (;;) {
    try {
      return await getTransactionReceipt(client, { hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError) || performance.now() - begun > TIMEOUT_MS) throw error
      await sleep(20)
    }
  }
}
