import { least, ok, type Result, refused } from '@lode/kernel'
import { type Address, formatEther, formatGwei, parseGwei } from 'viem'
import { type Fees, firstFees } from '../../platform/chain/fees.ts'
import type { ChainNode, ContractCall } from '../../platform/chain/node.ts'
import { ExpectedFailure } from '../start-up.ts'

/**
 * What a sent call can cost. The node only suggests fee and gas: a node that lies could otherwise give away the whole
 * balance of the account as a tip. So both are limited, and the most that can be paid is shown before the question.
 */
export type CallCost = {
  /** No call pays more than this for a unit of gas. */
  readonly maxFee: bigint
  /** The gas limit of the first call. */
  readonly firstGas: bigint
  /** The sum of all calls. */
  readonly most: bigint
}

type NamedCall = ContractCall & { readonly name: string }

/** More than twice what any call on the vault needs. */
const MAX_GAS = 500_000n

export async function planCost(
  node: ChainNode,
  from: Address,
  calls: readonly NamedCall[],
  { feeLimit, isReplacing }: { readonly feeLimit: bigint; readonly isReplacing: boolean },
): Promise<Result<CallCost, string>> {
  const fees = await findFees(node, feeLimit)
  if (!fees.ok) return refused(`${fees.error} Wait, or allow more with --max-fee. Nothing was done.`)
  const [first, ...others] = calls
  if (!first) return refused('There is nothing to send.')
  const firstGas = await findGasLimit(node, from, first)
  if (!firstGas.ok) return firstGas
  // The others cannot be estimated before the first one is in a block.
  const mostGas = firstGas.value + BigInt(others.length) * MAX_GAS
  const usual = fees.value.maxFee
  // How much the replaced transaction pays is not known. So the fee is the limit, or what the account can pay.
  const ether = await node.balance(from)
  const payable = mostGas > 0n ? least(feeLimit, ether / mostGas) : feeLimit
  const maxFee = isReplacing && payable > usual ? payable : usual
  const most = mostGas * maxFee
  // Otherwise the first call could be paid for, and not the one that needs it.
  if (ether < most)
    return refused(
      `${from} has ${formatEther(ether)} of the chain’s own currency for fees, and this can cost ${formatEther(most)}. A lower --max-fee makes that less. Nothing was done.`,
    )
  return ok({ maxFee, firstGas: firstGas.value, most })
}

export async function findFees(node: ChainNode, feeLimit: bigint): Promise<Result<Fees, string>> {
  const price = await node.gasPrice()
  const fees = firstFees(price, feeLimit)
  return fees
    ? ok(fees)
    : refused(`A unit of gas costs ${formatGwei(price.baseFee)} gwei now, and ${formatGwei(feeLimit)} is allowed.`)
}

/** A third more than the estimate, because the state may change before the block. */
export async function findGasLimit(node: ChainNode, from: Address, call: NamedCall): Promise<Result<bigint, string>> {
  const gas = ((await node.estimateGas(from, call)) * 4n) / 3n
  return gas > MAX_GAS
    ? refused(`${call.name} would need ${gas} units of gas, as the node says, and ${MAX_GAS} are allowed.`)
    : ok(gas)
}

export const describeCost = ({ most, maxFee }: CallCost): string =>
  `Fee: at most ${formatEther(most)} of the chain’s own currency, at most ${formatGwei(maxFee)} gwei for a unit of gas`

export function feeLimitOrRefuse(gwei: string): bigint {
  const limit = /^\d{1,7}(\.\d{1,9})?$/.test(gwei) ? parseGwei(gwei) : 0n
  if (limit === 0n) throw new ExpectedFailure(`${gwei} is not a fee. Write it in gwei, such as 300.`)
  return limit
}
