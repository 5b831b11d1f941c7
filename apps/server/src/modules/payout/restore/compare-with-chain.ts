import { poolVaultAbi } from '@lode/contracts'
import { sql } from 'kysely'
import { type Address, decodeEventLog, encodeEventTopics } from 'viem'
import { type AgreedChain, agreeOnChain } from '../../../platform/chain/agreed-chain.ts'
import { idFromChain } from '../../../platform/chain/id-on-chain.ts'
import { type ChainNode, otherNodes } from '../../../platform/chain/node.ts'
import { readAtBlock } from '../../../platform/chain/read-at-block.ts'
import type { OperatorConfig } from '../../../platform/config/config.ts'
import { allVaultsOf } from '../../../platform/config/pool-contracts.ts'
import type { Database } from '../../../platform/db/database.ts'
import { type ChainState, interpretLogs, type PayoutMovement, readPoolLogs } from '../../custody/index.ts'
import { type PayoutRow, readPayouts } from '../payout-row.ts'
import { hasMoved, isPayerAt, isReleasedAt, PAYER_ROLE } from '../vault.ts'

export type Chain = Pick<OperatorConfig, 'contracts' | 'finality'>

/** What the vault has paid, as two nodes say at the last block that both have as final. */
export type ChainComparison = {
  readonly finalBlock: bigint
  /** Payments in final blocks that the ledger has not posted yet. */
  readonly payments: readonly PaymentSeen[]
  /** Transfers that are open in the database, are in no release, and that the vault has not paid. */
  readonly openTransfers: readonly PayoutRow[]
  /** The accounts that may make payouts now, of all that the vault ever gave the payer's role. */
  readonly activePayers: readonly Address[]
  /** How many transactions of each payer of the journal are in final blocks. */
  readonly finalCounts: ReadonlyMap<Address, bigint>
  /** Whether the vault has moved to another one, which may have paid payouts of this database. */
  readonly hasMoved: boolean
}

/** A payment by the vault, with the payout of the database, if there is one. */
export type PaymentSeen = {
  readonly id: string
  readonly movement: PayoutMovement
  readonly payout: PayoutRow | undefined
}

export async function compareWithChain(
  db: Database,
  nodes: readonly ChainNode[],
  { contracts, finality }: Chain,
  { state, payers }: { readonly state: ChainState; readonly payers: ReadonlySet<Address> },
): Promise<ChainComparison> {
  const [node] = nodes
  if (!node) throw new Error('no node is given')
  const { finalized: own } = await node.head(finality)
  const chain = await agreeOnChain(node, otherNodes({ nodes: () => nodes }, node), { own, finality })
  const movements = await readPayments(chain, contracts, state.postedNumber + 1n)
  const ids = movements.flatMap(({ payoutId }) => idFromChain(payoutId) ?? [])
  const rows = new Map(
    (await readPayouts(db, sql`where id = any (${ids}::uuid[])`)).map((payout) => [payout.id, payout]),
  )
  const open = await readPayouts(
    db,
    sql`where kind = 'transfer' and ended is null and release_number is null order by number`,
  )
  const openTransfers: PayoutRow[] = []
  for (const payout of open)
    if (!(await isReleasedAt(chain, contracts.vault, payout.id, chain.finalized))) openTransfers.push(payout)
  return {
    finalBlock: chain.finalized.number,
    payments: movements.map((movement) => {
      const id = idFromChain(movement.payoutId)
      return { id: id ?? movement.payoutId, movement, payout: id === null ? undefined : rows.get(id) }
    }),
    openTransfers,
    activePayers: await readActivePayers(chain, contracts),
    finalCounts: await readFinalCounts(chain, payers),
    hasMoved: await readAtBlock(chain, chain.finalized, (at) => hasMoved(chain, contracts.vault, at)),
  }
}

async function readFinalCounts(
  chain: AgreedChain,
  payers: ReadonlySet<Address>,
): Promise<ReadonlyMap<Address, bigint>> {
  const counts = new Map<Address, bigint>()
  for (const payer of payers)
    counts.set(payer, await readAtBlock(chain, chain.finalized, (at) => chain.transactionCount(payer, at)))
  return counts
}

async function readPayments(
  chain: AgreedChain,
  contracts: Chain['contracts'],
  first: bigint,
): Promise<PayoutMovement[]> {
  const payments: PayoutMovement[] = []
  for (let from = first; from <= chain.finalized.number; ) {
    const { to, value } = await chain.readRange(from, chain.finalized.number, (start, end) =>
      readPoolLogs(chain, contracts, new Set(), start, end),
    )
    const { movements } = interpretLogs(value, contracts, new Set())
    payments.push(...movements.filter((movement) => movement.kind === 'payout'))
    from = to + 1n
  }
  return payments
}

/** The vaults' own logs name every payer. A restored database may have lost the releases of some of them. */
async function readActivePayers(chain: AgreedChain, contracts: Chain['contracts']): Promise<readonly Address[]> {
  const eventName = 'RoleGranted'
  const topics = encodeEventTopics({ abi: poolVaultAbi, eventName, args: { role: PAYER_ROLE } })
  const payers = new Set<Address>()
  for (let from = contracts.firstBlock; from <= chain.finalized.number; ) {
    const { to, value } = await chain.readRange(from, chain.finalized.number, (start, end) =>
      chain.logs({ address: allVaultsOf(contracts), topics }, start, end),
    )
    for (const {
      topics: [signature = '0x', ...indexed],
      data,
    } of value) {
      const { args } = decodeEventLog({ abi: poolVaultAbi, eventName, topics: [signature, ...indexed], data })
      payers.add(args.account)
    }
    from = to + 1n
  }
  const active: Address[] = []
  for (const payer of payers) if (await isPayerAt(chain, contracts, payer, chain.finalized)) active.push(payer)
  return active
}
