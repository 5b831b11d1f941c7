import { type ChainNode, failureText, isRefusal } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { overdue, withHigherFee } from './raise-fee.ts'
import { type Form, markBroadcast, type Release } from './releases.ts'
import { inTime, NO_ANSWER, otherNodes, type SendingContext } from './sending-context.ts'

/**
 * Sends releases that are in no block, in the order of their nonces. The first one gets a higher fee if it waits too
 * long. Returns in words the first reason why a release is not mined, or null.
 */
export async function sendReleases(
  context: SendingContext,
  node: ChainNode,
  connection: Database,
  releases: readonly Release[],
): Promise<string | null> {
  const { account } = context.signing
  let keptBecause: string | null = null
  for (const [place, release] of releases.entries()) {
    const isFirst = place === 0 && release.payer === account.address
    const { form, because } = isFirst
      ? await withHigherFee(context, node, connection, release)
      : { form: release.form, because: overdue(context, release) }
    keptBecause ??= because
    faultPoint('signer:before-send')
    if (!(await sendToAll(context, node, release, form))) continue
    faultPoint('signer:after-send')
    if (!release.isBroadcast) await markBroadcast(connection, release.number)
  }
  return keptBecause
}

/**
 * Sends a signed version to every node, because a node that accepts it may not pass it on. Returns false if all nodes
 * failed and one of them refused it: the nonce may be spent by now, or the node keeps another version. The next turn
 * finds out.
 */
async function sendToAll(context: SendingContext, node: ChainNode, release: Release, form: Form): Promise<boolean> {
  const [ownOutcome, ...otherOutcomes] = await Promise.all([
    sendToOne(context, node, release, form),
    ...otherNodes(context, node).map((other) => sendToOne(context, other, release, form, { isOther: true })),
  ])
  const outcomes = [ownOutcome, ...otherOutcomes]
  if (outcomes.includes(null)) return true
  if (ownOutcome && !outcomes.some((failed) => failed && isRefusal(failed.error))) throw ownOutcome.error
  return false
}

type Failed = { readonly error: unknown }

const LATE: Failed = { error: NO_ANSWER }

/** Returns null if the node accepted it. A failure is logged once, until the node accepts or fails differently. */
async function sendToOne(
  { signing, lastFailures }: SendingContext,
  to: ChainNode,
  { number }: Release,
  { raw, hash }: Form,
  { isOther = false } = {},
): Promise<Failed | null> {
  const sent = to.send(raw, hash).then(
    () => null,
    (error: unknown): Failed => ({ error }),
  )
  const failed = await (isOther ? inTime(sent, LATE) : sent)
  if (failed === null) {
    lastFailures.delete(to)
    return null
  }
  const failure = failed === LATE ? NO_ANSWER : failureText(failed.error)
  if (failure !== lastFailures.get(to))
    signing.log.warn({ node: to.name, release: Number(number), failure }, 'a node did not take a release')
  lastFailures.set(to, failure)
  return failed
}
