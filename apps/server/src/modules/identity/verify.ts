import { ok, type Result, refused } from '@lode/kernel'
import type { Hex } from 'viem'
import type { SignatureRefusal, VerifySignature } from '../../platform/chain/signature.ts'
import { readClock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { VerifiedSignIn } from './commands.ts'
import { checkLifetime, type MessageIssuer, type Purpose, readMessage } from './sign-in-message.ts'

export type VerificationRefusal = 'message-invalid' | 'message-expired' | SignatureRefusal

type Verification = { db: Database; issuer: MessageIssuer; verifySignature: VerifySignature }

/**
 * All checks of a signed message that need no transaction: this server wrote it, its purpose fits the command, it has
 * not expired, and the account that it names signed it. The cheap checks come first; the chain is asked last.
 */
export async function verifySignIn<P extends Purpose>(
  { db, issuer, verifySignature }: Verification,
  posted: { message: string; signature: string },
  servesFor: (purpose: Purpose) => purpose is P,
): Promise<Result<VerifiedSignIn<P>, VerificationRefusal>> {
  const message = readMessage(issuer, posted.message)
  if (!message.ok) return message
  if (!servesFor(message.value.purpose)) return refused('message-invalid')
  const lifetime = checkLifetime(message.value, await readClock(db))
  if (!lifetime.ok) return lifetime
  const signature = await verifySignature({
    account: message.value.account,
    message: posted.message,
    signature: posted.signature as Hex,
  })
  return signature.ok ? ok(message.value as VerifiedSignIn<P>) : signature
}
