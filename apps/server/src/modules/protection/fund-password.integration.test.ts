import { hash } from '@node-rs/argon2'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { countArgon2Runs } from '../../testing/argon2-runs.ts'
import {
  logIn,
  PASSWORD,
  registerMember,
  registerWithFundPassword,
  requestAndSign,
  signChallenge,
  type TestMember,
} from '../../testing/member.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const HOUR = 3_600

type SignedInMember = Pick<TestMember, 'wallet' | 'token'>

const protectionOf = async ({ wallet, token }: SignedInMember) =>
  (await api.call('account/profile', { account: wallet.account }, { token })).body.data.protection

const holdsOf = async (who: SignedInMember) => (await protectionOf(who)).holds.map(({ reason }) => reason)

/** The session expires in these hours, so the wallet signs in again, from the given browser. */
async function afterHours(hours: number, { wallet }: SignedInMember, device?: string): Promise<SignedInMember> {
  await api.clock.advance(hours * HOUR)
  const { body } = await logIn(api, wallet, device === undefined ? {} : { device })
  return { wallet, token: body.data.token }
}

const change = async ({ wallet, token }: SignedInMember, password: string, newPassword: string) => {
  const { status, body } = await api.call(
    'account/fund-password',
    { account: wallet.account, password, newPassword },
    { token },
  )
  return [status, body.reason]
}

const choose = async ({ wallet, token }: SignedInMember, setupCode: string, newPassword: string) => {
  const { status, body } = await api.call(
    'account/fund-password',
    { account: wallet.account, setupCode, newPassword },
    { token },
  )
  return [status, body.reason]
}

const reset = async (who: SignedInMember, newPassword: string, signed?: { message: string; signature: string }) => {
  const posted = signed ?? (await signChallenge(api, who, 'fund-password-reset'))
  const { wallet, token } = who
  const { status, body } = await api.call(
    'account/fund-password/reset',
    { account: wallet.account, ...posted, newPassword },
    { token },
  )
  return [status, body.reason]
}

const cancel = async ({ wallet, token }: SignedInMember, password: string) => {
  const { status, body } = await api.call(
    'account/fund-password/reset/cancel',
    { account: wallet.account, password },
    { token },
  )
  return [status, body.reason]
}

const newCode = async (who: SignedInMember) => {
  const posted = await signChallenge(api, who, 'setup-code')
  return api.call('account/fund-password/setup-code', { account: who.wallet.account, ...posted }, who)
}

const kindsOf = async ({ wallet, token }: SignedInMember) =>
  (await api.call('account/security-log', { account: wallet.account }, { token })).body.data.items.map(
    ({ kind }) => kind,
  )

describe('the first fund password', () => {
  it('is chosen with the set-up code, once', async () => {
    const member = await registerMember(api)
    expect((await protectionOf(member)).fundPassword.chosen).toBe(false)
    expect(await choose(member, member.setupCode, PASSWORD)).toEqual([200, undefined])
    expect((await protectionOf(member)).fundPassword.chosen).toBe(true)
    expect(await choose(member, member.setupCode, 'other1')).toEqual([409, 'fund-password-chosen'])
    expect(await change(member, 'other1', 'third1')).toEqual([422, 'fund-password-wrong'])
    expect(await kindsOf(member)).toEqual(['fund-password-chosen'])
  })

  it('accepts the set-up code in lower case, with spaces and hyphens', async () => {
    const member = await registerMember(api)
    const typed = ` ${member.setupCode.toLowerCase().match(/.{4}/g)?.join('-')} `
    expect(await choose(member, typed, PASSWORD)).toEqual([200, undefined])
  })

  it('cannot be chosen with another member’s set-up code, or without one', async () => {
    const [member, other] = [await registerMember(api), await registerMember(api)]
    expect(await choose(member, other.setupCode, PASSWORD)).toEqual([422, 'setup-code-wrong'])
    expect(await change(member, PASSWORD, PASSWORD)).toEqual([409, 'fund-password-unset'])
    const { account } = member.wallet
    const neither = await api.call('account/fund-password', { account, newPassword: PASSWORD }, member)
    expect([neither.status, neither.body.reason]).toEqual([400, 'format'])
  })

  it('holds no transfers; only a later change does', async () => {
    const device = 'A'.repeat(22)
    const member = await registerWithFundPassword(api, PASSWORD, device)
    expect(await holdsOf(member)).toEqual([])
    expect(await change(member, PASSWORD, 'other1')).toEqual([200, undefined])
    expect(await holdsOf(member)).toEqual(['password-changed'])
    expect(await holdsOf(await afterHours(24, member, device))).toEqual([])
  })

  it.each(['short', 'a'.repeat(21), 'abc 123', 'abc-123', '密碼密碼密碼', 'abc123\n', ''])(
    'has 6 to 20 letters and digits: not %j',
    async (newPassword) => {
      const member = await registerMember(api)
      expect(await choose(member, member.setupCode, newPassword)).toEqual([400, 'password-format'])
    },
  )
})

