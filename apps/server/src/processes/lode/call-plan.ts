import type { Address } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { ChainNode, ContractCall } from '../../platform/chain/node.ts'
import type { VaultConfig } from '../../platform/config/config.ts'
import type { VaultRole } from './vault-roles.ts'

export type CallOptions = {
  readonly chain: string
  readonly from?: string
  readonly key?: string
  readonly safe?: string
  /** The most gwei to pay for a unit of gas. */
  readonly maxFee: string
  /** The most units of gas for one call. */
  readonly maxGas: string
  /** Only for calls that may take the place of any other transaction of the account. */
  readonly replace?: boolean
  readonly yes?: boolean
  /** False with --no-wait. */
  readonly wait?: boolean
}

export type CallConfig = Pick<VaultConfig, 'chainId' | 'contracts' | 'finality'>

/** The account that makes the calls. It has the role that they need. */
export type Caller = {
  readonly node: ChainNode
  /** All nodes that the operator named. `node` is the first of them. */
  readonly nodes: readonly ChainNode[]
  readonly address: Address
  /** Null if the calls are only prepared. */
  readonly signing: Signing | null
  readonly role: VaultRole
  readonly config: CallConfig
}

export type Signing = {
  readonly account: PrivateKeyAccount
  /**
   * The nonce of the first transaction. It is read before the search for an earlier payment: if another start pays
   * after that search, this nonce is used up, and nothing is sent.
   */
  readonly nonce: bigint
  /** Whether the fee is raised until the call takes the place of a transaction that no block has. */
  readonly isReplacing: boolean
}

/** A call with its name in the contract, and what it does in words. */
export type PlannedCall = ContractCall & { readonly name: string; readonly purpose: string }

export type CallPlan = {
  readonly title: string
  /** What a person should read before the answer. */
  readonly facts: readonly string[]
  readonly calls: readonly PlannedCall[]
  /** Whether the vault or the command stops a second run that would do the same again, whatever became of the first. */
  readonly isDoneOnce: boolean
}

export type CallOutcome = {
  readonly lines: readonly string[]
  readonly data: Readonly<Record<string, unknown>>
  /** The block of the last call; null if nothing was sent. */
  readonly lastBlock: bigint | null
  /** The same block if it is final; null if nobody waited. */
  readonly finalBlock: bigint | null
}
