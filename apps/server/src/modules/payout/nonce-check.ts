import type { Database } from '../../platform/db/database.ts'
import { storeRelease } from './releases.ts'
import { isImplausibleCount, minNotNegative } from './rules.ts'
import { type SignerDependencies, signVersion } from './sign-version.ts'
import { encodeRelease } from './vault.ts'

/** Gas limit and tip of a release of no payouts, which only uses up its nonce. */
const FILLER_GAS = 100_000n
const FILLER_TIP = 2_000_000_000n

/**
 * Raises an alarm if blocks hold more transactions of the payer than were signed here. Then the key is used elsewhere
 * or the nodes are wrong. If they are wrong, the next release skips a nonce, and nothing is mined until fillNonceGap()
 * fills it. With too many unknown transactions nothing is signed: then this returns the reason as text, otherwise null.
 * Before the first release of a payer there is no alarm, because its account may have been used before.
 */
export function createForeignUseCheck({
  account,
  log,
}: SignerDependencies): (count: bigint, signed: bigint) => string | null {
  let lastAlarm = ''
  return (count, signed) => {
    if (count <= signed + 1n) return null
    const description = `${count} transactions, of which ${signed + 1n} were signed here`
    if (signed >= 0n && description !== lastAlarm)
      log.error({ strange: description }, 'ALARM: the payer’s key is used elsewhere')
    lastAlarm = description
    if (!isImplausibleCount(count, signed)) return null
    return `${account.address} has made ${description}: the nodes are wrong, or the key is used elsewhere and must be replaced`
  }
}

/** Signs and stores a release of no payouts, for a nonce that was skipped because of a node's wrong answer. */
export async function fillNonceGap(signer: SignerDependencies, connection: Database, nonce: bigint): Promise<void> {
  const { account, chain, payer, log } = signer
  const release = { payer: account.address, nonce, call: encodeRelease([], chain.contracts), gas: FILLER_GAS }
  const fees = { maxFee: payer.maxFee, maxPriorityFee: minNotNegative(FILLER_TIP, payer.maxFee) }
  const version = await signVersion(signer, release, 1, fees)
  await connection.transaction().execute((trx) => storeRelease(trx, release, version))
  log.error({ nonce: Number(nonce) }, 'ALARM: a nonce was skipped; an empty release fills it')
}
