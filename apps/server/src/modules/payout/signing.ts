import type { Database } from '../../platform/db/database.ts'
import type { Signing } from './form.ts'
import type { Ready } from './look.ts'
import { signBurn } from './sign-burn.ts'
import { signPayouts } from './sign-payouts.ts'
import type { SigningChecks } from './signing-context.ts'

/** Signs payouts and burns, and stores each signed transaction before it is sent. */
export function createSigning(signer: Signing, checks: SigningChecks) {
  const context = { signer, checks }
  return {
    signNext: (connection: Database, ready: Ready) => signPayouts(context, connection, ready),
    signBurn: (connection: Database, ready: Ready) => signBurn(context, connection, ready),
  }
}
