import { btnTokenAbi, poolVaultAbi } from '@lode/contracts'
import { decodeErrorResult, type Hex } from 'viem'

/** What the errors mean that the checks before do not catch. */
const refusals: Readonly<Record<string, string>> = {
  AccessControlUnauthorizedAccount: 'the account lacks the role',
  BadOutputIndex: 'no Bitcoin transaction has an output with this number',
  CustodyCannotFund: 'an account that was cold storage cannot fund',
  EvidenceUsed: 'the Bitcoin output was named before',
  MovedOn: 'the money moved to the next vault',
  PredecessorHasNotMoved: 'the vault before this one has not moved its money yet',
  Inexact: 'the token did not move the exact amount',
  NotAnnounced: 'it is not announced',
  ERC20InsufficientBalance: 'the account holds too little',
  ERC20InsufficientAllowance: 'the vault may not take so much',
}

/** The contract's own error in words and with its values, or the bytes that it answered. */
export function describeRevert(data: Hex): string {
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: [...poolVaultAbi, ...btnTokenAbi], data })
    const name = `${errorName}(${args.map(String).join(', ')})`
    const words = refusals[errorName]
    return words === undefined ? name : `${words}, ${name}`
  } catch {
    return data === '0x' ? 'the contract gives no reason' : `the contract answers ${data}`
  }
}
