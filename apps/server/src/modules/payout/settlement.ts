import { units } from '@lode/kernel'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Address, Hex } from 'viem'
import { askAt } from '../../platform/chain/at-block.ts'
import { addressFromColumn, bytesOf } from '../../platform/chain/column.ts'
import { idFromChain } from '../../platform/chain/id-on-chain.ts'
import { type ChainNode, failureText, isNodeFailure } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { type BlockRef, isForgotten, keyOf, type PayoutMovement, type Settlement, termsOf } from '../custody/index.ts'
import { amountOf, type Transaction } from '../ledger/index.ts'
import type { SettlementMetrics } from './metrics.ts'
import { type PayoutRow, readPayouts } from './row.ts'
import { type Decided, decide, type Known } from './settling-rules.ts'
import { isReleasedAt } from './vault.ts'

type Options = {
  readonly vault: Address
  /** Puts back, in the books, what was put aside for a payout that will not be made. */
  readonly undoing: (payout: PayoutRow) => Transaction
  readonly metrics: SettlementMetrics
  readonly log: Logger
}

/**
 * What the worker concludes from final blocks, and nobody else does. In the transaction that posts a block: what the vault paid
 * ends, what it skipped steps back. After it: a release whose nonce is spent at the posted block is over; what the vault said
 * nothing of by then was not paid, for the transaction failed as a whole.
 */
export function createSettlement({ vault, undoing, metrics, log }: Options): Settlement {
  return {
    async settle(inside, chainId, { paid, notPaid, timeOf }) {
      const ids = new Set([...paid, ...notPaid].flatMap(({ payoutId }) => idFromChain(payoutId) ?? []))
      await sql`select lode.lock_payouts(${Array.from(ids)}::uuid[])`.execute(inside)
      const rows = await readPayouts(inside, sql`where id = any (${Array.from(ids)}::uuid[])`)
      const known = await readKnown(
        inside,
        notPaid.map(({ log: { tx, logIndex } }) => ({ tx, logIndex })),
      )
      const decided = decide(
        rows,
        [...paid.map((movement) => ({ ...movement, what: 'paid' as const })), ...notPaid.map(ofSkip)],
        known,
      )
      if ('impossible' in decided) return decided
      const entries = [
        ...decided.paid.map(({ payout, movement }) => paidEntry(payout, movement, chainId)),
        ...decided.reverted.map(undoing),
      ]
      return { entries, finish: () => write(inside, decided, timeOf) }
    },

    async conclude(db, nodes, posted) {
      const found = new Set<Conclusion>()
      try {
        for (const release of await openReleases(db)) found.add(await concludeOne(db, nodes, posted, release))
      } catch (error) {
        found.add('unknown')
        // Where the node does not keep the state of so old a block, a later one will do.
        if (!isForgotten(error)) throw error
      } finally {
        // Once for all of them, so that none hides another's; an alarm stays while it is not known that it is over.
        if (found.has('contradiction')) metrics.contradictions.set(1)
        else if (!found.has('unknown')) metrics.contradictions.set(0)
      }
    },
  }

  async function write(inside: Database, decided: Decided, timeOf: (block: bigint) => Date): Promise<void> {
    faultPoint('worker:before-settle')
    for (const { payout, movement } of decided.paid) {
      if (payout.ended !== null) continue
      const { tx, logIndex, blockNumber } = movement.log
      await sql`
        select lode.settle_payout(${payout.id}, ${bytesOf(tx)}, ${logIndex}, ${timeOf(blockNumber)})`.execute(inside)
    }
    for (const { payout, tx, logIndex, reason } of decided.skipped)
      await sql`select lode.step_back(${payout.id}, ${bytesOf(tx)}, ${logIndex}, ${reason})`.execute(inside)
    for (const { id, kind } of decided.reverted)
      await (kind === 'transfer'
        ? sql`select lode.revert_transfer(${id})`.execute(inside)
        : sql`select lode.revert_payment(${id})`.execute(inside))
    faultPoint('worker:after-settle')
    for (const { payout, reason } of decided.skipped) {
      metrics.stepsBack.inc({ reason })
      log.warn({ payout: payout.id, reason }, 'the vault did not pay')
    }
    for (const { id } of decided.reverted)
      log.error({ payout: id }, 'its token would not make a payout, twice: reverted')
    for (const id of decided.unknown)
      log.error({ id }, 'the vault skipped a payout that is not ours: is the payer’s key used elsewhere?')
  }

  async function concludeOne(
    db: Database,
    nodes: readonly ChainNode[],
    posted: BlockRef,
    { number, payer, nonce }: OpenRelease,
  ): Promise<Conclusion> {
    const [first, ...others] = nodes
    if (!first || (await countAt(first, payer, posted)) <= nonce) return 'open'
    const left = await readPayouts(db, sql`where release_number = ${number} and ended is null`)
    if (left.length > 0) {
      let paid = await firstPaid(left, first, posted)
      // On this alone a member may take the money back, so one node's word is not enough where there is another.
      if (!paid && others.length > 0) {
        const second = await secondWord(left, others, posted, payer, nonce)
        if (second === 'unknown') return 'unknown'
        paid = second
      }
      if (paid) {
        log.error({ payout: paid.id }, 'ALARM: the vault has paid, and no log of it was ever read')
        return 'contradiction'
      }
    }
    faultPoint('worker:before-end-release')
    const { rows } = await sql<{ back: number }>`select lode.end_release(${number}) as back`.execute(db)
    faultPoint('worker:after-end-release')
    const back = rows[0]?.back ?? 0
    if (back === 0) return 'over'
    metrics.stepsBack.inc({ reason: 'whole' }, back)
    log.warn({ release: Number(number), payouts: back }, 'a release failed as a whole: its payouts are queued again')
    return 'over'
  }

  /** Which of them the vault had made, by a node for which that nonce is spent too. */
  async function secondWord(
    left: readonly PayoutRow[],
    nodes: readonly ChainNode[],
    posted: BlockRef,
    payer: Address,
    nonce: bigint,
  ): Promise<PayoutRow | null | 'unknown'> {
    for (const node of nodes)
      try {
        if ((await countAt(node, payer, posted)) <= nonce) return 'unknown'
        return await firstPaid(left, node, posted)
      } catch (error) {
        if (!isNodeFailure(error)) throw error
        log.warn({ node: node.name, failure: failureText(error) }, 'whether a release failed could not be asked')
      }
    return 'unknown'
  }

  async function firstPaid(left: readonly PayoutRow[], node: ChainNode, posted: BlockRef): Promise<PayoutRow | null> {
    for (const payout of left) if (await isReleasedAt(node, vault, payout.id, posted)) return payout
    return null
  }
}

