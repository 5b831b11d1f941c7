import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { addressFromColumn } from '../../platform/chain/column.ts'
import { idFromChain } from '../../platform/chain/id-on-chain.ts'
import { type ChainNode, NodeContradiction } from '../../platform/chain/node.ts'
import type { ChainConfig } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import { coldNamedIn, readLogs } from '../custody/index.ts'
import { anyStepsBeyond, type PostedTransaction, type Seen, stepsBeyond } from '../ledger/index.ts'
import { contradiction, isCustody, type Known } from './proof-rules.ts'
import { readPayouts } from './row.ts'

/** Returns what is wrong with an airdrop in the ledger, or null if nothing is. */
export type VouchForAirdrop = (db: Database, posted: PostedTransaction) => Promise<string | null>

const CUSTODY = ['custody:vault', 'custody:cold'] as const
/** These reserves pay members only by airdrops. Payments from other accounts need two operators, checked at signing. */
const AIRDROPS = ['reserve:airdrop', 'reserve:promotion'] as const
const PROVEN = [...CUSTODY, ...AIRDROPS]

const AT_ONCE = 200
const ASKED_AT_ONCE = 20

export type Proof = ReturnType<typeof createProof>

/**
 * Before anything is paid, this looks up at the signer's own node every ledger transaction that brought money in or
 * took it out. Progress is stored as the last checked posting number of each account, so no posting can be inserted
 * behind it.
 *
 * A contradiction is raised as a failure of the node, because only a node's answer can be wrong and get better: the
 * next node is asked. If no node agrees, nothing is paid.
 */
export function createProof({ contracts, id: chainId }: ChainConfig, vouchForAirdrop: VouchForAirdrop) {
  const knownCold = new Map<Address, boolean>()

  async function prove(node: ChainNode, db: Database, finalized: bigint): Promise<void> {
    for (;;) {
      const steps = await stepsBeyond(db, await readProven(db), PROVEN, AT_ONCE)
      const cold = await coldOf(node, db)
      const transactions = Array.from(new Set(steps.map(({ transaction }) => transaction)))
      for (let start = 0; start < transactions.length; start += ASKED_AT_ONCE)
        await Promise.all(
          transactions
            .slice(start, start + ASKED_AT_ONCE)
            .map((posted) => proveTransaction(node, db, { posted, cold, finalized })),
        )
      await writeProven(db, new Map(steps.map(({ account, version }) => [account, version])))
      if (steps.length < AT_ONCE) return
    }
  }

  async function proveTransaction(
    node: ChainNode,
    db: Database,
    { posted, cold, finalized }: { posted: PostedTransaction; cold: ReadonlySet<Address>; finalized: bigint },
  ): Promise<void> {
    const doubt = posted.postings.some(isCustody)
      ? await doubtOfLog(node, db, { posted, cold, finalized })
      : await vouchForAirdrop(db, posted)
    if (doubt) throw new NodeContradiction(`${posted.type} ${posted.key} is in the books, and by ${node.name} ${doubt}`)
  }

  async function doubtOfLog(
    node: ChainNode,
    db: Database,
    { posted, cold, finalized }: { posted: PostedTransaction; cold: ReadonlySet<Address>; finalized: bigint },
  ): Promise<string | null> {
    const [, chain, tx, index] = /^chain:([0-9]+):(0x[0-9a-f]{64}):([0-9]+)$/.exec(posted.key) ?? []
    if (!tx || chain !== String(chainId)) return 'it is no log of this chain'
    const logs = await node.logsOf(tx as Hex)
    const { movements } = readLogs(logs ?? [], contracts, cold)
    // If the worker did not get the vault's own log, it posted the money under the index of the token's Transfer log.
    const movement =
      movements.find(({ log }) => log.logIndex === Number(index)) ??
      movements.find(({ transferIndex }) => transferIndex === Number(index))
    if (!movement) return 'there is no such log'
    if (movement.log.blockNumber > finalized) return 'its block is not final'
    return contradiction(posted, movement, await knownOf(db, posted, movement))
  }

  /**
   * The worker stores which addresses the vault named as cold storage. The signer checks each at the vault's log of
   * that block.
   */
  async function coldOf(node: ChainNode, db: Database): Promise<ReadonlySet<Address>> {
    const { rows } = await sql<{ address: Buffer; since_block: bigint }>`
      select address, since_block from lode.pool_address where role = 'cold'`.execute(db)
    for (const { address, since_block } of rows) {
      const named = addressFromColumn(address)
      if (knownCold.get(named)) continue
      const told = coldNamedIn(await node.logs({ address: contracts.vault }, since_block, since_block))
      knownCold.set(named, told.includes(named))
    }
    return new Set(Array.from(knownCold).flatMap(([address, isCold]) => (isCold ? [address] : [])))
  }

  return {
    prove,
    /** Whether everything in the ledger is proven by now. Called inside the signing transaction. */
    isProven: async (inside: Database): Promise<boolean> =>
      !(await anyStepsBeyond(inside, await readProven(inside), PROVEN)),
  }
}

async function knownOf(
  db: Database,
  { postings }: PostedTransaction,
  movement: Parameters<typeof contradiction>[1],
): Promise<Known> {
  const owners = Array.from(new Set(postings.map(({ owner }) => owner)), String)
  const { rows } = await sql<{ owner: bigint; address: Buffer }>`
    select id as owner, account as address from lode.member where id = any (${owners}::int8[])
    union all select owner, address from lode.suspense_holder where owner = any (${owners}::int8[])`.execute(db)
  const addresses = new Map(rows.map(({ owner, address }) => [owner, addressFromColumn(address)]))
  const id = movement.kind === 'payout' ? idFromChain(movement.payoutId) : null
  const [payout] = id === null ? [] : await readPayouts(db, sql`where id = ${id}`)
  return { addressOf: (owner) => addresses.get(owner), payoutOf: () => payout }
}

async function readProven(db: Database): Promise<Seen> {
  const { rows } = await sql<{ account: bigint; version: bigint }>`select account, version from lode.proof`.execute(db)
  return new Map(rows.map(({ account, version }) => [account, version]))
}

async function writeProven(db: Database, proven: Seen): Promise<void> {
  if (proven.size === 0) return
  await sql`
    insert into lode.proof (account, version)
    select * from unnest(${Array.from(proven.keys(), String)}::int8[], ${Array.from(proven.values(), String)}::int8[])
    on conflict (account) do update set version = excluded.version where proof.version < excluded.version`.execute(db)
}
