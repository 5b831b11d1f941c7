import { type ChainNode, failureText, isNodeRefusal, otherNodes } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { findStuckReason, raiseFeeIfStuck } from './raise-fee.ts'
import { markBroadcast, type Release, type SignedVersion } from './releases.ts'
import { NO_ANSWER, type SendingContext, withOtherNodeTimeout } from './sending-context.ts'

/**
 * Sends releases that are in no block, in the order of their nonces. If the first one is of the present payer and has
 * waited too long, it gets a higher fee. What is sent is in the journal before. Returns the first problem, as text, that keeps a release out of a block, or
 * null.
 */
export async function sendReleases(
  context: SendingContext,
  node: ChainNode,
  connection: Database,
  releases: readonly Release[],
): Promise<string | null> {
  const { account } = context.signer
  let stuckReason: string | null = null
  for (const [index, release] of releases.entries()) {
    const isFirst = index === 0 && release.payer === account.address
    const { version, problem } = isFirst
      ? await raiseFeeIfStuck(context, node, connection, release)
      : { version: release.latestVersion, problem: findStuckReason(context, release) }
    stuckReason ??= problem
    await context.journal.record(connection, release, version)
    faultPoint('signer:before-send')
    if (!(await sendToAll(context, node, release, version))) continue
    faultPoint('signer:after-send')
    if (!release.isBroadcast) await markBroadcast(connection, release.number)
  }
  return stuckReason
}

/**
 * Sends a signed version to every node, because a node that accepts it may not forward it. Returns true if one node
 * accepted it. Returns false if no node did and at least one refused it: the nonce may be spent by now, or the node has
 * another version. The next turn finds out. Throws if no node gave an answer.
 */
async function sendToAll(
  context: SendingContext,
  node: ChainNode,
  release: Release,
  version: SignedVersion,
): Promise<boolean> {
  const [ownOutcome, ...otherOutcomes] = await Promise.all([
    sendToOne(context, node, release, version),
    ...otherNodes(context, node).map((other) => sendToOne(context, other, release, version, { isOther: true })),
  ])
  const outcomes = [ownOutcome, ...otherOutcomes]
  if (outcomes.includes(null)) return true
  if (ownOutcome && !outcomes.some((failed) => failed && isNodeRefusal(failed.error))) throw ownOutcome.error
  return false
}

type SendFailure = { readonly error: unknown }

const TIMED_OUT: SendFailure = { error: NO_ANSWER }

/** Returns null if the node accepted the version. The same failure of a node is logged only once in a row. */
async function sendToOne(
  { signer, lastFailures }: SendingContext,
  to: ChainNode,
  { number }: Release,
  { raw, hash }: SignedVersion,
  { isOther = false } = {},
): Promise<SendFailure | null> {
  const sent = to.send(raw, hash).then(
    () => null,
    (error: unknown): SendFailure => ({ error }),
  )
  const failed = await (isOther ? withOtherNodeTimeout(sent, TIMED_OUT) : sent)
  if (failed === null) {
    lastFailures.delete(to)
    return null
  }
  const failure = failed === TIMED_OUT ? NO_ANSWER : failureText(failed.error)
  if (failure !== lastFailures.get(to))
    signer.log.warn({ node: to.name, release: Number(number), failure }, 'a node did not accept a release')
  lastFailures.set(to, failure)
  return failed
}
