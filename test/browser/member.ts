import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { contractWalletAbi, contractWalletBytecode } from '@lode/contracts/dev'
import { type DataOf, type Envelope, type Language, RISK_VERSION, type RouteName } from '@lode/wire'
import type { Page } from '@playwright/test'
import pg from 'pg'
import { createPublicClient, createWalletClient, http, type LocalAccount } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { query } from '../sim/query.ts'
import type { BrowserStack } from './stack.ts'
import { type MemberWallet, newAccount, type WalletAccount } from './wallet.ts'

export type Member = {
  readonly account: WalletAccount
  readonly token: string
  readonly lang: Language
  readonly inviteCode: string
  readonly setupCode: string
}

/** A registered member, created with the same calls that the app makes. */
export async function registerMember(
  stack: BrowserStack,
  { account = newAccount(), invite = stack.rootCode, lang = 'en' as Language, knowsRisks = true } = {},
): Promise<Member> {
  const { message } = await getRoute(stack, 'sign/check', { account: account.address, invite })
  if (message === null) throw new Error('The server gave nothing to sign')
  const signature = await account.key.signMessage({ message })
  const device = randomBytes(16).toString('base64url')
  const { token, setupCode } = await postRoute(stack, 'sign/regist', { message, signature, invite, lang, device })
  if (knowsRisks)
    await postRoute(stack, 'account/accept-risk', { account: account.address, version: RISK_VERSION }, token)
  const profile = await getRoute(stack, 'account/profile', { account: account.address }, token)
  return { account, token, lang, inviteCode: profile.inviteCode, setupCode }
}

/** The same member in a new session, because the old one may have ended. */
export async function signInAgain(stack: BrowserStack, member: Member): Promise<Member> {
  const { account, lang } = member
  const { message } = await getRoute(stack, 'sign/check', { account: account.address })
  if (message === null) throw new Error('The server gave nothing to sign')
  const signature = await account.key.signMessage({ message })
  const { token } = await postRoute(stack, 'sign/login', { message, signature, lang })
  return { ...member, token }
}

async function getRoute<Name extends RouteName>(
  stack: BrowserStack,
  name: Name,
  query: Record<string, string>,
  token?: string,
): Promise<DataOf<Name>> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return dataOf(await fetch(`${stack.origin}/api/${name}?${new URLSearchParams(query)}`, { headers }))
}

async function postRoute<Name extends RouteName>(
  stack: BrowserStack,
  name: Name,
  body: unknown,
  token?: string,
): Promise<DataOf<Name>> {
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  return dataOf(await fetch(`${stack.origin}/api/${name}`, { method: 'POST', headers, body: JSON.stringify(body) }))
}

async function dataOf<Name extends RouteName>(response: Response): Promise<DataOf<Name>> {
  const envelope = (await response.json()) as Envelope<DataOf<Name>>
  if (envelope.code !== 200) throw new Error(`${response.url} answered ${JSON.stringify(envelope)}`)
  return envelope.data
}

/** Reads a route as this member, as the app does. */
export const getAs = <Name extends RouteName>(
  stack: BrowserStack,
  name: Name,
  { account, token }: Member,
  query: Record<string, string> = {},
): Promise<DataOf<Name>> => getRoute(stack, name, { account: account.address, ...query }, token)

/** Sends a command as this member, as the app does. */
export const postAs = <Name extends RouteName>(
  stack: BrowserStack,
  name: Name,
  { account, token }: Member,
  body: object,
): Promise<DataOf<Name>> => postRoute(stack, name, { account: account.address, ...body }, token)

/** Stores the session where the app keeps it, so that the next page is this member's. */
export async function storeSession(page: Page, member: Member): Promise<void> {
  // Any address of the same origin works; this one runs no script.
  await page.goto('/healthz')
  await page.evaluate(
    ([token, account, lang]) => {
      const state = { token, account, lang, roles: [], routers: [] }
      localStorage.setItem('session', JSON.stringify({ state, version: 1 }))
      localStorage.setItem('lang', lang)
    },
    [member.token, member.account.address, member.lang] as const,
  )
}

/** Stores the wallet as the one that this member signed in with, in this browser. */
export async function storeWallet(page: Page, wallet: MemberWallet): Promise<void> {
  wallet.connected = true
  await page.evaluate((id) => localStorage.setItem('wallet', id), wallet.rdns)
}

/**
 * Disables the member by SQL, as disable_member.sql does after two operators signed. Two operators at the command line
 * would take longer than the rest of a test.
 */
export async function disableAccount(
  stack: BrowserStack,
  { account: { address } }: Member,
  why = 'Your wallet was reported stolen.',
): Promise<void> {
  const client = new pg.Client({ connectionString: stack.ownerUrl })
  await client.connect()
  try {
    const body = JSON.stringify({ verb: 'disable', address, note: why, nonce: randomUUID() })
    await client.query(
      `with decided as (
         insert into lode.decision (subject, verb, body, expires_at)
         values ('account:' || lower($1), 'disable', $2, lode.now() + interval '7 days') returning id),
       disabled as (
         update lode.member set disabled_at = lode.now(), disabled_by = decided.id from decided
         where account = decode(substr($1, 3), 'hex') returning member.id)
       delete from lode.session using disabled where member_id = disabled.id and mode = 'full'`,
      [address, body],
    )
  } finally {
    await client.end()
  }
}

