import { sql } from 'kysely'
import { getAddress, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type DatabaseConnection } from '../../platform/db/database.ts'
import { verifyNewAddresses } from '../../testing/address-signatures.ts'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import {
  logIn,
  PASSWORD,
  registerMember,
  registerWithFundPassword,
  requestOutputAddress,
  signChallenge,
  type TestMember,
} from '../../testing/member.ts'
import { createTestWallet } from '../../testing/wallet.ts'

let api: TestApi
let signer: DatabaseConnection
beforeAll(async () => {
  api = await startTestApi()
  signer = connectDatabase(api.database.urlOf('lode_signer'), { name: 'signer', noTimeouts: true })
})
afterAll(async () => {
  await signer.close()
  await api.close()
})

const HOUR = 3_600
type SignedInMember = Pick<TestMember, 'wallet' | 'token'>

const requestAddress = (who: SignedInMember, address: string, password = PASSWORD) =>
  requestOutputAddress(api, who, { address, password })

const requestOutcome = async (who: SignedInMember, address: string, password?: string) => {
  const { status, body } = await requestAddress(who, address, password)
  return [status, body.reason]
}

/** What the server answers if it is asked for the text that the wallet is to sign for this address. */
const challengeOutcome = async ({ wallet, token }: SignedInMember, address: string) => {
  const input = { account: wallet.account, purpose: 'output-address', address } as const
  const { status, body } = await api.call('account/challenge', input, { token })
  return [status, body.reason]
}

/** A request without a signature, which is enough for the member's own wallet only. */
const unsignedOutcome = async ({ wallet, token }: SignedInMember, address: string) => {
  const input = { account: wallet.account, address, password: PASSWORD }
  const { status, body } = await api.call('account/output-address', input, { token })
  return [status, body.reason]
}

const cancel = async ({ wallet, token }: SignedInMember) => {
  const { status, body } = await api.call('account/output-address/cancel', { account: wallet.account }, { token })
  return [status, body.reason]
}

const readProtection = async ({ wallet, token }: SignedInMember) =>
  (await api.call('account/profile', { account: wallet.account }, { token })).body.data.protection

/** The member signs in again after this time. The signer has verified what was requested before it. */
async function afterHours(hours: number, { wallet }: SignedInMember, device: string): Promise<SignedInMember> {
  await verifyNewAddresses(signer.db)
  await api.clock.advance(hours * HOUR)
  return { wallet, token: (await logIn(api, wallet, { device })).body.data.token }
}

