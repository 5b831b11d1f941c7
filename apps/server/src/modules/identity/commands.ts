import { type InvitationCode, ok, type Result, refused } from '@lode/kernel'
import { defaultLanguage, type Language, type SessionMode } from '@lode/wire'
import { sql, type Transaction } from 'kysely'
import type { Address } from 'viem'
import { addressFromColumn, bytesOf, tailOf } from '../../platform/chain/column.ts'
import { now, readClock } from '../../platform/clock/clock.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { transaction } from '../../platform/db/transaction.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import type { Session } from '../../platform/http/session.ts'
import { creditSuspense, isReserved, lockAddresses } from '../custody/index.ts'
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

/** A message whose signature was verified. Commands take nothing less, so none can be called with a mere claim. */
export type VerifiedSignIn<P extends Purpose = Purpose> = SignInMessage & {
  readonly purpose: P
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
  return transaction(db, async (inside) => {
    if (!(await consumeNonce(inside, signIn))) return refused('signature-used')
    const sponsor = await inside
      .selectFrom('lode.member')
      .select(['id', 'account', now.as('now')])
      .where('invite_code', '=', signIn.purpose.invite)
      .executeTakeFirst()
    if (!sponsor) return refused('invite-unknown')
    if (tailOf(addressFromColumn(sponsor.account)) !== signIn.purpose.inviterTail) return refused('message-invalid')
    await lockAddresses(inside, [signIn.account])
    if (await isReserved(inside, pool, signIn.account)) return refused('account-reserved')
    const member = await insertMember(inside, {
      account: bytesOf(signIn.account),
      sponsor_id: sponsor.id,
      lang,
      last_login_at: sponsor.now,
    })
    if (!member) return refused('account-registered')
    const setupCode = newSetupCode()
    await inside
      .insertInto('lode.setup_code')
      .values({ member_id: member.id, code_hash: hashSetupCode(setupCode) })
      .execute()
    const token = await openSession(inside, {
      memberId: member.id,
      mode: 'full',
      at: sponsor.now,
      previousLoginAt: null,
      browser,
    })
    // Late, for others wait for these locks; and before the ledger's, for whoever takes both takes them in this order.
    await placeMember(inside, member.id)
    await creditSuspense(inside, { id: member.id, account: signIn.account })
    faultPoint('api:before-commit')
    return ok({ token, account: signIn.account, lang, setupCode })
  })
}

export function logIn(
  db: Database,
  signIn: VerifiedSignIn<LoginPurpose>,
  terms: { lang: Language; exit: boolean; browser: Browser },
): Promise<Result<SignedIn, 'signature-used' | 'account-unknown' | 'account-disabled'>> {
  return transaction(db, async (inside) => {
    if (!(await consumeNonce(inside, signIn))) return refused('signature-used')
    // Under the same lock that disabling takes: no full session can be opened past a disabling that is under way.
    const member = await inside
      .selectFrom('lode.member')
      .select(['id', 'disabled_at', 'last_login_at', now.as('now')])
      .where('account', '=', bytesOf(signIn.account))
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!member) return refused('account-unknown')
    if (member.disabled_at && !terms.exit) return refused('account-disabled')
    await inside
      .updateTable('lode.member')
      .set({ lang: terms.lang, last_login_at: member.now })
      .where('id', '=', member.id)
      .execute()
    const token = await openSession(inside, {
      memberId: member.id,
      mode: terms.exit ? 'exit' : 'full',
      at: member.now,
      previousLoginAt: member.last_login_at,
      browser: terms.browser,
    })
    faultPoint('api:before-commit')
    return ok({ token, account: signIn.account, lang: terms.lang })
  })
}

