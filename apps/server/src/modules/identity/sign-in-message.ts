import { createHmac, timingSafeEqual } from 'node:crypto'
import { type InvitationCode, ok, parseInvitationCode, type Result, refused } from '@lode/kernel'
import { type ChallengePurpose as ChallengeKind, challengePurposes } from '@lode/wire'
import { type Address, getAddress } from 'viem'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'

/** The fixed parts of every message. All come from the configuration, none from a request. */
export type MessageSite = {
  readonly domain: string
  readonly uri: string
  readonly chainId: number
}

/** `secret` is the key of the HMAC in the nonces. Only the api has it. */
export type MessageIssuer = MessageSite & { readonly secret: string }

export const messageSite = (publicOrigin: URL, chainId: number): MessageSite => ({
  domain: publicOrigin.host,
  uri: publicOrigin.origin,
  chainId,
})

export type LoginPurpose = { readonly kind: 'login' }
export type RegisterPurpose = {
  readonly kind: 'register'
  readonly invite: InvitationCode
  readonly inviterTail: string
}
type OutputAddressPurpose = { readonly kind: 'output-address'; readonly address: Address }
type PlainKind = Exclude<ChallengeKind, 'output-address'>
/** The purpose of a message that a signed-in member signs. Each message is valid for one purpose only. */
export type ChallengePurpose = { readonly kind: PlainKind } | OutputAddressPurpose
export type Purpose = LoginPurpose | RegisterPurpose | ChallengePurpose

export type SignInMessage = {
  readonly account: Address
  readonly purpose: Purpose
  readonly issuedAt: Date
  /** The random half of the nonce. The database stores it once the message is used. */
  readonly nonce: Buffer
}

export const NONCE_BYTES = 16
const MAC_BYTES = 16
const MESSAGE_LIFETIME_MS = 5 * 60_000

const NONCE_PATTERN = new RegExp(`^([0-9a-f]{${NONCE_BYTES * 2}})[0-9a-f]{${MAC_BYTES * 2}}$`)
const REGISTER_PATTERN =
  /^Lode: register with invitation code (\w+) of the member whose address ends in ([0-9a-fA-F]{6})\./

/** Clear warnings, so that a member who did not ask for this message notices an attempted theft. */
const CHALLENGE_STATEMENTS: Record<PlainKind, string> = {
  'fund-password-reset':
    'Lode: reset my fund password. Only sign this if you have lost it. The new one counts 72 hours from now.',
  'setup-code': 'Lode: give me a new set-up code for my first fund password.',
}

const OUTPUT_ADDRESS_PATTERN = /^Lode: change my output address to (0x[0-9a-fA-F]{40})\./

export const expiryOf = (message: Pick<SignInMessage, 'issuedAt'>): Date =>
  new Date(message.issuedAt.getTime() + MESSAGE_LIFETIME_MS)

/**
 * Writes the EIP-4361 text. Its nonce is 128 random bits, followed by an HMAC. The HMAC covers the whole text, in which
 * the nonce is still the random bits alone:
 *
 *     text(n)  = the message with n as its nonce
 *     nonce    = random ‖ HMAC(secret, text(random))
 *
 * So the server recognizes every field of its own messages without storing them. Only the nonces of used messages are
 * stored.
 */
export function writeMessage(issuer: MessageIssuer, message: SignInMessage): string {
  const random = message.nonce.toString('hex')
  const unsealed = writeText(issuer, message, random)
  const mac = createHmac('sha256', issuer.secret).update(unsealed).digest().subarray(0, MAC_BYTES)
  return writeText(issuer, message, random + mac.toString('hex'))
}

type Claim = Omit<SignInMessage, 'nonce'>

const writeText = (site: MessageSite, claim: Claim, nonce: string): string =>
  createSiweMessage({
    domain: site.domain,
    uri: site.uri,
    chainId: site.chainId,
    version: '1',
    address: claim.account,
    statement: writeStatement(claim.purpose),
    issuedAt: claim.issuedAt,
    expirationTime: expiryOf(claim),
    nonce,
  })

