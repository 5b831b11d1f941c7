import { createHash } from 'node:crypto'
import type { Asset } from '@lode/kernel'
import type { Address } from 'viem'

export type AcknowledgedSession = {
  readonly account: Address
  readonly tokenHash: Buffer
  /** By the simulated clock, in seconds. */
  readonly at: number
}

export type AcknowledgedTransfer = {
  readonly id: string
  readonly account: Address
  readonly asset: Asset
  readonly amount: bigint
  readonly address: string
  /** Where it was asked for from a browser that the account was not registered from: when that was first seen, in seconds. */
  readonly browserSeenAt: number | null
}

export type AcknowledgedOrder = {
  readonly id: string
  readonly account: Address
  readonly planVersion: number
  /** Of a promotion the level, of a pledge the term. */
  readonly level: number | null
  readonly termDays: number | null
  readonly amount: bigint
  readonly part: bigint
}

/** A level that somebody was given by hand, and after which settlement. */
export type GivenLevel = { readonly account: Address; readonly after: bigint }

/** Payouts were paused from then, in seconds by the simulated clock, until it ended or somebody began to end it. */
export type Pause = { readonly from: number; until: number }

/** What the api has answered with success, and so may never lose; and what it was asked, beyond which nothing may happen. */
export class Acknowledged {
  readonly members = new Set<Address>()
  sessions: AcknowledgedSession[] = []
  readonly signatures = new Map<Address, number>()

  readonly transfers = new Map<string, AcknowledgedTransfer>()
  readonly cancelled = new Set<string>()
  readonly rejections = new Set<string>()
  /** Who approved a transfer, or at least tried to. */
  readonly approvals = new Map<string, Set<string>>()
  readonly pauses: Pause[] = []

  readonly orders = new Map<string, AcknowledgedOrder>()
  /** Those that somebody cancelled, or at least tried to. */
  readonly orderCancels = new Set<string>()
  readonly givenLevels: GivenLevel[] = []
  /** What was claimed of Thanksgiving, in sum. */
  readonly claims = new Map<Address, bigint>()
  /** What was collected as a dividend and as a partner, in sum. */
  readonly collected = { BTC: new Map<Address, bigint>(), USDT: new Map<Address, bigint>() }
  /** By the number of the day: the operators who approved it, or at least tried to. */
  readonly dayApprovals = new Map<number, Set<string>>()
  /** By what and the address in lower case: the operators who signed it, or at least tried to. */
  readonly appointments = new Map<string, Set<string>>()

  /** A signature that was made and is sent, however often: good for one sign-in at most. */
  signed(account: Address): void {
    this.signatures.set(account, (this.signatures.get(account) ?? 0) + 1)
  }

  signedIn(account: Address, token: string, at: number): void {
    this.members.add(account)
    this.sessions.push({ account, tokenHash: hashOf(token), at })
  }

  /** All sessions of the account but the one with this token were ended. */
  revokedOthers(account: Address, token: string | null): void {
    const kept = token === null ? null : hashOf(token)
    this.sessions = this.sessions.filter(
      (session) => session.account !== account || (kept !== null && session.tokenHash.equals(kept)),
    )
  }
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
