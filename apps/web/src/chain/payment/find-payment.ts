import { ok, type Result, refused } from '@lode/kernel'
import type { Address, Hex } from 'viem'
import type { BlockSearch } from './block-search.ts'
import type { ChainReader } from './chain-reader.ts'
import type { ChainSnapshot, TransactionSnapshot } from './derive-event.ts'
import type { Payment, SentTransaction } from './payment.ts'
import type { PurposeRules } from './purpose-rules.ts'

/**
 * Looks for a payment on the chain in three ways: by its known hashes, by the log that it leaves, and by its nonce,
 * which only one transaction can use. `takenByOthers` has the transactions of other payments. If one read fails, there
 * is no result at all, because the payment may be in a block that was not searched.
 */
export async function findPayment(
  chain: ChainReader,
  rules: PurposeRules,
  payment: Payment,
  takenByOthers: ReadonlySet<Hex>,
  search: BlockSearch,
): Promise<Result<ChainSnapshot, 'no-node'>> {
  const { intent, fromBlock, sent } = payment
  const traces: TransactionSnapshot[] = []
  for (const { hash } of sent) {
    const trace = await readTransaction(chain, hash)
    if (!trace.ok) return trace
    traces.push(trace.value)
  }
  const isFoundByHash = traces.some(({ receipt, waiting }) => receipt?.success || waiting !== null)
  if (isFoundByHash || fromBlock === null) return ok({ traces, found: null, overtaken: null })

  const paid = await search(chain, fromBlock, (from, to) => rules.findPayments(chain, from, to))
  if (!paid.ok) return paid
  const found = paid.value.find((hash) => !takenByOthers.has(hash) && !sent.some((one) => one.hash === hash)) ?? null
  if (found) return ok({ traces, found, overtaken: null })

  const last = sent.at(-1)
  if (!last || traces.at(-1)?.receipt) return ok({ traces, found: null, overtaken: null })
  const replacement = await findReplacement(chain, intent.account, last, fromBlock)
  if (!replacement.ok) return replacement
  if (replacement.value === null) return ok({ traces, found: null, overtaken: null })
  const { by } = replacement.value
  const transaction = by === null ? null : await chain.transaction(by)
  if (transaction && !transaction.ok) return transaction
  const isSamePayment = transaction?.value ? rules.isPayment(transaction.value) : false
  return ok(
    isSamePayment && by !== null && !takenByOthers.has(by)
      ? { traces, found: by, overtaken: null }
      : { traces, found: null, overtaken: { hash: last.hash, by } },
  )
}

async function readTransaction(chain: ChainReader, hash: Hex): Promise<Result<TransactionSnapshot, 'no-node'>> {
  const receipt = await chain.receipt(hash)
  if (!receipt.ok) return receipt
  if (receipt.value) return ok({ hash, receipt: receipt.value, waiting: null })
  const transaction = await chain.transaction(hash)
  if (!transaction.ok) return transaction
  return ok({ hash, receipt: null, waiting: transaction.value && { nonce: transaction.value.nonce } })
}

/**
 * Finds the transaction that used the nonce of one that the network no longer knows. Null while the nonce is free or
 * unknown. `by` is null if the node cannot tell which transaction it was. The app does not guess a nonce that the
 * network never showed: after a wrong guess it would report a payment as failed that can still arrive.
 */
async function findReplacement(
  chain: ChainReader,
  account: Address,
  { hash, nonce }: SentTransaction,
  fromBlock: number,
): Promise<Result<{ by: Hex | null } | null, 'no-node'>> {
  if (nonce === null) return ok(null)
  const count = await chain.nonce(account, 'latest')
  if (!count.ok) return count
  if (count.value <= nonce) return ok(null)
  const latest = await chain.blockNumber()
  if (!latest.ok) return latest
  const block = await findBlockOfNonce(chain, account, nonce, fromBlock, latest.value)
  if (!block.ok) return block
  if (block.value === null) return ok({ by: null })
  const transactions = await chain.transactionsOf(account, block.value)
  if (!transactions.ok) return transactions
  const replacement = transactions.value.find((one) => one.nonce === nonce)
  // Our own transaction was mined between two of these reads. The next poll sees its receipt.
  if (replacement?.hash === hash) return ok(null)
  return ok({ by: replacement?.hash ?? null })
}

/** The first block after which the account's transaction count is above the nonce. Null if the node cannot tell. */
async function findBlockOfNonce(
  chain: ChainReader,
  account: Address,
  nonce: number,
  fromBlock: number,
  toBlock: number,
): Promise<Result<number | null, 'no-node'>> {
  let [low, high] = [fromBlock, toBlock]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const count = await chain.nonce(account, middle)
    // A node that has pruned the account's older state cannot answer. That is different from being offline.
    if (!count.ok) return (await chain.blockNumber()).ok ? ok(null) : refused('no-node')
    if (count.value > nonce) high = middle
    else low = middle + 1
  }
  return ok(low)
}
