import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import type { PayoutRow, Verdict } from './payout-row.ts'
import type { SigningInputs } from './preflight.ts'
import { type Release, storeRelease } from './releases.ts'
import { type SignerDependencies, signVersion } from './sign-version.ts'

/** Asks the module that owns each payout for a verdict, inside the signing transaction. The map's key is the id. */
export type Judge = (trx: Database, payouts: readonly PayoutRow[]) => Promise<Map<string, Verdict>>

/** Whether a burn may be signed now. Called inside the signing transaction. */
export type MayBurn = (trx: Database, now: Date) => Promise<boolean>

/** Returns why the database's clock cannot be trusted now, or null. Holds and caps depend on it. */
export type FindClockProblem = (trx: Database) => Promise<string | null>

/** Checks that run inside the signing transaction. */
export type SigningChecks = {
  readonly judge: Judge
  readonly mayBurn: MayBurn
  readonly findClockProblem: FindClockProblem
}

export type SigningContext = { readonly signer: SignerDependencies; readonly checks: SigningChecks }

/** Signs a chain transaction and stores it as a release, so that it can be sent later. Returns the release's number. */
export async function signAndStore(
  { signer }: SigningContext,
  trx: Database,
  { nonce, fees }: SigningInputs,
  transaction: Pick<Release, 'call' | 'gas'> & { readonly burned?: bigint },
): Promise<bigint> {
  const release = { ...transaction, nonce, payer: signer.account.address }
  const version = await signVersion(signer, release, 1, fees)
  faultPoint('signer:before-store')
  return storeRelease(trx, release, version)
}
