import type { ChainNode } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Release } from './releases.ts'
import type { LastNonces } from './rules.ts'
import { sendReleases } from './send-releases.ts'
import type { SendingContext } from './sending-context.ts'
import type { SignerDependencies } from './sign-version.ts'
import type { SignerJournal } from './signer-journal.ts'
import { findUnmined } from './unmined-releases.ts'
import { createWaitingTimes } from './waiting-times.ts'

export type ReleaseSender = ReturnType<typeof createReleaseSender>

/** Sends stored releases again in every turn, until their nonce is spent in a block. */
export function createReleaseSender(
  signer: SignerDependencies,
  nodes: () => readonly ChainNode[],
  journal: SignerJournal,
) {
  const context: SendingContext = {
    signer,
    nodes,
    journal,
    waitingTimes: createWaitingTimes(),
    lastFailures: new Map(),
  }
  return {
    findUnmined: (node: ChainNode, open: readonly Release[], lastNonces: LastNonces) =>
      findUnmined(context, node, open, lastNonces),
    send: (node: ChainNode, connection: Database, releases: readonly Release[]) =>
      sendReleases(context, node, connection, releases),
  }
}
