import type { ChainNode } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Signing } from './form.ts'
import { createForeignUseCheck, fillNonceGap } from './nonce-check.ts'
import type { Release } from './releases.ts'
import { sendReleases } from './send-releases.ts'
import type { SendingContext } from './sending-context.ts'
import { findUnmined } from './unmined-releases.ts'
import { createWaitingTimes } from './waiting-times.ts'

export type Sending = ReturnType<typeof createSending>

/** Sends signed and stored releases, again and again, until their nonce is in a block. */
export function createSending(signing: Signing, nodes: readonly ChainNode[]) {
  const context: SendingContext = {
    signing,
    nodes,
    waitingTimes: createWaitingTimes(),
    lastFailures: new Map(),
  }
  return {
    findUnmined: (node: ChainNode, open: readonly Release[], signed: bigint) =>
      findUnmined(context, node, open, signed),
    checkForeignUse: createForeignUseCheck(signing),
    fillGap: (connection: Database, nonce: bigint) => fillNonceGap(signing, connection, nonce),
    send: (node: ChainNode, connection: Database, releases: readonly Release[]) =>
      sendReleases(context, node, connection, releases),
  }
}
