import type { Database } from '../../platform/db/database.ts'
import { type Signing, signForm } from './form.ts'
import { storeRelease } from './releases.ts'
import { isStrangeCount, least } from './rules.ts'
import { releaseCall } from './vault.ts'

/** For a call that only uses up its nonce. */
const FILLER_GAS = 100_000n
const FILLER_TIP = 2_000_000_000n

/**
 * Raises an alarm if blocks hold more transactions of the payer than were signed here: the key is used elsewhere, or
 * the nodes are wrong. If the nodes are wrong, a nonce is left out and nothing is mined until it is filled. Returns the
 * reason in words why nothing is signed, if there are too many unknown transactions; otherwise null.
 */
export function createForeignUseCheck({ account, log }: Signing): (count: bigint, signed: bigint) => string | null {
  let lastAlarm = ''
  return (count, signed) => {
    if (count <= signed + 1n) return null
    const strange = `${count} transactions, of which ${signed + 1n} are known`
    if (signed >= 0n && strange !== lastAlarm) log.error({ strange }, 'ALARM: the payer’s key is used elsewhere')
    lastAlarm = strange
    if (!isStrangeCount(count, signed)) return null
    return `${account.address} has made ${strange}: its node is wrong, or another key must pay`
  }
}

/** Fills a nonce that was left out because of a node's wrong answer, with a release of no payouts. */
export async function fillNonceGap(signing: Signing, connection: Database, nonce: bigint): Promise<void> {
  const { account, chain, payer, log } = signing
  const release = { payer: account.address, nonce, call: releaseCall([], chain.contracts), gas: FILLER_GAS }
  const fees = { maxFee: payer.maxFee, maxPriorityFee: least(FILLER_TIP, payer.maxFee) }
  const form = await signForm(signing, release, 1, fees)
  await connection.transaction().execute((inside) => storeRelease(inside, release, form))
  log.error({ nonce: Number(nonce) }, 'ALARM: a nonce was left out, and is filled')
}