const countAt = (node: ChainNode, payer: Address, block: BlockRef): Promise<bigint> =>
  askAt(node, block, (at) => node.transactionCount(payer, at))

const ofSkip = <Skip>(skip: Skip): Skip & { what: 'not paid' } => ({ ...skip, what: 'not paid' })

/** `contradiction`: the vault has paid what it never told of. `unknown`: not every node that must be asked has answered. */
type Conclusion = 'open' | 'over' | 'contradiction' | 'unknown'

type OpenRelease = { readonly number: bigint; readonly payer: Address; readonly nonce: bigint }

async function openReleases(db: Database): Promise<OpenRelease[]> {
  const { rows } = await sql<{ number: bigint; payer: Buffer; nonce: bigint }>`
    select number, payer, nonce from lode.release where ended_at is null order by number`.execute(db)
  return rows.map((row) => ({ ...row, payer: addressFromColumn(row.payer) }))
}

/** Of these logs, which were written down when they were first read, and of which releases they are. */
async function readKnown(
  inside: Database,
  logs: readonly { readonly tx: Hex; readonly logIndex: number }[],
): Promise<Known> {
  const txs = logs.map(({ tx }) => bytesOf(tx))
  const { rows: skips } = await sql<{ log: string }>`
    select '0x' || encode(skip.tx, 'hex') || ':' || skip.log_index as log
    from unnest(${txs}::bytea[], ${logs.map(({ logIndex }) => logIndex)}::int[]) as given (tx, log_index)
    join lode.payout_skip skip on skip.tx = given.tx and skip.log_index = given.log_index`.execute(inside)
  const { rows: forms } = await sql<{ tx: string; release: bigint }>`
    select '0x' || encode(hash, 'hex') as tx, release_number as release
    from lode.release_form where hash = any (${txs}::bytea[])`.execute(inside)
  const counted = new Set(skips.map(({ log }) => log))
  const releases = new Map(forms.map(({ tx, release }) => [tx, release]))
  return {
    isCounted: (tx, logIndex) => counted.has(`${tx}:${logIndex}`),
    releaseOf: (tx) => releases.get(tx) ?? null,
  }
}

/** A transfer's fee is the pool's from the moment that it is paid: a part of it is burned, the rest is for operations. */
function paidEntry(payout: PayoutRow, movement: PayoutMovement, chainId: number): Transaction {
  const { asset, fee, feeBurned } = payout
  const log = { key: keyOf(chainId, movement.log.tx, movement.log.logIndex), terms: termsOf(movement) }
  const paid = { ...amountOf(asset, payout.amount), to: 'custody:vault' } as const
  switch (payout.kind) {
    case 'treasury':
      return { ...log, type: 'treasuryPaid', moves: [{ ...paid, from: 'pool:paying' }] }
    case 'suspense':
      return { ...log, type: 'suspenseReturnPaid', moves: [{ ...paid, from: 'suspense:returning' }] }
    case 'transfer': {
      const { id, memberId: member } = payout
      if (member === null) throw new Error(`transfer ${id} has no member`)
      const line = { type: 'transferOut', operation: id, fee: units(asset, fee) } as const
      const from = { kind: 'frozenOut', member, line } as const
      const rest = fee - feeBurned
      return {
        ...log,
        type: 'transferPaid',
        moves: [
          { ...paid, from },
          ...(rest > 0n ? [{ ...amountOf(asset, rest), from, to: 'pool:operations' } as const] : []),
          ...(feeBurned > 0n ? [burnedFee(payout, member)] : []),
        ],
      }
    }
  }
}

/** Only the pool's own token is ever burned. */
function burnedFee({ id, asset, fee, feeBurned }: PayoutRow, member: bigint) {
  if (asset !== 'BTN') throw new Error(`transfer ${id} burns a part of its fee in ${asset}`)
  const line = { type: 'transferOut', operation: id, fee: units(asset, fee) } as const
  const from = { kind: 'frozenOut', member, line } as const
  return { asset, amount: units(asset, feeBurned), from, to: 'burn:due' } as const
}