describe('a new fund password that is easily guessed', () => {
  it('is refused as the first one, without hashing; the set-up code stays valid', async () => {
    const member = await registerMember(api)
    const runs = await countArgon2Runs(api, async () => {
      for (const newPassword of ['abc123', 'Lode2026', '19900214'])
        expect(await choose(member, member.setupCode, newPassword)).toEqual([422, 'password-easily-guessed'])
    })
    expect(runs).toEqual({})
    expect((await protectionOf(member)).fundPassword.chosen).toBe(false)
    expect(await choose(member, member.setupCode, PASSWORD)).toEqual([200, undefined])
  })

  it('is refused at a change, which counts no try of the present one', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    const runs = await countArgon2Runs(api, async () => {
      for (let tries = 0; tries < 6; tries += 1)
        expect(await change(member, 'wrong1', 'abc123')).toEqual([422, 'password-easily-guessed'])
    })
    expect(runs).toEqual({})
    expect((await protectionOf(member)).fundPassword.lockedUntil).toBeNull()
    expect(await change(member, PASSWORD, 'abc123')).toEqual([422, 'password-easily-guessed'])
    expect(await change(member, PASSWORD, 'other1')).toEqual([200, undefined])
  })

  it('is refused at a reset, without hashing; the signature stays valid', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    const signed = await signChallenge(api, member, 'fund-password-reset')
    const runs = await countArgon2Runs(api, async () =>
      expect(await reset(member, 'abc123', signed)).toEqual([422, 'password-easily-guessed']),
    )
    expect(runs).toEqual({})
    expect((await protectionOf(member)).fundPassword.reset).toBeNull()
    expect(await reset(member, 'new456', signed)).toEqual([200, undefined])
  })

  it('stays valid if it was chosen before the rule', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    await sql`
      update lode.protection set hash = ${await hash('abc123')}
      where member_id = (select id from lode.member where account = ${Buffer.from(member.wallet.account.slice(2), 'hex')})
    `.execute(api.db)
    expect(await cancel(member, 'abc123')).toEqual([409, 'reset-none'])
    expect(await change(member, 'abc123', 'other1')).toEqual([200, undefined])
  })
})

describe('a lost set-up code', () => {
  it('is replaced with a signature for that purpose; the old code no longer works', async () => {
    const member = await registerMember(api)
    const { body } = await newCode(member)
    expect(body.data.setupCode).toMatch(/^[0-9A-HJKMNP-TV-Z]{16}$/)
    expect(await choose(member, member.setupCode, PASSWORD)).toEqual([422, 'setup-code-wrong'])
    expect(await choose(member, body.data.setupCode, PASSWORD)).toEqual([200, undefined])
    expect(await kindsOf(member)).toEqual(['fund-password-chosen', 'setup-code-issued'])
  })

  it('cannot be replaced once a password was chosen', async () => {
    const { body } = await newCode(await registerWithFundPassword(api, PASSWORD))
    expect([body.code, body.reason]).toEqual([422, 'setup-code-refused'])
  })

  it('cannot be replaced once money has moved', async () => {
    const member = await registerMember(api)
    await sql`
      insert into lode.posting (member, account, version, transaction, amount, balance_after)
      select id, 1, 1, 1, 1, 1 from lode.member where account = ${Buffer.from(member.wallet.account.slice(2), 'hex')}
    `.execute(api.db)
    const { body } = await newCode(member)
    expect([body.code, body.reason]).toEqual([422, 'setup-code-refused'])
    // The remaining way is a reset: a wallet signature and three days.
    expect(await reset(member, PASSWORD)).toEqual([200, undefined])
    expect(await choose(member, member.setupCode, PASSWORD)).toEqual([409, 'reset-waiting'])
    const later = await afterHours(72, member)
    expect(await change(later, PASSWORD, 'other1')).toEqual([200, undefined])
  })

  it('cannot be replaced with a sign-in signature, or twice with one signature', async () => {
    const member = await registerMember(api)
    const { account } = member.wallet
    const login = await requestAndSign(api, member.wallet)
    const route = 'account/fund-password/setup-code'
    expect((await api.call(route, { account, ...login }, member)).body.reason).toBe('message-invalid')
    const posted = { account, ...(await signChallenge(api, member, 'setup-code')) }
    expect((await api.call(route, posted, member)).status).toBe(200)
    expect((await api.call(route, posted, member)).body.reason).toBe('signature-used')
  })
})

