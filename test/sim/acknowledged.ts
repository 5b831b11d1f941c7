import { createHash } from 'node:crypto'
import type { Asset } from '@lode/kernel'
import type { Address, Hex } from 'viem'

export type AcknowledgedSession = {
  readonly account: Address
  readonly tokenHash: Buffer
  /** Seconds, by the simulated clock. */
  readonly at: number
}

export type AcknowledgedTransfer = {
  readonly id: string
  readonly account: Address
  readonly asset: Asset
  readonly amount: bigint
  readonly address: string
  /**
   * If the request came from a browser other than that of registration: when that browser was first seen, in seconds.
   */
  readonly browserSeenAt: number | null
}

export type AcknowledgedOrder = {
  readonly id: string
  readonly account: Address
  readonly planVersion: number
  /** The level of a promotion, or the term of a pledge. */
  readonly level: number | null
  readonly termDays: number | null
  readonly amount: bigint
  readonly part: bigint
}

/** A level that a step wrote by hand into the database, and the settlement after which it did. */
export type GivenLevel = { readonly account: Address; readonly after: bigint }

/** A payout pause: its start in seconds by the simulated clock, and its end or the first attempt to end it. */
export type Pause = { readonly from: number; until: number }

/**
 * Everything that the api answered with success, which it may never lose; and every request, because nothing else may
 * happen.
 */
export class Acknowledged {
  readonly members = new Set<Address>()
  sessions: AcknowledgedSession[] = []
  readonly signatures = new Map<Address, number>()

  readonly transfers = new Map<string, AcknowledgedTransfer>()
  readonly canceledTransfers = new Set<string>()
  readonly rejections = new Set<string>()
  /** The operators who approved a transfer or tried to. */
  readonly approvals = new Map<string, Set<string>>()
  readonly pauses: Pause[] = []
  /** The reasons of the stops that a step made. Any other stop is an error. */
  readonly stops = new Set<string>()

  /** The transactions by which a step let money leave the vault or cold storage without a payout. */
  readonly thefts = new Set<Hex>()
  /** Balances of the vault that a step lowered without a transaction. */
  readonly silentLosses: { readonly asset: Asset; readonly amount: bigint }[] = []

  readonly orders = new Map<string, AcknowledgedOrder>()
  /** Orders that a member canceled or tried to cancel. */
  readonly orderCancels = new Set<string>()
  readonly givenLevels: GivenLevel[] = []
  /** The total of claimed Thanksgiving rewards, by account. */
  readonly claims = new Map<Address, bigint>()
  /** The total of collected dividends (BTC) and partner rewards (USDT), by account. */
  readonly collected = { BTC: new Map<Address, bigint>(), USDT: new Map<Address, bigint>() }
  /** By day number: the operators who approved the day or tried to. */
  readonly dayApprovals = new Map<number, Set<string>>()
  /** By kind of appointment and lowercase address: the operators who signed it or tried to. */
  readonly appointments = new Map<string, Set<string>>()

  /** Counts a signature. It allows at most one sign-in, however often it is sent. */
  countSignature(account: Address): void {
    this.signatures.set(account, (this.signatures.get(account) ?? 0) + 1)
  }

  recordSignIn(account: Address, token: string, at: number): void {
    this.members.add(account)
    this.sessions.push({ account, tokenHash: hashOf(token), at })
  }

  /** Every session of the account except the one with this token was ended. */
  recordRevokedSessions(account: Address, token: string | null): void {
    const kept = token === null ? null : hashOf(token)
    this.sessions = this.sessions.filter(
      (session) => session.account !== account || (kept !== null && session.tokenHash.equals(kept)),
    )
  }
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
