import { type InvitationCode, ok, parseInvitationCode, refused } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import type { FastifyRequest } from 'fastify'
import type { ApiConfig } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { isListed } from '../../platform/http/internal-caller.ts'
import type { Mount } from '../../platform/http/mount.ts'
import type { Session } from '../../platform/http/session.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { readBrowser } from './browser.ts'
import type { Challenges } from './challenges.ts'
import { chooseLanguage, logIn, logOut, register } from './commands.ts'
import { deviceCookie, readDevice } from './device-cookie.ts'
import { lookUpAccount, readProfile } from './queries.ts'
import { acceptRisk, readRiskAcceptance } from './risk-acceptance.ts'
import { checkRegistrationAllowed, parseAccount } from './rules.ts'
import { listSessions, revokeSessions } from './sessions.ts'
import type { LoginPurpose, Purpose, RegisterPurpose } from './sign-in-message.ts'

export type IdentityRoutesOptions = {
  config: Pick<ApiConfig, 'chain' | 'registration' | 'trustedProxies' | 'publicOrigin'>
  db: Database
  challenges: Challenges
  /** How the session's account is protected. Passed in, because this module may not import the protection module. */
  readProtection: (session: Session) => Promise<DataOf<'account/profile'>['protection']>
  metrics: Metrics
}

export function mountIdentity(mount: Mount, options: IdentityRoutesOptions): void {
  mountSignIn(mount, options)
  mountAccount(mount, options)
}

function mountSignIn(mount: Mount, { config, db, challenges, metrics }: IdentityRoutesOptions): void {
  mount(
    'sign/check',
    async ({ input }) => {
      const account = parseAccount(input.account)
      if (!account) return refused('account-format')
      const invite = input.invite === undefined ? null : parseInvitationCode(input.invite)
      if (invite && !invite.ok) return invite
      const { now, registered, inviterTail } = await lookUpAccount(db, account, invite?.value ?? null)
      if (invite && inviterTail === null) return refused('invite-unknown')

      const purpose = chooseSignInPurpose(registered, invite?.value ?? null, inviterTail)
      const message = purpose && challenges.write(account, purpose, now)
      return ok({ action: registered ? 'login' : 'register', message, inviterTail })
    },
    { limit: { kind: 'inviteLookup', when: (input) => input.invite !== undefined } },
  )

  mount(
    'sign/regist',
    async ({ input, request, setHeader }) => {
      const allowed = checkRegistrationAllowed(config.registration, readCountry(config, request))
      if (!allowed.ok) return allowed
      const invite = parseInvitationCode(input.invite)
      if (!invite.ok) return invite
      const isForThisCode = (purpose: Purpose): purpose is RegisterPurpose =>
        purpose.kind === 'register' && purpose.invite === invite.value
      const signIn = await challenges.verify(input, isForThisCode)
      const { lang } = input
      const device = readDevice(request, input.device)
      const pool = config.chain.contracts
      const result = signIn.ok
        ? await register(db, signIn.value, { lang, pool, browser: readBrowser(signIn.value.account, request, device) })
        : signIn
      faultPoint('api:after-commit')
      if (result.ok && device) setHeader('set-cookie', deviceCookie(device, config.publicOrigin))
      metrics.signIns.inc({ action: 'register', outcome: result.ok ? 'ok' : result.error })
      return result
    },
    { limit: { kind: 'signing' } },
  )

  mount(
    'sign/login',
    async ({ input, request, setHeader }) => {
      const device = readDevice(request, input.device)
      const signIn = await challenges.verify(input, isLogin)
      const { lang, exit = false } = input
      const result = signIn.ok
        ? await logIn(db, signIn.value, {
            lang,
            exit,
            browser: readBrowser(signIn.value.account, request, device),
          })
        : signIn
      faultPoint('api:after-commit')
      if (result.ok && device) setHeader('set-cookie', deviceCookie(device, config.publicOrigin))
      metrics.signIns.inc({ action: 'login', outcome: result.ok ? 'ok' : result.error })
      return result
    },
    { limit: { kind: 'signing' } },
  )
}

function mountAccount(mount: Mount, { db, readProtection }: IdentityRoutesOptions): void {
  mount('account/profile', async ({ session }) => {
    const profile = await readProfile(db, session)
    // Another call has signed the member out since the session was checked.
    if (!profile) return refused('session-expired')
    const [protection, risk] = await Promise.all([readProtection(session), readRiskAcceptance(db, session)])
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

/** The country that a trusted proxy reports. A header from anybody else is ignored, because any client can send one. */
function readCountry(
  { registration, trustedProxies }: IdentityRoutesOptions['config'],
  request: FastifyRequest,
): string | undefined {
  if (registration.kind !== 'by-country') return undefined
  if (!isListed(trustedProxies, request.socket.remoteAddress)) return undefined
  const value = request.headers[registration.header]
  return typeof value === 'string' ? value : undefined
}

const isLogin = (purpose: Purpose): purpose is LoginPurpose => purpose.kind === 'login'

/** Null for an unregistered account without an invitation code: there is nothing to sign yet. */
function chooseSignInPurpose(
  registered: boolean,
  invite: InvitationCode | null,
  inviterTail: string | null,
): Purpose | null {
  if (registered) return { kind: 'login' }
  return invite !== null && inviterTail !== null ? { kind: 'register', invite, inviterTail } : null
}
