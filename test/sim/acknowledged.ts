import { createHash } from 'node:crypto'
import type { Address } from 'viem'

export type AcknowledgedSession = {
  readonly account: Address
  readonly tokenHash: Buffer
  /** By the simulated clock, in seconds. */
  readonly at: number
}

/** What the api has answered with success, and so may never lose; and what it was asked, beyond which nothing may happen. */
export class Acknowledged {
  readonly members = new Set<Address>()
  readonly sessions: AcknowledgedSession[] = []
  readonly signatures = new Map<Address, number>()

  /** A signature that was made and is sent, however often: good for one sign-in at most. */
  signed(account: Address): void {
    this.signatures.set(account, (this.signatures.get(account) ?? 0) + 1)
  }

  signedIn(account: Address, token: string, at: number): void {
    this.members.add(account)
    this.sessions.push({ account, tokenHash: createHash('sha256').update(token).digest(), at })
  }
}
