import type { Database } from '../../platform/db/database.ts'
import type { SigningInputs } from './preflight.ts'
import { signBurn } from './sign-burn.ts'
import { signPayouts } from './sign-payouts.ts'
import type { SignerDependencies } from './sign-version.ts'
import type { SigningChecks } from './signing-context.ts'

/** Signs payouts and burns, and stores each signed transaction before it is sent. */
export function createReleaseSigner(signer: SignerDependencies, checks: SigningChecks) {
  const context = { signer, checks }
  return {
    signPayouts: (connection: Database, inputs: SigningInputs) => signPayouts(context, connection, inputs),
    signBurn: (connection: Database, inputs: SigningInputs) => signBurn(context, connection, inputs),
  }
}
