import { least, ok, type Result, refused } from '@lode/kernel'
import { type Address, formatEther, formatGwei, parseGwei } from 'viem'
import { type Fees, firstFees } from '../../platform/chain/fees.ts'
import { type ChainNode, type ContractCall, revertDataOf } from '../../platform/chain/node.ts'
import { ExpectedFailure } from '../start-up.ts'
import { describeRevert } from './revert-words.ts'

/**
 * What a sent call can cost. The node only suggests fee and gas: a node that lies could otherwise give away the whole
 * balance of the account as a tip. So both are limited, and the most that can be paid is shown before the question.
 */
export type CallCost = {
  /** No call pays more than this for a unit of gas. */
  readonly maxFee: bigint
  /** No call gets more gas than this. */
  readonly maxGas: bigint
  /** The gas limit of the first call. */
  readonly firstGas: bigint
  /** The sum of all calls. */
  readonly most: bigint
}

type NamedCall = ContractCall & { readonly name: string }

/** More than twice what any call on the vault needs on Ethereum. Some chains count more gas for the same call. */
export const USUAL_MAX_GAS = '500000'

type CostLimits = { readonly feeLimit: bigint; readonly maxGas: bigint; readonly isReplacing: boolean }

export async function planCost(
  node: ChainNode,
  from: Address,
  calls: readonly NamedCall[],
  { feeLimit, maxGas, isReplacing }: CostLimits,
): Promise<Result<CallCost, string>> {
  const fees = await findFees(node, feeLimit)
  if (!fees.ok) return refused(`${fees.error} Wait, or allow more with --max-fee. Nothing was done.`)
  const [first, ...others] = calls
  if (!first) return refused('There is nothing to send.')
  const firstGas = await findGasLimit(node, from, first, maxGas)
  if (!firstGas.ok) return firstGas
  // The others cannot be estimated before the first one is in a block.
  const mostGas = firstGas.value + BigInt(others.length) * maxGas
  const usual = fees.value.maxFee
  // How much the replaced transaction pays is not known. So the fee is the limit, or what the account can pay.
  const ether = await node.balance(from)
  const payable = mostGas > 0n ? least(feeLimit, ether / mostGas) : feeLimit
  const maxFee = isReplacing && payable > usual ? payable : usual
  const most = mostGas * maxFee
  // Otherwise the first call could be paid for, and not the one that needs it.
  if (ether < most)
    return refused(
      `${from} has ${formatEther(ether)} of the chain’s own currency for fees, and this can cost ${formatEther(most)}. A lower --max-fee or --max-gas makes that less. Nothing was done.`,
    )
  return ok({ maxFee, maxGas, firstGas: firstGas.value, most })
}

export async function findFees(node: ChainNode, feeLimit: bigint): Promise<Result<Fees, string>> {
  const price = await node.gasPrice()
  const fees = firstFees(price, feeLimit)
  return fees
    ? ok(fees)
    : refused(`A unit of gas costs ${formatGwei(price.baseFee)} gwei now, and ${formatGwei(feeLimit)} is allowed.`)
}

/** A third more than the estimate, because the state may change before the block. */
export async function findGasLimit(
  node: ChainNode,
  from: Address,
  call: NamedCall,
  maxGas: bigint,
): Promise<Result<bigint, string>> {
  let estimate: bigint
  try {
    estimate = await node.estimateGas(from, call)
  } catch (error) {
    const answer = revertDataOf(error)
    if (answer === null) throw error
    return refused(`${call.name} would fail: ${describeRevert(answer)}. It was not sent.`)
  }
  const gas = (estimate * 4n) / 3n
  return gas > maxGas
    ? refused(
        `${call.name} would need ${gas} units of gas, as the node says, and ${maxGas} are allowed. Allow more with --max-gas.`,
      )
    : ok(gas)
}

export const describeCost = ({ most, maxFee }: CallCost): string =>
  `Fee: at most ${formatEther(most)} of the chain’s own currency, at most ${formatGwei(maxFee)} gwei for a unit of gas`

export function gasOrRefuse(units: string): bigint {
  const gas = /^\d{1,9}$/.test(units) ? BigInt(units) : 0n
  if (gas === 0n) throw new ExpectedFailure(`${units} is not an amount of gas. Write it in units, such as 500000.`)
  return gas
}

export function feeLimitOrRefuse(gwei: string): bigint {
  const limit = /^\d{1,7}(\.\d{1,9})?$/.test(gwei) ? parseGwei(gwei) : 0n
  if (limit === 0n) throw new ExpectedFailure(`${gwei} is not a fee. Write it in gwei, such as 300.`)
  return limit
}
