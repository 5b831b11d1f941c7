import { ok, type Result, refused } from '@lode/kernel'
import type { Hex } from 'viem'
import type { SignatureRefusal, VerifySignature } from '../../platform/chain/signature-verifier.ts'
import { readClock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { VerifiedSignIn } from './commands.ts'
import { checkLifetime, type MessageIssuer, type Purpose, readMessage } from './sign-in-message.ts'

export type VerificationRefusal = 'message-invalid' | 'message-expired' | SignatureRefusal

type VerifyOptions = { db: Database; issuer: MessageIssuer; verifySignature: VerifySignature }

/**
 * Runs all checks of a signed message that need no transaction: this server wrote it, its purpose fits the command, it
 * has not expired, and the account that it names signed it. The signature comes last, because it may need the chain.
 */
export async function verifySignIn<P extends Purpose>(
  { db, issuer, verifySignature }: VerifyOptions,
  posted: { message: string; signature: string },
  isAccepted: (purpose: Purpose) => purpose is P,
): Promise<Result<VerifiedSignIn<P>, VerificationRefusal>> {
  const message = readMessage(issuer, posted.message)
  if (!message.ok) return message
  if (!isAccepted(message.value.purpose)) return refused('message-invalid')
  const lifetime = checkLifetime(message.value, await readClock(db))
  if (!lifetime.ok) return lifetime
  const signature = await verifySignature({
    account: message.value.account,
    message: posted.message,
    signature: posted.signature as Hex,
  })
  return signature.ok ? ok(message.value as VerifiedSignIn<P>) : signature
}
