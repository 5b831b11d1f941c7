import { createHmac, timingSafeEqual } from 'node:crypto'
import { type InvitationCode, ok, parseInvitationCode, type Result, refused } from '@lode/kernel'
import { type ChallengePurpose as ChallengeKind, challengePurposes } from '@lode/wire'
import { type Address, getAddress } from 'viem'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'

/** For whom and with which key messages are made: all of it from the configuration, nothing from a request. */
export type MessageIssuer = {
  readonly domain: string
  readonly uri: string
  readonly chainId: number
  readonly secret: string
}

export type LoginPurpose = { readonly kind: 'login' }
export type RegisterPurpose = {
  readonly kind: 'register'
  readonly invite: InvitationCode
  readonly inviterTail: string
}
/** What a member signs for while signed in: each for itself alone. */
type ChallengePurpose<Kind extends ChallengeKind = ChallengeKind> = { readonly kind: Kind }
export type Purpose = LoginPurpose | RegisterPurpose | ChallengePurpose

export type SignInMessage = {
  readonly account: Address
  readonly purpose: Purpose
  readonly issuedAt: Date
  /** The random half of the nonce, by which a consumed message is known. */
  readonly nonce: Buffer
}

export const NONCE_BYTES = 16
const MAC_BYTES = 16
const LIFETIME_MS = 5 * 60_000

const NONCE = new RegExp(`^([0-9a-f]{${NONCE_BYTES * 2}})[0-9a-f]{${MAC_BYTES * 2}}$`)
const REGISTER = /^Lode: register with invitation code (\w+) of the member whose address ends in ([0-9a-fA-F]{6})\./

/** Whoever is asked to sign one of these without having pressed the button for it is being robbed, and should see so. */
const CHALLENGES: Record<ChallengeKind, string> = {
  'fund-password-reset':
    'Lode: reset my fund password. Only sign this if you have lost it. The new one counts 72 hours from now.',
  'setup-code': 'Lode: give me a new set-up code for my first fund password.',
}

export const expiryOf = (message: SignInMessage): Date => new Date(message.issuedAt.getTime() + LIFETIME_MS)

/**
 * The EIP-4361 text. Its nonce is 128 random bits followed by an HMAC over the whole text as it reads with the random half
 * alone:
 *
 *     text(n)  = the message with n as its nonce
 *     nonce    = random ‖ HMAC(secret, text(random))
 *
 * So the server knows its own messages again, every field of them, without having stored one; only what was consumed is.
 */
export function writeMessage(issuer: MessageIssuer, message: SignInMessage): string {
  const text = (nonce: string) =>
    createSiweMessage({
      domain: issuer.domain,
      uri: issuer.uri,
      chainId: issuer.chainId,
      version: '1',
      address: message.account,
      statement: statementOf(message.purpose),
      issuedAt: message.issuedAt,
      expirationTime: expiryOf(message),
      nonce,
    })
  const random = message.nonce.toString('hex')
  const mac = createHmac('sha256', issuer.secret).update(text(random)).digest().subarray(0, MAC_BYTES)
  return text(random + mac.toString('hex'))
}

/**
 * Reads a message back only if it is, to the byte, one that this server wrote: what can be read of it is written anew, and
 * must come out the same. A foreign domain, URI or chain, a changed account, purpose or time, an added field, another
 * spelling of the same: each gives another text or another HMAC.
 */
export function readMessage(issuer: MessageIssuer, text: string): Result<SignInMessage, 'message-invalid'> {
  const { address, statement, issuedAt, nonce } = parseSiweMessage(text)
  const purpose = statement === undefined ? null : purposeOf(statement)
  const random = NONCE.exec(nonce ?? '')?.[1]
  if (!address || !purpose || !issuedAt || !random) return refused('message-invalid')
  if (Number.isNaN(issuedAt.getTime()) || Math.abs(issuedAt.getTime()) > MAX_TIME) return refused('message-invalid')
  const message = { account: getAddress(address), purpose, issuedAt, nonce: Buffer.from(random, 'hex') }
  return equalTexts(writeMessage(issuer, message), text) ? ok(message) : refused('message-invalid')
}

/** Half of what a Date can hold, so that the expiry is a time too. */
const MAX_TIME = 4_000_000_000_000_000

export function checkLifetime(message: SignInMessage, now: Date): Result<void, 'message-invalid' | 'message-expired'> {
  // Ours are never from the future; one that is was made before the clock was set back.
  if (message.issuedAt > now) return refused('message-invalid')
  return now < expiryOf(message) ? ok(undefined) : refused('message-expired')
}

/** EIP-4361 wants one ASCII line; it is what the member reads in the wallet before signing. */
function statementOf(purpose: Purpose): string {
  const assurance = 'Signing is free and moves no money.'
  if (purpose.kind === 'login') return `Lode: login. ${assurance}`
  if (purpose.kind !== 'register') return `${CHALLENGES[purpose.kind]} ${assurance}`
  return (
    `Lode: register with invitation code ${purpose.invite} of the member whose address ends in ${purpose.inviterTail}. ` +
    `The inviter cannot be changed later. ${assurance}`
  )
}

/** What a statement seems to say; that it says exactly that is shown by writing it anew. */
function purposeOf(statement: string): Purpose | null {
  const challenge = challengePurposes.find((kind) => statement.startsWith(CHALLENGES[kind]))
  if (challenge) return { kind: challenge }
  const register = REGISTER.exec(statement)
  if (!register) return { kind: 'login' }
  const invite = parseInvitationCode(register[1] ?? '')
  return invite.ok ? { kind: 'register', invite: invite.value, inviterTail: register[2] ?? '' } : null
}

function equalTexts(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)]
  return left.length === right.length && timingSafeEqual(left, right)
}
