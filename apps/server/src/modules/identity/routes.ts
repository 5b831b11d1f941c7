import { type InvitationCode, ok, parseInvitationCode, refused } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import type { FastifyRequest } from 'fastify'
import type { ApiConfig } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import type { Mount } from '../../platform/http/mount.ts'
import { isListed } from '../../platform/http/peer.ts'
import type { Session } from '../../platform/http/session.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { browserOf } from './browser.ts'
import type { Challenges } from './challenges.ts'
import { chooseLanguage, logIn, logOut, register } from './commands.ts'
import { readProfile, readSignInSituation } from './queries.ts'
import { acceptRisk, readRisk } from './risk.ts'
import { mayRegister, parseAccount } from './rules.ts'
import { listSessions, revokeSessions } from './sessions.ts'
import type { LoginPurpose, Purpose, RegisterPurpose } from './sign-in-message.ts'

export type IdentityRoutes = {
  config: Pick<ApiConfig, 'chain' | 'registration' | 'trustedProxies'>
  db: Database
  challenges: Challenges
  /** How the session's account is protected. Passed in, because this module may not import the protection module. */
  readProtection: (session: Session) => Promise<DataOf<'account/profile'>['protection']>
  metrics: Metrics
}

export function mountIdentity(mount: Mount, options: IdentityRoutes): void {
  mountSignIn(mount, options)
  mountAccount(mount, options)
}

function mountSignIn(mount: Mount, { config, db, challenges, metrics }: IdentityRoutes): void {
  mount(
    'sign/check',
    async ({ input }) => {
      const account = parseAccount(input.account)
      if (!account) return refused('account-format')
      const invite = input.invite === undefined ? null : parseInvitationCode(input.invite)
      if (invite && !invite.ok) return invite
      const { now, registered, inviterTail } = await readSignInSituation(db, account, invite?.value ?? null)
      if (invite && inviterTail === null) return refused('invite-unknown')

      const purpose = purposeOf(registered, invite?.value ?? null, inviterTail)
      const message = purpose && challenges.write(account, purpose, now)
      return ok({ action: registered ? 'login' : 'register', message, inviterTail })
    },
    { limit: { kind: 'inviteLookup', when: (input) => input.invite !== undefined } },
  )

  mount(
    'sign/regist',
    async ({ input, request }) => {
      const allowed = mayRegister(config.registration, countryOf(config, request))
      if (!allowed.ok) return allowed
      const invite = parseInvitationCode(input.invite)
      if (!invite.ok) return invite
      const isForThisCode = (purpose: Purpose): purpose is RegisterPurpose =>
        purpose.kind === 'register' && purpose.invite === invite.value
      const signIn = await challenges.verify(input, isForThisCode)
      const { lang, device } = input
      const pool = config.chain.contracts
      const result = signIn.ok
        ? await register(db, signIn.value, { lang, pool, browser: browserOf(signIn.value.account, request, device) })
        : signIn
      faultPoint('api:after-commit')
      metrics.signIns.inc({ action: 'register', outcome: result.ok ? 'ok' : result.error })
      return result
    },
    { limit: { kind: 'signing' } },
  )

  mount(
    'sign/login',
    async ({ input, request }) => {
      const signIn = await challenges.verify(input, isLogin)
      const { lang, exit = false } = input
      const result = signIn.ok
        ? await logIn(db, signIn.value, { lang, exit, browser: browserOf(signIn.value.account, request, input.device) })
        : signIn
      faultPoint('api:after-commit')
      metrics.signIns.inc({ action: 'login', outcome: result.ok ? 'ok' : result.error })
      return result
    },
    { limit: { kind: 'signing' } },
  )
}

function mountAccount(mount: Mount, { db, readProtection }: IdentityRoutes): void {
  mount('account/profile', async ({ session }) => {
    const profile = await readProfile(db, session)
    // Another call has signed the member out since the session was checked.
    if (!profile) return refused('session-expired')
    const [protection, risk] = await Promise.all([readProtection(session), readRisk(db, session)])
    return ok({ ...profile, protection, risk })
  })

  mount('account/lang', async ({ session, input }) => {
    await chooseLanguage(db, session, input.lang)
    return ok({ lang: input.lang })
  })

  mount('account/accept-risk', ({ session, input }) => acceptRisk(db, session, input.version))

  mount('account/sessions', async ({ session }) => ok({ items: await listSessions(db, session) }))

  mount('account/sessions/revoke', async ({ session, input }) => {
    const revoked = await revokeSessions(db, session, input.session)
    return revoked === 0 && input.session !== 'others' ? refused('session-unknown') : ok({ revoked })
  })

  mount('account/logout', async ({ session }) => {
    await logOut(db, session)
    return ok({})
  })
}

/** The header counts only if it comes from a trusted proxy, because any client can send one. */
function countryOf(
  { registration, trustedProxies }: IdentityRoutes['config'],
  request: FastifyRequest,
): string | undefined {
  if (registration.kind !== 'by-country') return undefined
  if (!isListed(trustedProxies, request.socket.remoteAddress)) return undefined
  const value = request.headers[registration.header]
  return typeof value === 'string' ? value : undefined
}

const isLogin = (purpose: Purpose): purpose is LoginPurpose => purpose.kind === 'login'

/** Null if there is nothing to sign yet: a newcomer without an invitation. */
function purposeOf(registered: boolean, invite: InvitationCode | null, inviterTail: string | null): Purpose | null {
  if (registered) return { kind: 'login' }
  return invite !== null && inviterTail !== null ? { kind: 'register', invite, inviterTail } : null
}
