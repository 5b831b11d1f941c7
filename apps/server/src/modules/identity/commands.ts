import { type InvitationCode, ok, type Result, refused } from '@lode/kernel'
import { defaultLanguage, type Language, type SessionMode } from '@lode/wire'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { addressFromColumn, addressTail, bytesOf } from '../../platform/chain/hex-column.ts'
import type { SignedText } from '../../platform/chain/signature-verifier.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database, DatabaseTransaction } from '../../platform/db/database.ts'
import { runTransaction } from '../../platform/db/transaction.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import type { Session } from '../../platform/http/session.ts'
import { creditSuspense, isReservedAddress, lockAddresses } from '../custody/index.ts'
import { placeMember } from '../team/index.ts'
import type { Browser } from './browser.ts'
import { hashSetupCode, hashToken, newInvitationCode, newSessionId, newSetupCode, newToken } from './secrets.ts'
import {
  expiryOf,
  type LoginPurpose,
  type Purpose,
  type RegisterPurpose,
  type SignInMessage,
} from './sign-in-message.ts'

declare const verified: unique symbol

/** A message whose signature was verified. Commands accept only this type, so none can run on an unverified claim. */
export type VerifiedSignIn<P extends Purpose = Purpose> = SignInMessage & {
  readonly purpose: P
  /** The signed text, if the account's own key signed it; null if its contract accepted the signature. */
  readonly keyProof: SignedText | null
  readonly [verified]: true
}

const CODE_ATTEMPTS = 10

type SignedIn = { token: string; account: Address; lang: Language }
type RegisterRefusal =
  | 'signature-used'
  | 'invite-unknown'
  | 'message-invalid'
  | 'account-registered'
  | 'account-reserved'

export function register(
  db: Database,
  signIn: VerifiedSignIn<RegisterPurpose>,
  { lang, browser, pool }: { lang: Language; browser: Browser; pool: PoolContracts },
): Promise<Result<SignedIn & { setupCode: string }, RegisterRefusal>> {
  return runTransaction(db, async (trx) => {
    if (!(await consumeNonce(trx, signIn))) return refused('signature-used')
    const { rows: sponsors } = await sql<{ id: bigint; account: Buffer; now: Date }>`
      select id, account, lode.now() as now from lode.member where invite_code = ${signIn.purpose.invite}`.execute(trx)
    const [sponsor] = sponsors
    if (!sponsor) return refused('invite-unknown')
    if (addressTail(addressFromColumn(sponsor.account)) !== signIn.purpose.inviterTail)
      return refused('message-invalid')
    await lockAddresses(trx, [signIn.account])
    if (await isReservedAddress(trx, pool, signIn.account)) return refused('account-reserved')
    const member = await insertMember(trx, {
      account: bytesOf(signIn.account),
      sponsorId: sponsor.id,
      lang,
      lastLoginAt: sponsor.now,
    })
    if (!member) return refused('account-registered')
    await rememberKey(trx, member.id, signIn)
    const setupCode = newSetupCode()
    await sql`
      insert into lode.setup_code (member_id, code_hash) values (${member.id}, ${hashSetupCode(setupCode)})`.execute(
      trx,
    )
    const token = await openSession(trx, {
      memberId: member.id,
      mode: 'full',
      at: sponsor.now,
      previousLoginAt: null,
      browser,
    })
    // Called as late as possible, because other registrations wait for the locks on places. But these locks come before
    // those on ledger accounts: every transaction takes them in this order.
    await placeMember(trx, member.id)
    await creditSuspense(trx, { id: member.id, account: signIn.account })
    faultPoint('api:before-commit')
    return ok({ token, account: signIn.account, lang, setupCode })
  })
}

export function logIn(
  db: Database,
  signIn: VerifiedSignIn<LoginPurpose>,
  options: { lang: Language; exit: boolean; browser: Browser },
): Promise<Result<SignedIn, 'signature-used' | 'account-unknown' | 'account-disabled'>> {
  return runTransaction(db, async (trx) => {
    if (!(await consumeNonce(trx, signIn))) return refused('signature-used')
    // Takes the same lock as disable_member.sql, so that no full session opens while the account is being disabled.
    const { rows } = await sql<{ id: bigint; disabled_at: Date | null; last_login_at: Date | null; now: Date }>`
      select id, disabled_at, last_login_at, lode.now() as now
      from lode.member where account = ${bytesOf(signIn.account)} for no key update`.execute(trx)
    const [member] = rows
    if (!member) return refused('account-unknown')
    if (member.disabled_at && !options.exit) return refused('account-disabled')
    await sql`
      update lode.member set lang = ${options.lang}, last_login_at = ${member.now} where id = ${member.id}`.execute(trx)
    await rememberKey(trx, member.id, signIn)
    const token = await openSession(trx, {
      memberId: member.id,
      mode: options.exit ? 'exit' : 'full',
      at: member.now,
      previousLoginAt: member.last_login_at,
      browser: options.browser,
    })
    faultPoint('api:before-commit')
    return ok({ token, account: signIn.account, lang: options.lang })
  })
}

