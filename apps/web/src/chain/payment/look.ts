import { ok, type Result, refused } from '@lode/kernel'
import type { Address, Hex } from 'viem'
import type { Sight, Trace } from './judge.ts'
import type { Payment, Sent } from './payment.ts'
import type { PurposeRules } from './purpose-rules.ts'
import type { Chain } from './reads.ts'
import type { Search } from './search.ts'

/**
 * Looks for a payment on the chain in three ways: by its known hashes, by the log that it leaves, and by its nonce,
 * which only one transaction can use. `taken` holds the transactions of other payments. If one read fails, there is no
 * result at all: blocks that were not searched are not known to be empty.
 */
export async function look(
  chain: Chain,
  rules: PurposeRules,
  payment: Payment,
  taken: ReadonlySet<Hex>,
  search: Search,
): Promise<Result<Sight, 'no-node'>> {
  const { intent, fromBlock, sent } = payment
  const traces: Trace[] = []
  for (const { hash } of sent) {
    const trace = await traceOf(chain, hash)
    if (!trace.ok) return trace
    traces.push(trace.value)
  }
  const settled = traces.some(({ receipt, waiting }) => receipt?.success || waiting !== null)
  if (settled || fromBlock === null) return ok({ traces, found: null, overtaken: null })

  const paid = await search(chain, fromBlock, (from, to) => rules.findPaid(chain, from, to))
  if (!paid.ok) return paid
  const found = paid.value.find((hash) => !taken.has(hash) && !sent.some((one) => one.hash === hash)) ?? null
  if (found) return ok({ traces, found, overtaken: null })

  const last = sent.at(-1)
  if (!last || traces.at(-1)?.receipt) return ok({ traces, found: null, overtaken: null })
  const rival = await rivalOf(chain, intent.account, last, fromBlock)
  if (!rival.ok) return rival
  if (rival.value === null) return ok({ traces, found: null, overtaken: null })
  const { by } = rival.value
  const transaction = by === null ? null : await chain.transaction(by)
  if (transaction && !transaction.ok) return transaction
  const isSame = transaction?.value ? rules.isPayment(transaction.value) : false
  return ok(
    isSame && by !== null && !taken.has(by)
      ? { traces, found: by, overtaken: null }
      : { traces, found: null, overtaken: { hash: last.hash, by } },
  )
}

async function traceOf(chain: Chain, hash: Hex): Promise<Result<Trace, 'no-node'>> {
  const receipt = await chain.receipt(hash)
  if (!receipt.ok) return receipt
  if (receipt.value) return ok({ hash, receipt: receipt.value, waiting: null })
  const transaction = await chain.transaction(hash)
  if (!transaction.ok) return transaction
  return ok({ hash, receipt: null, waiting: transaction.value && { nonce: transaction.value.nonce } })
}

/**
 * Finds the transaction that replaced one that the network no longer knows. Null while the nonce is free or unknown. A
 * nonce that the network never showed is not guessed: a wrong guess would report a payment as failed that can still
 * arrive.
 */
async function rivalOf(
  chain: Chain,
  account: Address,
  { hash, nonce }: Sent,
  fromBlock: number,
): Promise<Result<{ by: Hex | null } | null, 'no-node'>> {
  if (nonce === null) return ok(null)
  const count = await chain.nonce(account, 'latest')
  if (!count.ok) return count
  if (count.value <= nonce) return ok(null)
  const latest = await chain.blockNumber()
  if (!latest.ok) return latest
  const place = await blockOfNonce(chain, account, nonce, fromBlock, latest.value)
  if (!place.ok) return place
  if (place.value === null) return ok({ by: null })
  const there = await chain.transactionsOf(account, place.value)
  if (!there.ok) return there
  const rival = there.value.find((one) => one.nonce === nonce)
  // It is our own transaction, mined between two of these reads. The next look sees its receipt.
  if (rival?.hash === hash) return ok(null)
  return ok({ by: rival?.hash ?? null })
}

/** The block that used up a nonce: the first block after which the account's transaction count is higher. */
async function blockOfNonce(
  chain: Chain,
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
