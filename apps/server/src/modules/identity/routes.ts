import { randomBytes } from 'node:crypto'
import { type InvitationCode, ok, parseInvitationCode, refused } from '@lode/kernel'
import type { FastifyRequest } from 'fastify'
import type { VerifySignature } from '../../platform/chain/signature.ts'
import type { ApiConfig } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import type { Mount } from '../../platform/http/mount.ts'
import { isListed } from '../../platform/http/peer.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { chooseLanguage, logIn, logOut, register } from './commands.ts'
import { readProfile, readSignInSituation } from './queries.ts'
import { mayRegister, parseAccount } from './rules.ts'
import { type LoginPurpose, NONCE_BYTES, type Purpose, type RegisterPurpose, writeMessage } from './sign-in-message.ts'
import { verifySignIn } from './verify.ts'

export type IdentityRoutes = {
  config: Pick<ApiConfig, 'publicOrigin' | 'chain' | 'nonceSecret' | 'registration' | 'trustedProxies'>
  db: Database
  verifySignature: VerifySignature
  metrics: Metrics
}

export function mountIdentity(mount: Mount, { config, db, verifySignature, metrics }: IdentityRoutes): void {
  const issuer = {
    domain: config.publicOrigin.host,
    uri: config.publicOrigin.origin,
    chainId: config.chain.id,
    secret: config.nonceSecret,
  }
  const verification = { db, issuer, verifySignature }

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
      const nonce = randomBytes(NONCE_BYTES)
      const message = purpose && writeMessage(issuer, { account, purpose, issuedAt: now, nonce })
      return ok({ action: registered ? 'login' : 'register', message, inviterTail })
    },
    { limit: { kind: 'inviteLookup', when: (input) => input.invite !== undefined } },
  )

  mount(
    'sign/regist',
    async ({ input, request }) => {
      const allowed = mayRegister(config.registration, countryOf(request))
      if (!allowed.ok) return allowed
      const invite = parseInvitationCode(input.invite)
      if (!invite.ok) return invite
      const isForThisCode = (purpose: Purpose): purpose is RegisterPurpose =>
        purpose.kind === 'register' && purpose.invite === invite.value
      const signIn = await verifySignIn(verification, input, isForThisCode)
      const result = signIn.ok
        ? await register(db, signIn.value, { lang: input.lang, pool: config.chain.contracts })
        : signIn
      faultPoint('api:after-commit')
      metrics.signIns.inc({ action: 'register', outcome: result.ok ? 'ok' : result.error })
      return result
    },
    { limit: { kind: 'signing' } },
  )

  mount(
    'sign/login',
    async ({ input }) => {
      const signIn = await verifySignIn(verification, input, isLogin)
      const terms = { lang: input.lang, exit: input.exit ?? false }
      const result = signIn.ok ? await logIn(db, signIn.value, terms) : signIn
      faultPoint('api:after-commit')
      metrics.signIns.inc({ action: 'login', outcome: result.ok ? 'ok' : result.error })
      return result
    },
    { limit: { kind: 'signing' } },
  )

  mount('account/profile', async ({ session }) => {
    const profile = await readProfile(db, session)
    // Signed out by another call between the guard and here.
    return profile ? ok(profile) : refused('session-expired')
  })

  mount('account/lang', async ({ session, input }) => {
    await chooseLanguage(db, session, input.lang)
    return ok({ lang: input.lang })
  })

  mount('account/logout', async ({ session }) => {
    await logOut(db, session)
    return ok({})
  })

  /** Only a proxy of ours is believed: anybody can write a header. */
  function countryOf(request: FastifyRequest): string | undefined {
    if (config.registration.kind !== 'by-country') return undefined
    if (!isListed(config.trustedProxies, request.socket.remoteAddress)) return undefined
    const value = request.headers[config.registration.header]
    return typeof value === 'string' ? value : undefined
  }
}

const isLogin = (purpose: Purpose): purpose is LoginPurpose => purpose.kind === 'login'

/** Null where there is nothing to sign yet: a newcomer without an invitation. */
function purposeOf(registered: boolean, invite: InvitationCode | null, inviterTail: string | null): Purpose | null {
  if (registered) return { kind: 'login' }
  return invite !== null && inviterTail !== null ? { kind: 'register', invite, inviterTail } : null
}
