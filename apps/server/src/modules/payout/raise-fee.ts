import type { ChainNode } from '../../platform/chain/node.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { signForm } from './form.ts'
import { type Form, type Release, storeForm } from './releases.ts'
import { higherFees } from './rules.ts'
import type { SendingContext } from './sending-context.ts'

/** The signed version to send, and in words what keeps the release from being mined; null if nothing does. */
export type ToSend = { readonly form: Form; readonly because: string | null }

/** Signs a version with a higher fee if the release has waited too long for a block. */
export async function withHigherFee(
  context: SendingContext,
  node: ChainNode,
  connection: Database,
  release: Release,
): Promise<ToSend> {
  const { account, payer } = context.signing
  const { form, gas, number } = release
  const because = overdue(context, release)
  const isStuck = context.waitingTimes.waitedMs(form.hash) > payer.stuckAfterMs
  // A higher fee would not help now, and would cost more once the account has money again.
  if ((await node.balance(account.address)) < gas * form.maxFee)
    return { form, because: `${account.address} has too little of the chain's own currency for release ${number}` }
  if (!isStuck) return { form, because }
  const higher = await raise(context, node, connection, release)
  return higher
    ? { form: higher, because }
    : { form, because: `no block takes release ${number}, and SIGNER_MAX_FEE_GWEI allows no higher fee` }
}

/** Returns a reason in words once a release has waited twice as long as it may: the higher fee did not help. */
export function overdue({ signing, waitingTimes }: SendingContext, { number, payer: from }: Release): string | null {
  const { account, payer } = signing
  if (waitingTimes.waitedMs(number) <= 2 * payer.stuckAfterMs) return null
  return `no block takes release ${number}${from === account.address ? '' : ` of ${from}, who paid before`}`
}

async function raise(
  { signing }: SendingContext,
  node: ChainNode,
  connection: Database,
  release: Release,
): Promise<Form | null> {
  const { payer, metrics, log } = signing
  const fees = higherFees(release.form, await node.gasPrice(), payer.maxFee)
  if (!fees) return null
  const form = await signForm(signing, release, release.form.attempt + 1, fees)
  faultPoint('signer:before-bump')
  await storeForm(connection, release.number, form)
  faultPoint('signer:after-bump')
  metrics.releases.inc({ kind: 'higher fee' })
  log.warn({ release: Number(release.number), attempt: form.attempt, hash: form.hash }, 'sent again for a higher fee')
  return form
}
