import { randomBytes } from 'node:crypto'
import type { Result } from '@lode/kernel'
import type { Address } from 'viem'
import type { VerifySignature } from '../../platform/chain/signature-verifier.ts'
import type { ApiConfig } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import type { VerifiedSignIn } from './commands.ts'
import { messageSite, NONCE_BYTES, type Purpose, writeMessage } from './sign-in-message.ts'
import { type VerificationRefusal, verifySignIn } from './verify-sign-in.ts'

type Options = {
  config: Pick<ApiConfig, 'publicOrigin' | 'chain' | 'nonceSecret'>
  db: Database
  verifySignature: VerifySignature
}

export type Challenges = {
  /** Writes the text that a wallet signs for one purpose. */
  write(account: Address, purpose: Purpose, now: Date): string
  /** Checks that the posted text is one of ours, is signed, and has a purpose that the caller accepts. */
  verify<P extends Purpose>(
    posted: { message: string; signature: string },
    isAccepted: (purpose: Purpose) => purpose is P,
  ): Promise<Result<VerifiedSignIn<P>, VerificationRefusal>>
}

export function createChallenges({ config, db, verifySignature }: Options): Challenges {
  const issuer = { ...messageSite(config.publicOrigin, config.chain.id), secret: config.nonceSecret }
  return {
    write: (account, purpose, now) =>
      writeMessage(issuer, { account, purpose, issuedAt: now, nonce: randomBytes(NONCE_BYTES) }),
    verify: (posted, isAccepted) => verifySignIn({ db, issuer, verifySignature }, posted, isAccepted),
  }
}