/**
 * Reads a message only if this server wrote exactly these bytes. It parses the text, writes the message again from the
 * parsed fields, and compares the two texts. Another domain, URI or chain, a changed account, purpose or time, an added
 * field or another spelling gives another text or another HMAC.
 */
export function readMessage(issuer: MessageIssuer, text: string): Result<SignInMessage, 'message-invalid'> {
  const parsed = parseText(text)
  if (!parsed) return refused('message-invalid')
  const message = { ...parsed.claim, nonce: parsed.random }
  return isSameText(writeMessage(issuer, message), text) ? ok(message) : refused('message-invalid')
}

/**
 * Reads what a wallet signed, for a process that does not know the secret. The text has exactly the form of this site's
 * messages, but anybody can have written it: only the wallet's signature proves something.
 */
export function readClaim(site: MessageSite, text: string): Claim | null {
  const parsed = parseText(text)
  return parsed && writeText(site, parsed.claim, parsed.nonce) === text ? parsed.claim : null
}

function parseText(text: string): { claim: Claim; nonce: string; random: Buffer } | null {
  const { address, statement, issuedAt, nonce = '' } = parseSiweMessage(text)
  const purpose = statement === undefined ? null : parsePurpose(statement)
  const random = NONCE_PATTERN.exec(nonce)?.[1]
  if (!address || !purpose || !issuedAt || !random) return null
  if (Number.isNaN(issuedAt.getTime()) || Math.abs(issuedAt.getTime()) > MAX_TIME_MS) return null
  return { claim: { account: getAddress(address), purpose, issuedAt }, nonce, random: Buffer.from(random, 'hex') }
}

/** About half of the largest Date, so that the expiry is a valid time too. */
const MAX_TIME_MS = 4_000_000_000_000_000

export function checkLifetime(message: SignInMessage, now: Date): Result<void, 'message-invalid' | 'message-expired'> {
  // Our messages are never from the future, unless the clock was set back after this one was written.
  if (message.issuedAt > now) return refused('message-invalid')
  return now < expiryOf(message) ? ok(undefined) : refused('message-expired')
}

/** EIP-4361 requires one ASCII line. The wallet shows it to the member before signing. */
function writeStatement(purpose: Purpose): string {
  const assurance = 'Signing is free and moves no money.'
  if (purpose.kind === 'login') return `Lode: login. ${assurance}`
  if (purpose.kind === 'register')
    return (
      `Lode: register with invitation code ${purpose.invite} of the member whose address ends in ${purpose.inviterTail}. ` +
      `The inviter cannot be changed later. ${assurance}`
    )
  if (purpose.kind === 'output-address')
    return (
      `Lode: change my output address to ${purpose.address}. From 48 hours later, everything that I take out goes ` +
      `there. Only sign this if you want that. ${assurance}`
    )
  return `${CHALLENGE_STATEMENTS[purpose.kind]} ${assurance}`
}

/** The purpose by the statement's wording. readMessage() verifies it by writing the text again. */
function parsePurpose(statement: string): Purpose | null {
  const plain = challengePurposes.find(
    (kind): kind is PlainKind => kind !== 'output-address' && statement.startsWith(CHALLENGE_STATEMENTS[kind]),
  )
  if (plain) return { kind: plain }
  const outputAddress = OUTPUT_ADDRESS_PATTERN.exec(statement)?.[1]
  if (outputAddress) return { kind: 'output-address', address: getAddress(outputAddress) }
  const register = REGISTER_PATTERN.exec(statement)
  if (!register) return { kind: 'login' }
  const invite = parseInvitationCode(register[1] ?? '')
  return invite.ok ? { kind: 'register', invite: invite.value, inviterTail: register[2] ?? '' } : null
}

function isSameText(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)]
  return left.length === right.length && timingSafeEqual(left, right)
}
