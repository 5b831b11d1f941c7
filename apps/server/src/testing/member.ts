import type { ChallengePurpose, DataOf, Language } from '@lode/wire'
import type { Answer, TestApi } from './api.ts'
import { createTestWallet, type TestWallet } from './wallet.ts'

/** A fund password that the server accepts as a new one. */
export const PASSWORD = 'maple47'

export type TestMember = { readonly wallet: TestWallet; readonly token: string; readonly setupCode: string }

/** The message that the server gives this wallet to sign, and its signature. */
export async function requestAndSign(
  api: TestApi,
  wallet: TestWallet,
  invite?: string,
): Promise<{ message: string; signature: string }> {
  const check = await api.call('sign/check', { account: wallet.account, ...(invite === undefined ? {} : { invite }) })
  const message = check.body.data?.message
  if (typeof message !== 'string') throw new Error(`nothing to sign: ${JSON.stringify(check.body)}`)
  return { message, signature: await wallet.sign(message) }
}

export async function logIn(
  api: TestApi,
  wallet: TestWallet,
  options: { lang?: Language; exit?: boolean; device?: string } = {},
): Promise<Answer<{ token: string }>> {
  return api.call('sign/login', { ...(await requestAndSign(api, wallet)), lang: 'en', ...options })
}

/** A new signed-in member below the first member, or below the given invitation code. */
export async function registerMember(
  api: TestApi,
  wallet: TestWallet = createTestWallet(),
  invite: string = api.rootCode,
  device?: string,
): Promise<TestMember> {
  const answer = await api.call('sign/regist', {
    ...(await requestAndSign(api, wallet, invite)),
    invite,
    lang: 'en',
    ...(device === undefined ? {} : { device }),
  })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return { wallet, token: answer.body.data.token, setupCode: answer.body.data.setupCode }
}

/** A challenge that a signed-in member signs for one purpose. */
export async function signChallenge(
  api: TestApi,
  { wallet, token }: Pick<TestMember, 'wallet' | 'token'>,
  purpose: ChallengePurpose,
  address?: string,
): Promise<{ message: string; signature: string }> {
  const input = { account: wallet.account, purpose, ...(address === undefined ? {} : { address }) }
  const { body } = await api.call('account/challenge', input, { token })
  if (body.code !== 200) throw new Error(`nothing to sign: ${JSON.stringify(body)}`)
  return { message: body.data.message, signature: await wallet.sign(body.data.message) }
}

/** Asks for another output address, which the member's wallet signs. */
export async function requestOutputAddress(
  api: TestApi,
  member: Pick<TestMember, 'wallet' | 'token'>,
  { address, password }: { address: string; password: string },
): Promise<Answer<DataOf<'account/output-address'>>> {
  const signed = await signChallenge(api, member, 'output-address', address)
  const { account } = member.wallet
  return api.call('account/output-address', { account, address, password, ...signed }, { token: member.token })
}

/** A new member who has chosen a fund password. */
export async function registerWithFundPassword(api: TestApi, password: string, device?: string): Promise<TestMember> {
  const member = await registerMember(api, createTestWallet(), api.rootCode, device)
  const { wallet, token, setupCode } = member
  const answer = await api.call(
    'account/fund-password',
    { account: wallet.account, setupCode, newPassword: password },
    { token },
  )
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return member
}
