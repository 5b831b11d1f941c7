import type { ChainNode } from '../../../platform/chain/node.ts'
import type { PoolContracts } from '../../../platform/config/pool-contracts.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Findings } from '../../ledger/index.ts'
import type { NumberSet } from './number-set.ts'

/** What the steps of a chain audit share. */
export type ChainAudit = {
  /** One read-only snapshot for all steps. */
  readonly db: Database
  /** The node that the auditor chose. */
  readonly node: ChainNode
  readonly chainId: number
  readonly contracts: PoolContracts
  /** The last block whose logs are all in the ledger. */
  readonly posted: bigint
  readonly findings: Findings
  /** The ids of the ledger transactions whose log was found. */
  readonly foundTransactions: NumberSet
  /** The numbers of the payouts whose payment was found. */
  readonly foundPayouts: NumberSet
}