/** Of any number of posts of one signature the insert lets one through; the others wait for it and then find it there. */
export async function consumeNonce(inside: Transaction<Tables>, signIn: VerifiedSignIn): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await inside
    .insertInto('lode.consumed_nonce')
    .values({ nonce: signIn.nonce, expires_at: expiryOf(signIn) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

type NewMember = { account: Buffer; sponsor_id: bigint | null; lang: Language; last_login_at: Date | null }

/** Null where the account is registered already. A taken invitation code is only a reason to draw another. */
async function insertMember(
  inside: Transaction<Tables>,
  member: NewMember,
): Promise<{ id: bigint; inviteCode: InvitationCode } | null> {
  for (let attempt = 0; attempt < CODE_ATTEMPTS; attempt += 1) {
    const inviteCode = newInvitationCode()
    const inserted = await inside
      .insertInto('lode.member')
      .values({ ...member, invite_code: inviteCode })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (inserted) return { id: inserted.id, inviteCode }
    const { account } = member
    const taken = await inside.selectFrom('lode.member').select('id').where('account', '=', account).executeTakeFirst()
    if (taken) return null
  }
  throw new Error(`no free invitation code in ${CODE_ATTEMPTS} draws`)
}

type NewSession = { memberId: bigint; mode: SessionMode; at: Date; previousLoginAt: Date | null; browser: Browser }

/** Beyond this many the oldest goes: sessions are as many as devices, not as many as somebody cares to open. */
const MOST_SESSIONS = 20

async function openSession(inside: Transaction<Tables>, session: NewSession): Promise<string> {
  const token = newToken()
  const id = newSessionId(session.at)
  const { deviceHash, userAgent } = session.browser
  await inside
    .deleteFrom('lode.session')
    .where('id', 'in', (older) =>
      older
        .selectFrom('lode.session')
        .select('id')
        .where('member_id', '=', session.memberId)
        // Ids sort by the time at which they were made.
        .orderBy('id', 'desc')
        .offset(MOST_SESSIONS - 1),
    )
    .execute()
  await inside
    .insertInto('lode.session')
    .values({
      id,
      token_hash: hashToken(token),
      member_id: session.memberId,
      mode: session.mode,
      previous_login_at: session.previousLoginAt,
      device_hash: deviceHash,
      user_agent: userAgent,
    })
    .execute()
  if (deviceHash) await sql`select lode.see_device(${session.memberId}, ${id}, ${deviceHash})`.execute(inside)
  return token
}

export async function logOut(db: Database, session: Session): Promise<void> {
  await db.deleteFrom('lode.session').where('id', '=', session.id).execute()
}

export async function chooseLanguage(db: Database, session: Session, lang: Language): Promise<void> {
  await db.updateTable('lode.member').set({ lang }).where('id', '=', session.memberId).execute()
}

/** The first member. Asking again for the same one answers with its code, so that a set-up can be repeated. */
export function createRoot(db: Database, account: Address): Promise<Result<string, 'root-exists'>> {
  return transaction(db, async (inside) => {
    await sql`select pg_advisory_xact_lock(hashtext('lode: the root'))`.execute(inside)
    const root = await inside
      .selectFrom('lode.member')
      .select(['account', 'invite_code'])
      .where('sponsor_id', 'is', null)
      .executeTakeFirst()
    if (root) return root.account.equals(bytesOf(account)) ? ok(root.invite_code) : refused('root-exists')
    const member = { account: bytesOf(account), sponsor_id: null, lang: defaultLanguage, last_login_at: null }
    const created = await insertMember(inside, member)
    if (!created) throw new Error('a member without a root')
    await placeMember(inside, created.id)
    return ok(created.inviteCode)
  })
}

/** Disabling ends full sessions in the same transaction; an exit session, and what is paid to the account, goes on. */
export function disableAccount(db: Database, account: Address): Promise<Result<void, 'account-unknown'>> {
  return transaction(db, async (inside) => {
    const at = await readClock(inside)
    const member = await inside
      .updateTable('lode.member')
      .set((value) => ({ disabled_at: value.fn.coalesce('disabled_at', value.val(at)) }))
      .where('account', '=', bytesOf(account))
      .returning('id')
      .executeTakeFirst()
    if (!member) return refused('account-unknown')
    await inside.deleteFrom('lode.session').where('member_id', '=', member.id).where('mode', '=', 'full').execute()
    return ok(undefined)
  })
}

export function enableAccount(db: Database, account: Address): Promise<Result<void, 'account-unknown'>> {
  return transaction(db, async (inside) => {
    const { numUpdatedRows } = await inside
      .updateTable('lode.member')
      .set({ disabled_at: null })
      .where('account', '=', bytesOf(account))
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 0n ? refused('account-unknown') : ok(undefined)
  })
}