describe('the output address', () => {
  it('is the member’s own wallet from the start', async () => {
    const member = await registerMember(api)
    expect((await readProtection(member)).outputAddress).toEqual({
      address: member.wallet.account,
      own: true,
      boundAt: null,
      waiting: null,
    })
  })

  it('changes 48 hours after the request, holds transfers for 48 more, and takes as long to change back', async () => {
    const device = 'E'.repeat(22)
    const member = await registerWithFundPassword(api, PASSWORD, device)
    const { account } = createTestWallet()
    expect(await requestOutcome(member, account)).toEqual([200, undefined])
    expect((await readProtection(member)).outputAddress).toMatchObject({
      address: member.wallet.account,
      waiting: { address: account },
    })

    const early = await afterHours(47.9, member, device)
    expect((await readProtection(early)).outputAddress.own).toBe(true)
    const late = await afterHours(0.2, member, device)
    const bound = await readProtection(late)
    expect(bound.outputAddress).toMatchObject({ address: account, own: false, waiting: null })
    expect(bound.holds.map(({ reason }) => reason)).toEqual(['address-new'])

    expect(await unsignedOutcome(late, member.wallet.account)).toEqual([200, undefined])
    expect((await readProtection(late)).outputAddress.address).toBe(account)
    const back = await readProtection(await afterHours(48, member, device))
    expect(back.outputAddress).toMatchObject({ address: member.wallet.account, own: true })
    expect(back.holds).toEqual([])
    expect(back.addressesUsed).toEqual([member.wallet.account, account])
  })

  it('can be read for any time in the past', async () => {
    const device = 'F'.repeat(22)
    const member = await registerWithFundPassword(api, PASSWORD, device)
    const { account } = createTestWallet()
    await requestAddress(member, account)
    await afterHours(60, member, device)
    const at = async (hoursAgo: number) => {
      const { rows } = await sql<{ address: string }>`
        select encode(bound.address, 'hex') as address
        from lode.member, lode.bound_output_address(id, lode.now() - make_interval(hours => ${hoursAgo})) as bound
        where account = ${Buffer.from(member.wallet.account.slice(2), 'hex')}`.execute(api.db)
      return getAddress(`0x${rows[0]?.address}`)
    }
    expect(await at(0)).toBe(account)
    expect(await at(11)).toBe(account)
    expect(await at(13)).toBe(member.wallet.account)
  })

  it('cannot be changed without the fund password', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    expect(await requestOutcome(member, createTestWallet().account, 'wrong1')).toEqual([422, 'fund-password-wrong'])
    expect((await readProtection(member)).outputAddress.waiting).toBeNull()
    const newcomer = await registerMember(api)
    expect(await requestOutcome(newcomer, createTestWallet().account)).toEqual([409, 'fund-password-unset'])
  })

  it('can be requested again while it waits, because an answer can be lost; its time goes on', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    const address = createTestWallet().account
    expect(await requestOutcome(member, address)).toEqual([200, undefined])
    const { waiting } = (await readProtection(member)).outputAddress
    expect(await requestOutcome(member, address)).toEqual([200, undefined])
    expect((await readProtection(member)).outputAddress.waiting).toEqual(waiting)
    expect(await cancel(member)).toEqual([200, undefined])
    expect((await readProtection(member)).outputAddress.waiting).toBeNull()
  })

  it('has at most one waiting change, which can be canceled until it takes effect', async () => {
    const device = 'G'.repeat(22)
    const member = await registerWithFundPassword(api, PASSWORD, device)
    const [first, second] = [createTestWallet().account, createTestWallet().account]
    const answers = await Promise.all([first, second].map((address) => requestOutcome(member, address)))
    expect(answers.toSorted()).toEqual([
      [200, undefined],
      [409, 'output-address-waiting'],
    ])
    expect(await cancel(member)).toEqual([200, undefined])
    expect(await cancel(member)).toEqual([409, 'output-address-none'])
    const late = await afterHours(49, member, device)
    expect((await readProtection(late)).outputAddress.own).toBe(true)
    expect(await requestOutcome(late, second)).toEqual([200, undefined])
    expect(await cancel(await afterHours(48, late, device))).toEqual([409, 'output-address-none'])
  })

  it('keeps a waiting change at a reset, and cannot be changed in another way while the reset waits', async () => {
    const device = 'H'.repeat(22)
    const member = await registerWithFundPassword(api, PASSWORD, device)
    const address = createTestWallet().account
    await requestAddress(member, address)
    const posted = await signChallenge(api, member, 'fund-password-reset')
    const { account } = member.wallet
    await api.call('account/fund-password/reset', { account, ...posted, newPassword: 'new456' }, member)
    expect((await readProtection(member)).outputAddress.waiting?.address).toBe(address)
    expect(await requestOutcome(member, createTestWallet().account)).toEqual([409, 'reset-waiting'])
    const late = await afterHours(49, member, device)
    expect((await readProtection(late)).outputAddress).toMatchObject({ address, waiting: null })
  })

  it('that waits can be canceled while a reset waits', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    await requestAddress(member, createTestWallet().account)
    const posted = await signChallenge(api, member, 'fund-password-reset')
    const { account } = member.wallet
    await api.call('account/fund-password/reset', { account, ...posted, newPassword: 'new456' }, member)
    expect(await cancel(member)).toEqual([200, undefined])
    expect((await readProtection(member)).outputAddress.waiting).toBeNull()
  })

  it('cannot be changed to the present address', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    expect(await unsignedOutcome(member, member.wallet.account.toLowerCase())).toEqual([409, 'output-address-same'])
  })

  it.each([
    ['the zero address', zeroAddress],
    ['a reserved address', '0x0000000000000000000000000000000000000001'],
    ['the burn address', '0x000000000000000000000000000000000000dEaD'],
  ])('cannot be %s', async (_what, address) => {
    const member = await registerWithFundPassword(api, PASSWORD)
    expect(await challengeOutcome(member, address)).toEqual([422, 'output-address-refused'])
    expect(await unsignedOutcome(member, address)).toEqual([422, 'output-address-refused'])
  })

  it('cannot be the vault or a token contract', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    const { vault, tokens } = (await api.call('pool/chain', {})).body.data
    for (const address of [vault, ...Object.values(tokens).map((token) => token.address)])
      for (const outcome of [challengeOutcome, unsignedOutcome])
        expect(await outcome(member, address)).toEqual([422, 'output-address-refused'])
  })

  it('is refused with a wrong checksum', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    const mistyped = '0x8A3f5C0b1d9E42F7aa61c0B8d5E4f3927160E21C'
    for (const outcome of [challengeOutcome, unsignedOutcome])
      expect(await outcome(member, mistyped)).toEqual([400, 'address-format'])
  })

  it('comes with a warning if it looks like an address that was used before', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    const own = member.wallet.account
    const alike = `${own.slice(0, 6)}${'1'.repeat(32)}${own.slice(-4)}`.toLowerCase()
    expect((await requestAddress(member, alike)).body.data.lookAlike).toBe(own)
    await cancel(member)
    expect((await requestAddress(member, createTestWallet().account)).body.data.lookAlike).toBeNull()
  })
})

