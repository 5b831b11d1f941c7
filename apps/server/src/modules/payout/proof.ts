import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import type { AgreedChain, ChainReader } from '../../platform/chain/agreed-chain.ts'
import { addressFromColumn, bytesOf } from '../../platform/chain/hex-column.ts'
import { idFromChain } from '../../platform/chain/id-on-chain.ts'
import { NodeContradiction } from '../../platform/chain/node.ts'
import type { ChainConfig } from '../../platform/config/config.ts'
import { allVaultsOf } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import {
  applyWriteOffs,
  chainLogKey,
  findPoolAddresses,
  interpretLogs,
  type Movement,
  type PaymentMovement,
} from '../custody/index.ts'
import { type AccountVersions, isAmongPostings, type PostedTransaction, readNewPostings } from '../ledger/index.ts'
import { readPayouts } from './payout-row.ts'
import { findContradiction, isCustody, type ProofFacts } from './proof-rules.ts'
import { findWrongReversal, forgetMissingLogs, noteMissingLog, readReversalOf } from './reversed-postings.ts'

/** Returns why a ledger transaction is wrong, or null. */
type CheckTransaction = (db: Database, posted: PostedTransaction) => Promise<string | null>

/** The checks of other modules about transactions that no log of the chain can prove alone. */
export type ProofChecks = {
  /** Whether a transaction may take from the reserves for airdrops. */
  readonly checkAirdrop: CheckTransaction
  /** Whether two operators decided to write off or replace what is missing, or to undo a false posting. */
  readonly checkCorrection: CheckTransaction
}

export const CUSTODY_ACCOUNTS = ['custody:vault', 'custody:cold'] as const
/** Only airdrops debit these reserves. The pool's other own accounts pay only by treasury payments of two operators. */
const AIRDROP_ACCOUNTS = ['reserve:airdrop', 'reserve:promotion'] as const
export const PROVEN_ACCOUNTS = [...CUSTODY_ACCOUNTS, ...AIRDROP_ACCOUNTS, 'pool:loss'] as const

const NO_SUCH_LOG = 'there is no such log'
/** The log exists. Somebody recorded a false address, or a real one with a false block. So it cannot be undone. */
const NOT_NAMED = 'its log is about cold storage that the vault did not name in the recorded block'

const POSTINGS_PER_BATCH = 200
const PARALLEL_CHECKS = 20

export type Proof = ReturnType<typeof createProof>

type ProofChain = Pick<ChainConfig, 'contracts' | 'id'>

/**
 * Before anything is paid, the proof checks every ledger transaction that brought money in or took it out against the
 * chain log, on which nodes of two origins must agree. It checks every airdrop against the signed plan, and against its
 * order or the operators' decision, and everything that is written off, replaced or undone against the operators'
 * decision. The proof stores the version of the last checked posting of each account. Versions only grow, so nobody can
 * insert a posting before that point.
 *
 * A contradiction is thrown as a failure of the node, because the node may be wrong and another one right: so the
 * next node is asked. If no node agrees with the ledger, nothing is paid.
 */
