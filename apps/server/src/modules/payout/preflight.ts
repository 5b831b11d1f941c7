import { setTimeout as sleep } from 'node:timers/promises'
import { type Asset, minNotNegative } from '@lode/kernel'
import { agreeOnChain } from '../../platform/chain/agreed-chain.ts'
import { type Fees, firstFees } from '../../platform/chain/fees.ts'
import type { ChainNode } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import { type ChainState, describeWrongLedger, readAssetStops, readChainState } from '../custody/index.ts'
import { findMissingAssets, readSystemBalances, readVersions } from '../ledger/index.ts'
import type { ReadAcknowledgedRestores } from '../operators/index.ts'
import { findPaidAlready, findUnknownTransaction } from './forgotten-releases.ts'
import { PROVEN_ACCOUNTS, type Proof } from './proof.ts'
import { MAX_JUDGED, readDueIds } from './queue.ts'
import { type Release, readLeavingAmounts, readSignedIn24Hours } from './releases.ts'
import {
  type ByAsset,
  findBlockedAssets,
  findPreflightFailure,
  type LastNonces,
  MAX_BATCH_SIZE,
  type PreflightFacts,
  type Room,
} from './rules.ts'
import type { SignerDependencies } from './sign-version.ts'
import { readBalancesAt, readVault, type VaultState } from './vault.ts'

/** Below this many full releases that the payer can pay the gas for, an alarm is raised. */
const LOW_GAS_RELEASES = 5n

/** The result of the preflight: everything that signing needs. */
export type SigningInputs = {
  readonly nonce: bigint
  readonly fees: Fees
  readonly vault: VaultState
  readonly room: Room
  readonly burnDue: bigint
  /** The assets that the chain blocks, each with the reason as text. */
  readonly blocked: ReadonlyMap<Asset, string>
  /** The assets of which the pool held less than it owes. */
  readonly missing: ReadonlySet<Asset>
  /**
   * The ids of the due payouts that the vault has not paid. They are read in one snapshot with the balances and the
   * versions up to which the proof goes. So everything that was posted before them is proven.
   */
  readonly unpaid: ReadonlySet<string>
  /** How many payouts the payer can pay the gas for. */
  readonly maxPayouts: number
}

type OpenReleases = {
  readonly lastNonces: LastNonces
  /** Releases whose outcome is not final yet. */
  readonly open: readonly Release[]
  /** The open releases that are in no block. */
  readonly unmined: readonly Release[]
}

type PreflightChecks = Pick<Proof, 'prove'> & { readonly readAcknowledged: ReadAcknowledgedRestores }

/** Returns the function that reads and checks the ledger and the chain before anything is signed. */
export function createPreflight(
  { account, chain, payer, metrics, log }: SignerDependencies,
  { prove, readAcknowledged }: PreflightChecks,
) {
  const pool = chain.contracts
  let wasGasLow = false

  /** How many payouts the payer can pay the gas for. */
  function countAffordable(gas: bigint, { releaseGas }: VaultState): number {
    const fullReleases = gas / releaseGas(MAX_BATCH_SIZE)
    metrics.gasLeft.set(Number(fullReleases))
    const isLow = fullReleases < LOW_GAS_RELEASES
    if (isLow && !wasGasLow) log.error({ payer: account.address }, 'ALARM: the payer has little gas money left')
    wasGasLow = isLow
    if (fullReleases > 0n) return MAX_BATCH_SIZE
    const more = gas - releaseGas(0)
    return more > 0n ? Number(more / (releaseGas(1) - releaseGas(0))) : 0
  }

  /** Returns what signing needs, or the reason in words why nothing can be signed now. */
  return async (
    node: ChainNode,
    others: readonly ChainNode[],
    connection: Database,
    nonce: bigint,
    releases: OpenReleases,
  ): Promise<SigningInputs | string> => {
    // The ledger is read before the last final block. Otherwise the worker could post a block that became final in
    // between, and the proof would take it for one that is not final.
    const { state, assetStops, balance, leavingOpen, leavingUnmined, signedIn24Hours, dueIds, posted } =
      await readLedgerBetweenRuns(connection, releases)
    const wrongLedger = state && describeWrongLedger(chain, state)
    if (wrongLedger) return wrongLedger
    const [head, vault, price, gasMoney] = await Promise.all([
      node.head(chain.finality),
      readVault(node, pool, account.address),
      node.gasPrice(),
      node.balance(account.address),
    ])
    const agreed = await agreeOnChain(node, others, { own: head.finalized, finality: chain.finality })
    const inLedger = forEachAsset((asset) => -balance('custody:vault', asset))
    const facts: PreflightFacts = {
      ledger: state && {
        stopped: state.stoppedReason,
        postedNumber: state.postedNumber,
        postedTime: state.postedTime,
        readAgain: isReadAgain(state),
        vault: inLedger,
      },
      assetStops,
      held: state?.posted ? await readBalancesAt(agreed, pool, state.posted) : null,
      finalizedTime: findEarlier(agreed.furthest.time, head.finalized.time),
      paused: vault.paused,
      mayPay: vault.mayPay,
      payer: account.address,
    }
    const reason = findPreflightFailure(facts)
    if (reason !== null) return reason
    const blocked = findBlockedAssets(facts, pool)
    const payerOnChain = { payer: account.address, pool, minedCount: nonce, lastNonces: releases.lastNonces }
    const forgotten =
      (await findUnknownTransaction(connection, agreed, payerOnChain, readAcknowledged)) ??
      (await findPaidAlready(node, others, pool.vault, dueIds))
    if (forgotten !== null) return forgotten
    await prove(agreed, connection, posted)
    const fees = firstFees(price, payer.maxFee)
    if (!fees) return `gas costs ${price.baseFee} now, more than SIGNER_MAX_FEE_GWEI allows`
    const maxPayouts = countAffordable(gasMoney / fees.maxFee, vault)
    if (maxPayouts === 0) return `${account.address} has too little of the chain's own currency to pay for gas`
    const room = computeRoom(vault, { dayCap: payer.dayCap, signedIn24Hours, inLedger, leavingOpen, leavingUnmined })
    const burnDue = blocked.has('BTN') ? 0n : balance('burn:due', 'BTN')
    const missing = new Set(findMissingAssets(balance))
    return { nonce, fees, vault, room, maxPayouts, burnDue, blocked, missing, unpaid: new Set(dueIds) }
  }
}

