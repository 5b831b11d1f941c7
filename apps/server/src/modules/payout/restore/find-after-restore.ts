import { createHash } from 'node:crypto'
import { isAddressEqual } from 'viem'
import type { ChainNode } from '../../../platform/chain/node.ts'
import { firstVaultOf } from '../../../platform/config/pool-contracts.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { ChainState } from '../../custody/index.ts'
import { hashOfLines, type Journal } from '../journal.ts'
import type { PayoutRow } from '../payout-row.ts'
import { type Chain, type ChainComparison, compareWithChain, type PaymentSeen } from './compare-with-chain.ts'
import { compareWithJournal, type JournaledPayout, type Lost, NOTHING_LOST } from './compare-with-journal.ts'
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
  const chain = await compareWithChain(db, nodes, pool, given.state)
  const lostIds = new Set(lost.payouts.map(({ id }) => id))
  const unrestorable = lost.payouts.filter((payout) => !isRestorable(payout))
  return {
    refusal: findRefusal(journal, pool, chain),
    lost,
    chain: { ...chain, returned: chain.openTransfers.filter(({ id }) => !lost.signedPayouts.has(id)) },
    unexplained: chain.payments.filter(({ id, payout }) =>
      payout ? payout.ended !== null && payout.ended !== 'final' : !lostIds.has(id),
    ),
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

export const storeFound = (owner: Database, { lost, chain, compared }: FoundAfterRestore): Promise<RestoreCounts> =>
  storeRestore(owner, { lost, returned: chain.returned, compared })