export function createProof({ contracts, id: chainId }: ProofChain, { checkAirdrop, checkCorrection }: ProofChecks) {
  const readColdAddresses = createColdAddresses(contracts)

  /**
   * Checks every posting up to `until`: the versions of the PROVEN_ACCOUNTS, read before the final block of `agreed`.
   * A later posting may be of a block that became final after it.
   */
  async function prove(agreed: AgreedChain, db: Database, until: AccountVersions): Promise<void> {
    for (;;) {
      const steps = await readNewPostings(db, await readProven(db), until, POSTINGS_PER_BATCH)
      const cold = await readColdAddresses(agreed, db)
      const transactions = Array.from(new Set(steps.map(({ transaction }) => transaction)))
      for (let start = 0; start < transactions.length; start += PARALLEL_CHECKS) {
        const part = transactions.slice(start, start + PARALLEL_CHECKS)
        const results = await Promise.allSettled(
          part.map((posted) => proveTransaction({ agreed, db, until, cold }, posted)),
        )
        const proven = results.flatMap((result) => (result.status === 'fulfilled' ? (result.value ?? []) : []))
        await forgetMissingLogs(db, proven)
        const failed = results.find((result) => result.status === 'rejected')
        if (failed) throw failed.reason
      }
      await writeProven(db, new Map(steps.map(({ account, version }) => [account, version])))
      if (steps.length < POSTINGS_PER_BATCH) return
    }
  }

  /** Returns the transaction if it is right, and null if it is false and was undone. Throws if it is false. */
  async function proveTransaction(
    { agreed, db, until, cold }: ProofContext,
    posted: PostedTransaction,
  ): Promise<PostedTransaction | null> {
    const problem =
      posted.type === 'reverse'
        ? await findWrongReversal(db, posted, {
            checkCorrection,
            lacksLog: async (undone) => (await findProblem(agreed, db, undone, cold)) === NO_SUCH_LOG,
          })
        : await findProblem(agreed, db, posted, cold)
    if (problem === null) return posted
    if (posted.type !== 'reverse' && (await isUndone(db, posted, until))) return null
    if (problem === NO_SUCH_LOG) await noteMissingLog(agreed, db, posted)
    throw new NodeContradiction(
      `the ledger has ${posted.type} ${posted.key}, but according to ${agreed.name}: ${problem}`,
    )
  }

  async function findProblem(
    agreed: AgreedChain,
    db: Database,
    posted: PostedTransaction,
    cold: ColdAddresses,
  ): Promise<string | null> {
    const isDecided = posted.type === 'writeOff' || posted.type === 'lossFundingByPool'
    // A balance that fell without a log has none to look up; the preflight compares the vault's balance.
    const hasLog = posted.postings.some(isCustody) && !isBalanceWriteOff(posted)
    return (
      (isDecided ? await checkCorrection(db, posted) : null) ??
      (hasLog ? await findLogContradiction(agreed, db, posted, cold) : null) ??
      (isDecided || hasLog ? null : await checkAirdrop(db, posted))
    )
  }

  async function findLogContradiction(
    agreed: AgreedChain,
    db: Database,
    posted: PostedTransaction,
    cold: ColdAddresses,
  ): Promise<string | null> {
    const [, chain, tx, index] = /^chain:([1-9][0-9]*):(0x[0-9a-f]{64}):(0|[1-9][0-9]{0,8})$/.exec(posted.key) ?? []
    if (!tx || chain !== String(chainId)) return 'its key is not that of a log of this chain'
    const logs = await agreed.logsOf(tx as Hex, contracts.firstBlock)
    const findMovement = async (coldAddresses: ReadonlySet<Address>): Promise<Movement | undefined> => {
      const interpreted = interpretLogs(logs ?? [], contracts, coldAddresses)
      const { movements } = await applyWriteOffs(db, interpreted.movements, interpreted.problems)
      return findByIndex(movements, Number(index))
    }
    const movement = await findMovement(cold.named)
    if (!movement) return (await findMovement(cold.recorded)) ? NOT_NAMED : NO_SUCH_LOG
    if (movement.log.blockNumber > agreed.finalized.number) return 'its block is not final'
    const indexes = [movement.log.logIndex, movement.transferIndex].filter((each) => each !== undefined)
    const keys = indexes.map((each) => chainLogKey(chainId, tx as Hex, each))
    if ((await countPosted(db, keys)) !== 1) return 'the same money is posted twice, under both of its logs'
    const isFunder = (address: Address) => isFunderOfVaults(agreed, db, allVaultsOf(contracts), address)
    return findContradiction(posted, movement, await readProofFacts(db, posted, movement, isFunder))
  }

  return { prove }
}

/**
 * Whether a reversal undid the posting. A reversal after `until` does not count, because this proof does not check
 * whether two operators decided it.
 */
async function isUndone(db: Database, posted: PostedTransaction, until: AccountVersions): Promise<boolean> {
  const reversal = await readReversalOf(db, posted)
  return reversal !== null && (await isAmongPostings(db, until, reversal))
}

/** If a node gave the worker no vault log, the worker posted the money under the index of the token's Transfer log. */
const findByIndex = (movements: readonly Movement[], index: number): Movement | undefined =>
  movements.find(({ log }) => log.logIndex === index) ?? movements.find(({ transferIndex }) => transferIndex === index)

type ProofContext = {
  readonly agreed: AgreedChain
  readonly db: Database
  readonly until: AccountVersions
  readonly cold: ColdAddresses
}

/** All recorded addresses of cold storage, and those of them that a vault named. */
type ColdAddresses = { readonly recorded: ReadonlySet<Address>; readonly named: ReadonlySet<Address> }

/**
 * The worker stores each address that a vault named as cold storage, with the block. The signer believes an address
 * only if the vault's logs of that block name it.
 */
