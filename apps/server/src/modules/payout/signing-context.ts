import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { type Signing, signForm } from './form.ts'
import type { Ready } from './look.ts'
import type { Proof } from './proof.ts'
import { type Release, storeRelease } from './releases.ts'
import type { PayoutRow, Verdict } from './row.ts'

/** Asks the modules that own the payouts for a verdict on each, inside the transaction that signs. */
export type Judge = (inside: Database, payouts: readonly PayoutRow[]) => Promise<Map<string, Verdict>>

/** Whether anything may be burned now, asked inside the transaction that signs it. */
export type MayBurn = (inside: Database, now: Date) => Promise<boolean>

/** Checks that run inside the signing transaction. */
export type SigningChecks = { readonly judge: Judge; readonly mayBurn: MayBurn } & Pick<Proof, 'isProven'>

export type SigningContext = { readonly signer: Signing; readonly checks: SigningChecks }

/** Signs a transaction and stores it as a release, before anything is sent. Returns the release's number. */
export async function signAndStore(
  { signer }: SigningContext,
  inside: Database,
  { nonce, fees }: Ready,
  what: Pick<Release, 'call' | 'gas'> & { readonly burned?: bigint },
): Promise<bigint> {
  const release = { ...what, nonce, payer: signer.account.address }
  const form = await signForm(signer, release, 1, fees)
  faultPoint('signer:before-store')
  return storeRelease(inside, release, form)
}