/** Chooses the fund password, as after registration. */
export async function chooseFundPassword(stack: BrowserStack, member: Member, newPassword: string): Promise<void> {
  const { account, token, setupCode } = member
  await postRoute(stack, 'account/fund-password', { account: account.address, setupCode, newPassword }, token)
}

/** Asks for another output address. */
export async function requestOutputAddress(
  stack: BrowserStack,
  { account, token }: Member,
  terms: { address: string; password: string },
): Promise<void> {
  const challenge = { account: account.address, purpose: 'output-address', address: terms.address }
  const { message } = await getRoute(stack, 'account/challenge', challenge, token)
  const signature = await account.key.signMessage({ message })
  await postRoute(stack, 'account/output-address', { account: account.address, ...terms, message, signature }, token)
  await waitForAddressCheck(stack, account.address)
}

/** Waits until the signer has verified the signature. Later the test may make the request older than its signature. */
async function waitForAddressCheck({ ownerUrl }: BrowserStack, account: string): Promise<void> {
  const unchecked = `select from lode.output_address join lode.member on member.id = member_id
    where account = decode($1, 'hex') and message is not null and signature_valid is null`
  for (let tries = 0; (await query(ownerUrl, unchecked, [account.slice(2)])).length > 0; tries += 1) {
    if (tries === 200) throw new Error('The signer has not verified the output address')
    await sleep(100)
  }
}

/** Asks for a reset of the fund password. */
export async function requestPasswordReset(
  stack: BrowserStack,
  { account, token }: Member,
  newPassword: string,
): Promise<void> {
  const challenge = { account: account.address, purpose: 'fund-password-reset' }
  const { message } = await getRoute(stack, 'account/challenge', challenge, token)
  const signature = await account.key.signMessage({ message })
  const reset = { account: account.address, message, signature, newPassword }
  await postRoute(stack, 'account/fund-password/reset', reset, token)
}

/** Makes everything that waits for this member this many hours older. The clock itself is shared by all tests. */
export async function backdateProtections(stack: BrowserStack, { account }: Member, hours: number): Promise<void> {
  const client = new pg.Client({ connectionString: stack.ownerUrl })
  await client.connect()
  try {
    const parameters = [account.address.slice(2), hours]
    await client.query(
      `update lode.protection set reset_asked_at = reset_asked_at - make_interval(hours => $2),
         reset_ends_at = reset_ends_at - make_interval(hours => $2),
         transfers_locked_until = transfers_locked_until - make_interval(hours => $2)
       where member_id = (select id from lode.member where account = decode($1, 'hex'))`,
      parameters,
    )
    await client.query(
      `update lode.output_address set asked_at = asked_at - make_interval(hours => $2),
         binds_at = binds_at - make_interval(hours => $2)
       where member_id = (select id from lode.member where account = decode($1, 'hex'))`,
      parameters,
    )
  } finally {
    await client.end()
  }
}

/** Sets the member's level, which raises its quota. */
export async function setLevel(stack: BrowserStack, { account }: Member, level: number): Promise<void> {
  const client = new pg.Client({ connectionString: stack.ownerUrl })
  await client.connect()
  try {
    const parameters = [account.address.slice(2), level]
    await client.query(`update lode.member set level = $2 where account = decode($1, 'hex')`, parameters)
  } finally {
    await client.end()
  }
}

/** Sets the last activity of all the member's sessions to this many minutes ago. */
export async function backdateLastActivity(stack: BrowserStack, { account }: Member, minutes: number): Promise<void> {
  const client = new pg.Client({ connectionString: stack.ownerUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query(
      `update lode.session set last_action_at = lode.now() - make_interval(mins => $2)
       where member_id = (select id from lode.member where account = decode($1, 'hex'))`,
      [account.address.slice(2), minutes],
    )
    if (!rowCount) throw new Error('This member has no session')
  } finally {
    await client.end()
  }
}

/** A contract wallet on the run's chain: the address is the contract's, the signatures are its owner's. */
export async function deployContractWallet(stack: BrowserStack, owner: LocalAccount): Promise<WalletAccount> {
  const transport = http(stack.chain.rpcUrl)
  const deployer = mnemonicToAccount('test test test test test test test test test test test junk')
  const wallet = createWalletClient({ account: deployer, chain: foundry, transport })
  const chain = createPublicClient({ chain: foundry, transport })
  const hash = await wallet.deployContract({
    abi: contractWalletAbi,
    bytecode: contractWalletBytecode,
    args: [owner.address],
  })
  const { contractAddress, status } = await chain.waitForTransactionReceipt({ hash, pollingInterval: 50 })
  if (status !== 'success' || !contractAddress) throw new Error('The contract wallet was not deployed')
  return { address: contractAddress, key: owner }
}
