import { ok, type Result, refused } from '@lode/kernel'
import type { Address, Hex } from 'viem'
import type { Sight, Trace } from './judge.ts'
import type { Payment, Sent } from './payment.ts'
import type { PurposeRules } from './purpose-rules.ts'
import type { Chain } from './reads.ts'
import type { Search } from './search.ts'

/**
 * Looks for a payment on the chain: by its hashes; by the mark that it leaves, should its hash be none of those; and by its
 * nonce, which only one transaction can ever use. `taken` are the transactions that belong to other payments. Where any of it
 * cannot be asked there is no sight: what was not looked through was not seen to be empty.
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
 * Who took the place of a transaction that the network no longer knows. Null while its place is free, or not known: a nonce
 * that the network never showed is not guessed at, for a wrong guess would call a payment failed that can still arrive.
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
  // Our own, mined between two of these questions: the next look sees its receipt.
  if (rival?.hash === hash) return ok(null)
  return ok({ by: rival?.hash ?? null })
}

/** The block whose transactions used up a nonce: the first after which the account's count is above it. */
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
    // A node that has forgotten how the account stood then cannot tell; that is not to be offline.
    if (!count.ok) return (await chain.blockNumber()).ok ? ok(null) : refused('no-node')
    if (count.value > nonce) high = middle
    else low = middle + 1
  }
  return ok(low)
}
