import { ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import {
  keyProofFromRow,
  type SignatureRefusal,
  type VerifySignature,
} from '../../platform/chain/signature-verifier.ts'
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
  const { account } = message.value
  const { rows } = await sql<{ message: string; signature: Buffer }>`
    select proof.message, proof.signature from lode.member join lode.key_proof as proof on proof.member_id = member.id
    where member.account = ${bytesOf(account)}`.execute(db)
  const signed = { message: posted.message, signature: posted.signature as Hex }
  const verified = await verifySignature({ account, ...signed, keyProof: keyProofFromRow(rows[0]) })
  if (!verified.ok) return verified
  return ok({ ...message.value, keyProof: verified.value === 'key' ? signed : null } as VerifiedSignIn<P>)
}