describe('the member’s transfer lock', () => {
  const lock = async ({ wallet, token }: SignedInMember, days: number, password = PASSWORD) => {
    const { status, body } = await api.call(
      'account/transfer-lock',
      { account: wallet.account, days, password },
      { token },
    )
    return [status, body.reason]
  }

  it('lasts the requested number of days, and can only be extended', async () => {
    const device = 'I'.repeat(22)
    const member = await registerWithFundPassword(api, PASSWORD, device)
    expect(await lock(member, 3)).toEqual([200, undefined])
    const { at, transfersLockedUntil, holds } = await readProtection(member)
    expect(Date.parse(transfersLockedUntil ?? '') - Date.parse(at)).toBeGreaterThan(3 * 24 * HOUR * 1_000 - 60_000)
    expect(holds).toEqual([{ reason: 'own-lock', endsAt: transfersLockedUntil }])

    expect(await lock(member, 1)).toEqual([409, 'transfer-lock-shorter'])
    expect(await lock(member, 5)).toEqual([200, undefined])
    expect((await readProtection(await afterHours(4 * 24, member, device))).transfersLockedUntil).not.toBeNull()
    expect((await readProtection(await afterHours(25, member, device))).holds).toEqual([])
  })

  it.each([0, 31, 1.5, -1])('cannot last %d days', async (days) => {
    const member = await registerWithFundPassword(api, PASSWORD)
    expect(await lock(member, days)).toEqual([400, 'format'])
  })

  it('needs the fund password', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    expect(await lock(member, 3, 'wrong1')).toEqual([422, 'fund-password-wrong'])
    expect((await readProtection(member)).transfersLockedUntil).toBeNull()
  })
})

describe('a browser', () => {
  const [home, other] = ['J'.repeat(22), 'K'.repeat(22)]
  const signIn = async (wallet: TestMember['wallet'], device?: string): Promise<SignedInMember> => ({
    wallet,
    token: (await logIn(api, wallet, device === undefined ? {} : { device })).body.data.token,
  })
  const holds = async (who: SignedInMember) => (await readProtection(who)).holds.map(({ reason }) => reason)

  it('that is new holds transfers for 24 hours; the browser of registration never does', async () => {
    const { wallet } = await registerMember(api, createTestWallet(), api.rootCode, home)
    expect(await holds(await signIn(wallet, home))).toEqual([])
    expect(await holds(await signIn(wallet, other))).toEqual(['device-new'])
    await api.clock.advance(23 * HOUR)
    expect(await holds(await signIn(wallet, other))).toEqual(['device-new'])
    await api.clock.advance(HOUR)
    expect(await holds(await signIn(wallet, other))).toEqual([])
  })

  it('without an id counts as new at every sign-in', async () => {
    const { wallet } = await registerMember(api, createTestWallet(), api.rootCode, home)
    await signIn(wallet)
    await api.clock.advance(25 * HOUR)
    expect(await holds(await signIn(wallet))).toEqual(['device-new'])
  })

  it('of one member counts as new for another member', async () => {
    await registerMember(api, createTestWallet(), api.rootCode, home)
    const { wallet } = await registerMember(api, createTestWallet(), api.rootCode, other)
    expect(await holds(await signIn(wallet, home))).toEqual(['device-new'])
  })

  it('that is new adds a line to the security log', async () => {
    const member = await registerMember(api, createTestWallet(), api.rootCode, home)
    await signIn(member.wallet, other)
    const { account } = member.wallet
    const { items } = (await api.call('account/security-log', { account }, member)).body.data
    expect(items.map(({ kind }) => kind)).toEqual(['device-new'])
  })
})