function createColdAddresses(contracts: ChainConfig['contracts']) {
  const isColdByAddress = new Map<Address, boolean>()
  return async (node: ChainReader, db: Database): Promise<ColdAddresses> => {
    const { rows } = await sql<{ address: Buffer; since_block: bigint }>`
      select address, since_block from lode.pool_address where role = 'cold'`.execute(db)
    for (const { address, since_block } of rows) {
      const named = addressFromColumn(address)
      if (isColdByAddress.get(named)) continue
      const namedInLog = findPoolAddresses(
        await node.logs({ address: allVaultsOf(contracts) }, since_block, since_block),
        'cold',
      )
      isColdByAddress.set(named, namedInLog.includes(named))
    }
    const named = Array.from(isColdByAddress).flatMap(([address, isCold]) => (isCold ? [address] : []))
    return { recorded: new Set(isColdByAddress.keys()), named: new Set(named) }
  }
}

/** Whether a vault made the address a funder: the logs of the recorded block must say so. */
async function isFunderOfVaults(
  node: ChainReader,
  db: Database,
  vaults: readonly Address[],
  address: Address,
): Promise<boolean> {
  const since = await readFunderSince(db, address)
  if (since === null) return false
  return findPoolAddresses(await node.logs({ address: vaults }, since, since), 'funder').includes(address)
}

/** Reads what findContradiction() needs to know about this transaction and its log. */
export async function readProofFacts(
  db: Database,
  { type, postings }: PostedTransaction,
  movement: Parameters<typeof findContradiction>[1],
  isFunder: (address: Address) => Promise<boolean>,
): Promise<ProofFacts> {
  const owners = Array.from(new Set(postings.map(({ owner }) => owner)), String)
  const { rows } = await sql<{ owner: bigint; address: Buffer }>`
    select id as owner, account as address from lode.member where id = any (${owners}::int8[])
    union all select owner, address from lode.suspense_holder where owner = any (${owners}::int8[])`.execute(db)
  const addresses = new Map(rows.map(({ owner, address }) => [owner, addressFromColumn(address)]))
  const id = movement.kind === 'payout' ? idFromChain(movement.payoutId) : null
  const [payout] = id === null ? [] : await readPayouts(db, sql`where id = ${id}`)
  const payer = movement.kind === 'payment' ? await readPayer(db, movement) : undefined
  const mayFundLoss =
    type === 'lossFunding' &&
    movement.kind === 'deposit' &&
    (await isFunder(movement.from)) &&
    !(await isMember(db, movement.from))
  return {
    addressOf: (owner) => addresses.get(owner),
    payoutOf: () => payout,
    payerOf: () => payer,
    mayFundLoss: () => mayFundLoss,
  }
}

/** Whether the posting writes off a balance that fell without a log. Its key names the block. */
export const isBalanceWriteOff = ({ type, key }: PostedTransaction): boolean =>
  type === 'writeOff' && /^chain:[1-9][0-9]*:balance:/.test(key)

/** The block in which a vault made the address a funder, as the worker recorded it; null if it recorded none. */
export async function readFunderSince(db: Database, address: Address): Promise<bigint | null> {
  const { rows } = await sql<{ since: bigint }>`
    select since_block as since from lode.pool_address
    where role = 'funder' and address = ${bytesOf(address)}`.execute(db)
  return rows[0]?.since ?? null
}

/** Nobody can register an address after it became a funder's, so a member was one before. */
async function isMember(db: Database, address: Address): Promise<boolean> {
  const { rows } = await sql`select from lode.member where account = ${bytesOf(address)}`.execute(db)
  return rows.length > 0
}

async function countPosted(db: Database, keys: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from lode.ledger_transaction where member = 0 and key = any (${keys}::text[])`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

async function readPayer(db: Database, { orderId, log }: PaymentMovement): Promise<Address | undefined> {
  const id = idFromChain(orderId)
  if (id === null) return undefined
  const { rows } = await sql<{ account: Buffer }>`
    select member.account from lode.pay_order join lode.member on member.id = pay_order.member_id
    where pay_order.id = ${id} and pay_order.paid_tx = ${bytesOf(log.tx)}`.execute(db)
  return rows[0] && addressFromColumn(rows[0].account)
}

async function readProven(db: Database): Promise<AccountVersions> {
  const { rows } = await sql<{ account: bigint; version: bigint }>`select account, version from lode.proof`.execute(db)
  return new Map(rows.map(({ account, version }) => [account, version]))
}

async function writeProven(db: Database, proven: AccountVersions): Promise<void> {
  if (proven.size === 0) return
  await sql`
    insert into lode.proof (account, version)
    select * from unnest(${Array.from(proven.keys(), String)}::int8[], ${Array.from(proven.values(), String)}::int8[])
    on conflict (account) do update set version = excluded.version where proof.version < excluded.version`.execute(db)
}
