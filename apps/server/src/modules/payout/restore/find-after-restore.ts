import { createHash } from 'node:crypto'
import { isAddressEqual } from 'viem'
import type { ChainNode } from '../../../platform/chain/node.ts'
import { firstVaultOf } from '../../../platform/config/pool-contracts.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { ChainState } from '../../custody/index.ts'
import { hashOfLines, type Journal } from '../journal.ts'
import type { PayoutRow } from '../payout-row.ts'
import { type Chain, type ChainComparison, compareWithChain, type PaymentSeen } from './compare-with-chain.ts'
import {
  compareWithJournal,
  isEndedUnpaid,
  type JournaledPayout,
  type Lost,
  NOTHING_LOST,
} from './compare-with-journal.ts'
import { type ComparedState, isRestorable, type RestoreCounts, storeRestore } from './store-restore.ts'

/** Everything that `lode restored` found. Nothing is changed yet. */
export type FoundAfterRestore = {
  /** Why the database must not be repaired now, as text; otherwise null. */
  readonly refusal: string | null
  readonly lost: Lost
  readonly chain: ChainComparison & {
    /** Open transfers that nobody has signed. */
    readonly returned: readonly PayoutRow[]
  }
  /** Payments by the vault that neither the database nor the journal has, or that contradict the database. */
  readonly unexplained: readonly PaymentSeen[]
  /** Lost payouts about which the journal does not say enough. */
  readonly unrestorable: readonly JournaledPayout[]
  readonly compared: ComparedState
}

type JournalFile = Journal & { readonly bytes: Buffer }

/** Compares the database with the journal, and with the chain at two nodes. Only reads. */
export async function findAfterRestore(
  db: Database,
  nodes: readonly ChainNode[],
  pool: Chain & { readonly chainId: number },
  given: { readonly state: ChainState; readonly journal: Promise<JournalFile> | null },
): Promise<FoundAfterRestore> {
  const journal = await given.journal
  const lost = journal ? await compareWithJournal(db, journal) : NOTHING_LOST
  const payers = new Set(lost.endedUnpaid.map(({ release }) => release.payer))
  const chain = await compareWithChain(db, nodes, pool, { state: given.state, payers })
  const lostIds = new Set(lost.payouts.map(({ id }) => id))
  const unrestorable = lost.payouts.filter((payout) => !isRestorable(payout))
  return {
    refusal: findRefusal(journal, pool, chain) ?? findPayableAgain(lost, chain),
    lost,
    chain: { ...chain, returned: chain.openTransfers.filter(({ id }) => !lost.signedPayouts.has(id)) },
    unexplained: chain.payments.filter(({ id, payout }) => (payout ? isEndedUnpaid(payout.ended) : !lostIds.has(id))),
    unrestorable,
    compared: {
      journalLines: journal?.lineCount ?? 0,
      journalHash: (journal && hashOfLines(journal.bytes, journal.lineCount)) ?? createHash('sha256').digest(),
      chainBlock: chain.finalBlock,
    },
  }
}

function findRefusal(
  journal: JournalFile | null,
  { chainId, contracts }: Chain & { readonly chainId: number },
  { activePayers, hasMoved }: ChainComparison,
): string | null {
  if (hasMoved)
    return `The vault ${contracts.vault} has moved to another one, which may have paid since: first run lode vault migrate.`
  if (journal && (journal.chainId !== chainId || !isAddressEqual(journal.vault, firstVaultOf(contracts))))
    return `The journal belongs to vault ${journal.vault} on chain ${journal.chainId}.`
  // Without the journal nobody knows what this account signed last. Such a transaction could still be mined.
  if (!journal && activePayers.length > 0)
    return `Without the journal, first take the payer’s role in the vault from ${activePayers.join(' and ')}, and wait until that is final: a transaction that it signed, and that the database forgot, could still be mined.`
  return null
}

/**
 * A failover lost a release that is in no final block, and then a member canceled one of its transfers. The release can
 * still be mined: anybody who saw the signed transaction can send it again. Then the member would have the money twice.
 */
function findPayableAgain({ endedUnpaid }: Lost, { activePayers, finalCounts }: ChainComparison): string | null {
  const payable = endedUnpaid.filter(
    ({ release: { payer, nonce } }) =>
      activePayers.some((active) => isAddressEqual(active, payer)) && (finalCounts.get(payer) ?? 0n) <= BigInt(nonce),
  )
  if (payable.length === 0) return null
  const payers = Array.from(new Set(payable.map(({ release }) => release.payer)))
  const releases = payable.map(
    ({ release: { release, at }, payoutIds }) => `release ${release} of ${at} with ${payoutIds.join(' and ')}`,
  )
  return [
    `No final block has these releases of the journal, and payouts in them have ended unpaid since, for example because their members canceled them: ${releases.join('; ')}. If such a release is mined, they are paid all the same.`,
    `So first take the payer’s role in the vault from ${payers.join(' and ')}, give it to a new account, and wait until that is final. Then run lode restored again. If a release was mined before, it lists what was paid, and each payment needs a correction.`,
  ].join('\n')
}

export const storeFound = (owner: Database, { lost, chain, compared }: FoundAfterRestore): Promise<RestoreCounts> =>
  storeRestore(owner, { lost, returned: chain.returned, compared })