describe('a reset', () => {
  it('makes the new password valid after 72 hours, and not before', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    expect(await reset(member, 'new456')).toEqual([200, undefined])
    expect((await protectionOf(member)).fundPassword.reset).not.toBeNull()
    expect(await cancel(member, 'new456')).toEqual([422, 'fund-password-wrong'])

    const early = await afterHours(71.9, member)
    expect(await change(early, PASSWORD, 'other1')).toEqual([409, 'reset-waiting'])
    const late = await afterHours(0.2, member)
    expect((await protectionOf(late)).fundPassword.reset).toBeNull()
    expect(await change(late, PASSWORD, 'other1')).toEqual([422, 'fund-password-wrong'])
    expect(await change(late, 'new456', 'other1')).toEqual([200, undefined])
  })

  it('holds transfers while it waits, and for 24 hours after', async () => {
    const device = 'B'.repeat(22)
    const member = await registerWithFundPassword(api, PASSWORD, device)
    await reset(member, 'new456')
    expect(await holdsOf(member)).toEqual(['reset'])
    expect(await holdsOf(await afterHours(95.9, member, device))).toEqual(['reset'])
    expect(await holdsOf(await afterHours(0.2, member, device))).toEqual([])
  })

  it('still holds transfers after the new password was used', async () => {
    const device = 'C'.repeat(22)
    const member = await registerWithFundPassword(api, PASSWORD, device)
    await reset(member, 'new456')
    const late = await afterHours(73, member, device)
    const lock = { account: late.wallet.account, days: 1, password: 'new456' }
    expect((await api.call('account/transfer-lock', lock, late)).status).toBe(200)
    expect(await holdsOf(late)).toEqual(['reset', 'own-lock'])
  })

  it('can be canceled with the present password, which then stays valid', async () => {
    const device = 'D'.repeat(22)
    const member = await registerWithFundPassword(api, PASSWORD, device)
    await reset(member, 'new456')
    expect(await cancel(member, PASSWORD)).toEqual([200, undefined])
    expect(await cancel(member, PASSWORD)).toEqual([409, 'reset-none'])
    expect(await holdsOf(member)).toEqual([])
    const late = await afterHours(73, member, device)
    expect(await change(late, 'new456', 'other1')).toEqual([422, 'fund-password-wrong'])
    expect(await change(late, PASSWORD, 'other1')).toEqual([200, undefined])
    expect((await kindsOf(late)).toSorted()).toEqual([
      'fund-password-changed',
      'fund-password-chosen',
      'reset-asked',
      'reset-cancelled',
    ])
  })

  it('cannot be started twice', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    const signed = await Promise.all(Array.from({ length: 5 }, () => signChallenge(api, member, 'fund-password-reset')))
    const answers = await Promise.all(signed.map((posted) => reset(member, 'new456', posted)))
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
    expect(answers.filter(([, reason]) => reason === 'reset-waiting')).toHaveLength(4)
  })

  it('ends every other session', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    const { body } = await logIn(api, member.wallet)
    await reset({ wallet: member.wallet, token: body.data.token }, 'new456')
    const { account } = member.wallet
    expect((await api.call('account/profile', { account }, member)).status).toBe(401)
    expect((await api.call('account/profile', { account }, body.data)).status).toBe(200)
  })

  it('cannot be started with a sign-in signature, a set-up code signature or another member’s signature', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    const stranger = await registerMember(api)
    for (const posted of [
      await requestAndSign(api, member.wallet),
      await signChallenge(api, member, 'setup-code'),
      await signChallenge(api, stranger, 'fund-password-reset'),
    ])
      expect(await reset(member, 'new456', posted)).toEqual([422, 'message-invalid'])
    const { message } = await signChallenge(api, member, 'fund-password-reset')
    const forged = { message, signature: await stranger.wallet.sign(message) }
    expect(await reset(member, 'new456', forged)).toEqual([422, 'signature-invalid'])
    expect((await protectionOf(member)).fundPassword.reset).toBeNull()
  })

  it('has a signature that cannot be used to sign in', async () => {
    const member = await registerMember(api)
    const posted = await signChallenge(api, member, 'fund-password-reset')
    expect((await api.call('sign/login', { ...posted, lang: 'en' })).body.reason).toBe('message-invalid')
  })

  it('cannot be started twice with one signature', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    const posted = await signChallenge(api, member, 'fund-password-reset')
    expect(await reset(member, 'new456', posted)).toEqual([200, undefined])
    expect(await cancel(member, PASSWORD)).toEqual([200, undefined])
    expect(await reset(member, 'new456', posted)).toEqual([409, 'signature-used'])
  })

  it('removes the lock of wrong tries when it takes effect', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    await reset(member, 'new456')
    const late = await afterHours(71.99, member)
    for (let tries = 0; tries < 5; tries += 1) await change(late, 'wrong1', 'other1')
    expect((await protectionOf(late)).fundPassword.lockedUntil).not.toBeNull()
    await api.clock.advance(60)
    expect((await protectionOf(late)).fundPassword.lockedUntil).toBeNull()
    expect(await change(late, 'new456', 'other1')).toEqual([200, undefined])
  })
})