/** Marks the nonce as used. True only for the first post of a signature; concurrent posts wait for it and get false. */
export async function consumeNonce(trx: DatabaseTransaction, signIn: VerifiedSignIn): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into lode.consumed_nonce (nonce, expires_at) values (${signIn.nonce}, ${expiryOf(signIn)})
    on conflict do nothing`.execute(trx)
  return numAffectedRows === 1n
}

/** From the first sign-in with the account's own key on, no chain node is asked about its signatures. */
async function rememberKey(trx: DatabaseTransaction, memberId: bigint, { keyProof }: VerifiedSignIn): Promise<void> {
  if (keyProof)
    await sql`select lode.remember_key(${memberId}, ${keyProof.message}, ${bytesOf(keyProof.signature)})`.execute(trx)
}

type NewMember = { account: Buffer; sponsorId: bigint | null; lang: Language; lastLoginAt: Date | null }

/** Null if the account is already registered. If the invitation code is taken, another one is drawn. */
async function insertMember(
  trx: DatabaseTransaction,
  { account, sponsorId, lang, lastLoginAt }: NewMember,
): Promise<{ id: bigint; inviteCode: InvitationCode } | null> {
  for (let attempt = 0; attempt < CODE_ATTEMPTS; attempt += 1) {
    const inviteCode = newInvitationCode()
    const { rows } = await sql<{ id: bigint }>`
      insert into lode.member (account, invite_code, sponsor_id, lang, last_login_at)
      values (${account}, ${inviteCode}, ${sponsorId}, ${lang}, ${lastLoginAt})
      on conflict do nothing
      returning id`.execute(trx)
    const [inserted] = rows
    if (inserted) return { id: inserted.id, inviteCode }
    const registered = await sql`select from lode.member where account = ${account}`.execute(trx)
    if (registered.rows.length > 0) return null
  }
  throw new Error(`no free invitation code in ${CODE_ATTEMPTS} draws`)
}

type NewSession = { memberId: bigint; mode: SessionMode; at: Date; previousLoginAt: Date | null; browser: Browser }

/** How many sessions a member can have. When another one opens, the oldest is deleted. */
const MAX_SESSIONS = 20

async function openSession(trx: DatabaseTransaction, session: NewSession): Promise<string> {
  const token = newToken()
  const id = newSessionId(session.at)
  const { deviceHash, userAgent } = session.browser
  // Session ids sort by the time at which they were made.
  await sql`
    delete from lode.session where id in (
      select id from lode.session where member_id = ${session.memberId}
      order by id desc offset ${MAX_SESSIONS - 1})`.execute(trx)
  await sql`
    insert into lode.session (id, token_hash, member_id, mode, previous_login_at, device_hash, user_agent)
    values (${id}, ${hashToken(token)}, ${session.memberId}, ${session.mode}, ${session.previousLoginAt}, ${deviceHash},
            ${userAgent})`.execute(trx)
  if (deviceHash) await sql`select lode.see_device(${session.memberId}, ${id}, ${deviceHash})`.execute(trx)
  return token
}

export async function logOut(db: Database, session: Session): Promise<void> {
  await sql`delete from lode.session where id = ${session.id}`.execute(db)
}

export async function chooseLanguage(db: Database, session: Session, lang: Language): Promise<void> {
  await sql`update lode.member set lang = ${lang} where id = ${session.memberId}`.execute(db)
}

/** Creates the first member. A repeated call for the same account returns its code, so set-up can be repeated. */
export function createFirstMember(db: Database, account: Address): Promise<Result<string, 'root-exists'>> {
  return runTransaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('lode: the root'))`.execute(trx)
    const { rows } = await sql<{ account: Buffer; invite_code: string }>`
      select account, invite_code from lode.member where sponsor_id is null`.execute(trx)
    const [root] = rows
    if (root) return root.account.equals(bytesOf(account)) ? ok(root.invite_code) : refused('root-exists')
    const member = { account: bytesOf(account), sponsorId: null, lang: defaultLanguage, lastLoginAt: null }
    const created = await insertMember(trx, member)
    if (!created) throw new Error('the first member could not be inserted, because its account is registered')
    await placeMember(trx, created.id)
    // The worker credits what this address sent before.
    await sql`insert into lode.suspense_due (member) values (${created.id})`.execute(trx)
    return ok(created.inviteCode)
  })
}
