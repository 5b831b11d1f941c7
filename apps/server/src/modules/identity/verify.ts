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
 * Everything about a signed message that needs no transaction: that it is ours to the byte, was made for what is being done,
 * has not run out, and was signed by the account that it names. The cheap checks come first; the chain is asked last.
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
