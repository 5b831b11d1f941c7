import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import { connectDatabase, type DatabaseConnection } from '../../platform/db/database.ts'
import { verifyNewAddresses } from '../../testing/address-signatures.ts'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import {
  logIn,
  PASSWORD,
  registerMember,
  registerWithFundPassword,
  requestAndSign,
  requestOutputAddress,
  signChallenge,
  type TestMember,
} from '../../testing/member.ts'
import { waitUntil } from '../../testing/pool.ts'
import { startUnreliableNode } from '../../testing/unreliable-node.ts'
import { createTestWallet, deployContractWallet, type TestWallet } from '../../testing/wallet.ts'

let api: TestApi
let signer: DatabaseConnection
let thief: DatabaseConnection
beforeAll(async () => {
  api = await startTestApi()
  signer = connectDatabase(api.database.urlOf('lode_signer'), { name: 'signer', noTimeouts: true })
  thief = connectDatabase(api.database.urlOf('lode_api'), { name: 'thief', noTimeouts: true })
})
afterAll(async () => {
  await Promise.all([signer.close(), thief.close()])
  await api.close()
})

const HOUR = 3_600

type Request = { message: string; signature: string }

async function registerWith(wallet: TestWallet): Promise<TestMember> {
  const member = await registerMember(api, wallet)
  const choice = { account: wallet.account, setupCode: member.setupCode, newPassword: PASSWORD }
  await api.call('account/fund-password', choice, member)
  return member
}