const isReadAgain = ({ posted, highestPosted }: ChainState): boolean => posted === null || posted.number < highestPosted

const ATTEMPTS = 8
const PAUSE_MS = 250

/**
 * The worker posts a run with many payments in several database transactions. In between, the ledger is ahead of the
 * posted block for less than a second. If it stays so for longer, blocks are read again after a rewind.
 */
async function readLedgerBetweenRuns(connection: Database, releases: OpenReleases) {
  for (let attempt = 1; ; attempt += 1) {
    const ledger = await readLedger(connection, releases)
    if (attempt === ATTEMPTS || ledger.state === null || !isReadAgain(ledger.state)) return ledger
    await sleep(PAUSE_MS)
  }
}

/**
 * Reads in one snapshot the due payouts, the balances by the ledger, how much of them signed releases will pay out,
 * and what must be proven. The money of a payout is set aside in the transaction that stores the payout. So the
 * snapshot has that transaction, and all postings that the money comes from.
 */
const readLedger = (connection: Database, { open, unmined }: OpenReleases) =>
  connection
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => ({
      state: await readChainState(trx),
      assetStops: await readAssetStops(trx),
      balance: await readSystemBalances(trx),
      leavingOpen: await readLeavingAmounts(trx, open.map(numberOf)),
      leavingUnmined: await readLeavingAmounts(trx, unmined.map(numberOf)),
      signedIn24Hours: await readSignedIn24Hours(trx),
      dueIds: await readDueIds(trx, MAX_JUDGED),
      posted: await readVersions(trx, PROVEN_ACCOUNTS),
    }))

/** The node of a turn may report a block as final that no other node has. */
const findEarlier = (one: Date, other: Date): Date => new Date(Math.min(one.getTime(), other.getTime()))

type OwnAmounts = {
  readonly dayCap: Partial<ByAsset>
  readonly signedIn24Hours: ByAsset
  readonly inLedger: ByAsset
  readonly leavingOpen: ByAsset
  readonly leavingUnmined: ByAsset
}

/** How much of each asset may still leave, by the vault's caps and balances and by the signer's own. */
const computeRoom = (
  vault: VaultState,
  { dayCap, signedIn24Hours, inLedger, leavingOpen, leavingUnmined }: OwnAmounts,
): Room => ({
  cap: forEachAsset((asset) => {
    const own = dayCap[asset]
    return minNotNegative(
      vault.payoutRoom[asset] - leavingUnmined[asset],
      own === undefined ? undefined : own - signedIn24Hours[asset],
    )
  }),
  wholeCap: forEachAsset((asset) => minNotNegative(vault.payoutCap[asset], dayCap[asset])),
  float: forEachAsset((asset) =>
    minNotNegative(inLedger[asset] - leavingOpen[asset], vault.balances[asset] - leavingUnmined[asset]),
  ),
})

const numberOf = ({ number }: Release): bigint => number

const forEachAsset = (amount: (asset: Asset) => bigint): ByAsset => ({
  USDT: amount('USDT'),
  BTN: amount('BTN'),
  BTC: amount('BTC'),
})
