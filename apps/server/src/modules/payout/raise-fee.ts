import { higherFees } from '../../platform/chain/fees.ts'
import type { ChainNode } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { type Release, type SignedVersion, storeSignedVersion } from './releases.ts'
import type { SendingContext } from './sending-context.ts'
import { signVersion } from './sign-version.ts'

/** The signed version to send, and the problem that keeps the release out of a block, as text, or null. */
export type VersionToSend = { readonly version: SignedVersion; readonly problem: string | null }

/** Signs a version with a higher fee if the latest version has waited too long for a block. */
export async function raiseFeeIfStuck(
  context: SendingContext,
  node: ChainNode,
  connection: Database,
  release: Release,
): Promise<VersionToSend> {
  const { account, payer } = context.signer
  const { latestVersion, gas, number } = release
  const problem = findStuckReason(context, release)
  const isStuck = context.waitingTimes.waitedMs(latestVersion.hash) > payer.stuckAfterMs
  // The account cannot even pay the present fee. A higher one would only cost more when the account has money again.
  if ((await node.balance(account.address)) < gas * latestVersion.maxFee)
    return {
      version: latestVersion,
      problem: `${account.address} has too little of the chain's own currency for release ${number}`,
    }
  if (!isStuck) return { version: latestVersion, problem }
  const higherVersion = await signHigherFee(context, node, connection, release)
  return higherVersion
    ? { version: higherVersion, problem }
    : {
        version: latestVersion,
        problem: `no block takes release ${number}, and SIGNER_MAX_FEE_GWEI allows no higher fee`,
      }
}

/** Returns the reason as text if a release has waited twice SIGNER_STUCK_AFTER_MS: then the higher fee did not help. */
export function findStuckReason(
  { signer, waitingTimes }: SendingContext,
  { number, payer: from }: Release,
): string | null {
  const { account, payer } = signer
  if (waitingTimes.waitedMs(number) <= 2 * payer.stuckAfterMs) return null
  return `no block takes release ${number}${from === account.address ? '' : ` of the former payer ${from}`}`
}

async function signHigherFee(
  { signer }: SendingContext,
  node: ChainNode,
  connection: Database,
  release: Release,
): Promise<SignedVersion | null> {
  const { payer, metrics, log } = signer
  const fees = higherFees(release.latestVersion, await node.gasPrice(), payer.maxFee)
  if (!fees) return null
  const version = await signVersion(signer, release, release.latestVersion.attempt + 1, fees)
  faultPoint('signer:before-bump')
  await storeSignedVersion(connection, release.number, version)
  faultPoint('signer:after-bump')
  metrics.releases.inc({ kind: 'higher fee' })
  log.warn(
    { release: Number(release.number), attempt: version.attempt, hash: version.hash },
    'sent again with a higher fee',
  )
  return version
}