async function idOf({ wallet }: Pick<TestMember, 'wallet'>): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    select id from lode.member where account = ${bytesOf(wallet.account)}`.execute(api.db)
  if (!rows[0]) throw new Error('not a member')
  return rows[0].id
}

/** The results of the member's requests, oldest first: whether each is valid, and whether it is canceled. */
async function readRequests(member: TestMember) {
  const { rows } = await sql<{ valid: boolean | null; cancelled: boolean }>`
    select signature_valid as valid, cancelled_at is not null as cancelled
    from lode.output_address where member_id = ${await idOf(member)} order by number`.execute(api.db)
  return rows
}

const addressOf = async ({ wallet, token }: TestMember) =>
  (await api.call('account/profile', { account: wallet.account }, { token })).body.data.protection.outputAddress

const signInAgain = async ({ wallet, setupCode }: TestMember): Promise<TestMember> => ({
  wallet,
  setupCode,
  token: (await logIn(api, wallet)).body.data.token,
})

const requestReason = async (member: TestMember) =>
  (await requestOutputAddress(api, member, { address: createTestWallet().account, password: PASSWORD })).body.reason

const lastSecurityLine = async ({ wallet, token }: TestMember) =>
  (await api.call('account/security-log', { account: wallet.account }, { token })).body.data.items[0]?.kind

/** Requests the address with the api's database role, as a thief of its password can. */
async function forgeRequest(member: TestMember, address: Address, { message, signature }: Request): Promise<void> {
  await sql`
    select lode.ask_output_address(
      ${await idOf(member)}, null, ${bytesOf(address)}, ${message}, ${bytesOf(signature as Hex)})`.execute(thief.db)
}

describe('the signer', () => {
  it('accepts an address that the member’s wallet signed', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    await requestOutputAddress(api, member, { address: createTestWallet().account, password: PASSWORD })
    await verifyNewAddresses(signer.db)
    expect(await readRequests(member)).toEqual([{ valid: true, cancelled: false }])
  })

  it('asks the chain about a contract wallet, and asks again if no node answers', async () => {
    const member = await registerWith(await deployContractWallet())
    await requestOutputAddress(api, member, { address: createTestWallet().account, password: PASSWORD })
    const node = await startUnreliableNode()
    node.mode = 'fail'
    await verifyNewAddresses(signer.db, node.rpcUrl)
    expect(await readRequests(member)).toEqual([{ valid: null, cancelled: false }])
    node.mode = 'work'
    await verifyNewAddresses(signer.db, node.rpcUrl)
    expect(await readRequests(member)).toEqual([{ valid: true, cancelled: false }])
    await node.close()
  })

  it('is waited for: an address that it verifies late is bound 24 hours later', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    const address = createTestWallet().account
    await requestOutputAddress(api, member, { address, password: PASSWORD })
    await api.clock.advance(49 * HOUR)
    const again = await signInAgain(member)
    expect(await addressOf(again)).toMatchObject({ own: true, waiting: { address } })
    expect(await requestReason(again)).toBe('output-address-waiting')

    await verifyNewAddresses(signer.db)
    await api.clock.advance(23 * HOUR)
    expect(await addressOf(await signInAgain(member))).toMatchObject({ own: true, waiting: { address } })
    await api.clock.advance(2 * HOUR)
    expect(await addressOf(await signInAgain(member))).toMatchObject({ address, own: false, waiting: null })
  })

  it('does not look at a request that the member canceled, not even after its 48 hours', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    await requestOutputAddress(api, member, { address: createTestWallet().account, password: PASSWORD })
    await api.clock.advance(49 * HOUR)
    const again = await signInAgain(member)
    const { status } = await api.call('account/output-address/cancel', { account: member.wallet.account }, again)
    expect(status).toBe(200)
    expect(await addressOf(again)).toMatchObject({ own: true, waiting: null })
    await verifyNewAddresses(signer.db)
    expect(await readRequests(member)).toEqual([{ valid: null, cancelled: true }])
  })

  it('keeps its first result', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    await requestOutputAddress(api, member, { address: createTestWallet().account, password: PASSWORD })
    await verifyNewAddresses(signer.db)
    await sql`select lode.record_address_check(${await idOf(member)}, 1, false)`.execute(signer.db)
    expect(await readRequests(member)).toEqual([{ valid: true, cancelled: false }])
  })
})

describe('a thief with the api’s database role', () => {
  const stranger = createTestWallet()
  const target = createTestWallet().account
  const signTarget = (member: TestMember, address: string = target) =>
    signChallenge(api, member, 'output-address', address)

  const forgeries: readonly [string, (victim: TestMember) => Promise<Request>][] = [
    [
      'another key',
      async (victim) => {
        const { message } = await signTarget(victim)
        return { message, signature: await stranger.sign(message) }
      },
    ],
    ['a signature for another address', (victim) => signTarget(victim, createTestWallet().account)],
    ['a signature for signing in', ({ wallet }) => requestAndSign(api, wallet)],
    ['a signature of another member', async () => signTarget(await registerWithFundPassword(api, PASSWORD))],
    [
      'a signature that is older than five minutes',
      async (victim) => {
        const signed = await signTarget(victim)
        await api.clock.advance(301)
        return signed
      },
    ],
    [
      'a signature for another site',
      async (victim) => {
        const { message } = await signTarget(victim)
        const elsewhere = message.replaceAll('127.0.0.1:5173', 'evil.example')
        return { message: elsewhere, signature: await victim.wallet.sign(elsewhere) }
      },
    ],
    [
      'a signature for another chain',
      async (victim) => {
        const { message } = await signTarget(victim)
        const elsewhere = message.replace(/Chain ID: \d+/, 'Chain ID: 1')
        return { message: elsewhere, signature: await victim.wallet.sign(elsewhere) }
      },
    ],
    ['no text at all', async () => ({ message: '', signature: '0x00' })],
  ]

  it.each(forgeries)('cannot bind an address with %s', async (_what, forge) => {
    const victim = await registerWithFundPassword(api, PASSWORD)
    await forgeRequest(victim, target, await forge(victim))
    expect((await addressOf(victim)).waiting?.address).toBe(target)
    await verifyNewAddresses(signer.db)
    expect(await readRequests(victim)).toEqual([{ valid: false, cancelled: true }])
    expect(await addressOf(victim)).toMatchObject({ own: true, waiting: null })
    expect(await lastSecurityLine(victim)).toBe('output-address-cancelled')
  })

  it('cannot bind it by hiding the request until its wait is over', async () => {
    const victim = await registerWithFundPassword(api, PASSWORD)
    const { message } = await signTarget(victim)
    await forgeRequest(victim, target, { message, signature: await stranger.sign(message) })
    await api.clock.advance(49 * HOUR)
    expect(await addressOf(await signInAgain(victim))).toMatchObject({ own: true, waiting: { address: target } })
    await verifyNewAddresses(signer.db)
    expect(await readRequests(victim)).toEqual([{ valid: false, cancelled: true }])
    expect(await addressOf(await signInAgain(victim))).toMatchObject({ own: true, waiting: null })
  })

  it('cannot bring back a request that the member canceled', async () => {
    const victim = await registerWithFundPassword(api, PASSWORD)
    const { account } = victim.wallet
    const signed = await signTarget(victim)
    await api.call('account/output-address', { account, address: target, password: PASSWORD, ...signed }, victim)
    await api.call('account/output-address/cancel', { account }, victim)
    await expect(forgeRequest(victim, target, signed)).rejects.toThrow('output_address_by_message')
  })

  it('cannot request an address without a text', async () => {
    const victim = await registerWithFundPassword(api, PASSWORD)
    const unsigned = sql`
      select lode.ask_output_address(${await idOf(victim)}, null, ${bytesOf(target)}, null, null)`.execute(thief.db)
    await expect(unsigned).rejects.toThrow('has not signed this output address')
  })

  it('cannot say what the signer found', async () => {
    const record = sql`select lode.record_address_check(1, 1, true)`.execute(thief.db)
    await expect(record).rejects.toThrow('permission denied')
  })
})

describe('the api', () => {
  it('refuses a signature for another address or purpose, and one that was used', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    const { account } = member.wallet
    const [address, other] = [createTestWallet().account, createTestWallet().account]
    const ask = async (signed: Partial<Request>) => {
      const input = { account, address, password: PASSWORD, ...signed }
      return (await api.call('account/output-address', input, member)).body.reason
    }
    expect(await ask({})).toBe('message-invalid')
    expect(await ask(await signChallenge(api, member, 'output-address', other))).toBe('message-invalid')
    expect(await ask(await signChallenge(api, member, 'fund-password-reset'))).toBe('message-invalid')
    const signed = await signChallenge(api, member, 'output-address', address)
    expect(await ask({ ...signed, signature: await createTestWallet().sign(signed.message) })).toBe('signature-invalid')
    expect(await ask(signed)).toBeUndefined()
    await api.call('account/output-address/cancel', { account }, member)
    expect(await ask(signed)).toBe('signature-used')
  })

  it('refuses a text that expires while the fund password is being verified', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    const { account } = member.wallet
    const address = createTestWallet().account
    const signed = await signChallenge(api, member, 'output-address', address)
    const memberId = await idOf(member)
    const answer = await api.db.transaction().execute(async (trx) => {
      await sql`select from lode.protection where member_id = ${memberId} for update`.execute(trx)
      const asked = api.call('account/output-address', { account, address, password: PASSWORD, ...signed }, member)
      await waitUntil(async () => {
        const { rows } = await sql`
          select from pg_catalog.pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%begin_fund_password_try%'`.execute(
          thief.db,
        )
        expect(rows).toHaveLength(1)
      })
      await api.clock.advance(5 * 60)
      return { asked }
    })
    expect((await answer.asked).body.reason).toBe('message-expired')
    await api.clock.advance(-5 * 60)
  })

  it('keeps a signature for another try if the fund password was wrong', async () => {
    const member = await registerWithFundPassword(api, PASSWORD)
    const { account } = member.wallet
    const address = createTestWallet().account
    const signed = await signChallenge(api, member, 'output-address', address)
    const ask = async (password: string) =>
      (await api.call('account/output-address', { account, address, password, ...signed }, member)).body.reason
    expect(await ask('wrong1')).toBe('fund-password-wrong')
    expect(await ask(PASSWORD)).toBeUndefined()
  })
})
