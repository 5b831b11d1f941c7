import type { DataOf } from '@lode/wire'
import type { BrowserContext, Page } from '@playwright/test'
import { patchAnswer } from './api-answers.ts'
import { switchAppearance } from './appearance.ts'
import type { giveCoins } from './chain.ts'
import { limitClipboard } from './clipboard.ts'
import { contentScreens } from './content-screens.ts'
import { daoScreens } from './dao-screens.ts'
import { depositScreens } from './deposit-screens.ts'
import { homeScreens } from './home-screens.ts'
import { incomeScreens } from './income-screens.ts'
import {
  chooseFundPassword,
  type Member,
  type registerMember,
  requestOutputAddress,
  requestPasswordReset,
} from './member.ts'
import { pledgeScreens } from './pledge-screens.ts'
import { fullHistory, postHistory } from './post-history.ts'
import { promotionScreens } from './promotion-screens.ts'
import { recordsScreens } from './records-screens.ts'
import { rewardsScreens } from './rewards-screens.ts'
import { acceptRisks, askToLogOut, signInPage } from './sign-in.ts'
import type { BrowserStack } from './stack.ts'
import { statementScreens } from './statement-screens.ts'
import { teamScreens } from './team-screens.ts'
import { FUND_PASSWORD } from './transfer.ts'
import { transferScreens } from './transfer-screens.ts'
import { type MemberWallet, newAccount } from './wallet.ts'

export type ScreenFixtures = {
  page: Page
  context: BrowserContext
  stack: BrowserStack
  giveWallet: (options?: ConstructorParameters<typeof MemberWallet>[1]) => Promise<MemberWallet>
  giveWallets: (options: readonly ConstructorParameters<typeof MemberWallet>[1][]) => Promise<MemberWallet[]>
  register: (options?: Parameters<typeof registerMember>[1]) => Promise<Member>
  enter: (member: Member) => Promise<void>
  enterWith: (coins: Parameters<typeof giveCoins>[2]) => Promise<{ member: Member; wallet: MemberWallet }>
  disable: (member: Member, why?: string) => Promise<void>
}

/** Every screen in every state that looks different, with the steps that open it. All are opened in English. */
export const screens: Readonly<Record<string, (tools: ScreenFixtures) => Promise<void>>> = {
  login: async ({ page, giveWallet }) => {
    await giveWallet()
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .waitFor()
  },
  'login-four-wallets': async ({ page, giveWallets }) => {
    await giveWallets([{ brand: 'onekey' }, { brand: 'trust' }, { brand: 'bitkeep' }, { brand: 'generic' }])
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .waitFor()
  },
  'login-plan': async ({ page }) => {
    await page.goto('/login')
    await page.getByRole('button', { name: 'See the plan' }).click()
    await page.getByRole('dialog', { name: 'Plan' }).getByRole('table').first().waitFor()
  },
  'login-no-wallet': async ({ page }) => {
    await blockTimers(page, 60_000)
    await page.goto('/login')
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    await page.getByRole('dialog', { name: 'No wallet in this browser' }).waitFor()
  },
  'login-no-wallet-phone': async ({ page }) => {
    await blockTimers(page, 60_000)
    await mockPhone(page)
    await page.goto('/login')
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    await page.getByRole('dialog', { name: 'No wallet in this browser' }).waitFor()
  },
  'login-signing': async ({ page, register, giveWallet }) => {
    const wallet = await giveWallet({ account: (await register()).account })
    wallet.setMisbehavior('hangs', 'personal_sign')
    await chooseWallet(page, '/login')
    await page.getByText('Read the message').click()
  },
  'login-declined': async ({ page, register, giveWallet }) => {
    const wallet = await giveWallet({ account: (await register()).account })
    wallet.setMisbehavior('refuses', 'personal_sign')
    await chooseWallet(page, '/login')
    await page.getByRole('button', { name: 'Open Plain Wallet again' }).waitFor()
  },
  'login-failed': async ({ page, register, giveWallet }) => {
    const wallet = await giveWallet({ account: (await register()).account })
    wallet.setMisbehavior('has-one-pending', 'personal_sign')
    await chooseWallet(page, '/login')
    await signInPage(page).tryAgain.waitFor()
  },
  'login-wrong-network': async ({ page, register, giveWallet }) => {
    await giveWallet({ account: (await register()).account, chainId: 1 })
    await chooseWallet(page, '/login')
    await page.getByRole('button', { name: 'Switch to Lode Test' }).waitFor()
  },
  'login-unregistered': async ({ page, giveWallet }) => {
    await giveWallet()
    await chooseWallet(page, '/login')
    await page.getByRole('button', { name: 'Register this account' }).waitFor()
  },
  'login-disabled': async ({ page, register, disable, giveWallet }) => {
    const member = await register()
    await disable(member)
    await giveWallet({ account: member.account })
    await chooseWallet(page, '/login')
    await page.getByRole('button', { name: 'Take your assets out' }).waitFor()
  },

  regist: async ({ page, stack, giveWallet }) => {
    await giveWallet()
    await page.goto(`/regist?invite=${stack.rootCode}`)
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .waitFor()
  },
  'regist-mistyped': async ({ page, giveWallet }) => {
    await giveWallet()
    await page.goto('/regist?invite=7QK2M9X')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .waitFor()
    await page.getByText('Invalid invitation code format').waitFor()
  },
  'regist-confirm': async ({ page, stack, giveWallet }) => {
    await giveWallet()
    await chooseWallet(page, `/regist?invite=${stack.rootCode}`)
    await signInPage(page).confirmInviter.waitFor()
  },
  'regist-loading': async ({ page, stack, giveWallet }) => {
    await giveWallet()
    await page.route(/\/api\/sign\/regist/, () => new Promise(() => {}))
    await chooseWallet(page, `/regist?invite=${stack.rootCode}`)
    await page.getByRole('button', { name: 'Confirm and sign' }).click()
    await page.getByRole('dialog', { name: 'Loading...' }).waitFor()
  },
  'regist-setup-code': async ({ page, stack, giveWallet }) => {
    await giveWallet()
    await chooseWallet(page, `/regist?invite=${stack.rootCode}`)
    await page.getByRole('button', { name: 'Confirm and sign' }).click()
    await page.getByRole('heading', { name: 'You are registered' }).waitFor()
  },
  'regist-fund-password': async ({ page, stack, giveWallet }) => {
    await giveWallet()
    await chooseWallet(page, `/regist?invite=${stack.rootCode}`)
    await page.getByRole('button', { name: 'Confirm and sign' }).click()
    await page.getByRole('button', { name: 'Choose a fund password' }).click()
    await page.getByRole('dialog', { name: 'Choose a fund password' }).waitFor()
  },

  'first-run': async ({ page, register, enter }) => {
    await enter(await register({ knowsRisks: false }))
    await page.goto('/home')
    await page.getByRole('heading', { name: 'Before you begin' }).waitFor()
  },
  'first-run-failed': async ({ page, register, enter }) => {
    await enter(await register({ knowsRisks: false }))
    await page.route(/\/api\/account\/accept-risk/, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/home')
    await acceptRisks(page)
    await page.getByRole('alert').waitFor()
  },

  ...homeScreens,
  'home-loading': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/account\/profile/, () => new Promise(() => {}))
    await page.goto('/home')
    await page.getByText('Your account').waitFor()
  },
  'home-failed': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/account\/profile/, (route) => route.fulfill({ status: 403, json: {} }))
    await page.goto('/home')
    await page.getByRole('heading', { name: 'Your account could not be loaded' }).waitFor()
  },
  'home-offline': async ({ page, context, register, enter }) => {
    await enter(await register())
    await page.goto('/home')
    await page.getByText('Not activated').first().waitFor()
    // A language that was never loaded cannot be loaded without a network.
    for (const language of ['zh_tw', 'zh_cn', 'en'] as const) await switchAppearance(page, { language })
    await context.setOffline(true)
    await page.getByText('You are offline.').waitFor()
  },
  'share-copied': async (tools) => {
    await tools.context.grantPermissions(['clipboard-write'])
    await copyLink(tools, 'success')
  },
  'share-copy-failed': async (tools) => {
    await limitClipboard(tools.page, { api: 'absent', execCommand: 'fails' })
    await copyLink(tools, 'error')
    await tools.page.getByRole('dialog', { name: 'Copy by hand' }).waitFor()
  },
  'home-account-changed': async ({ page, register, giveWallet }) => {
    const [member, other] = [await register(), await register()]
    const wallet = await giveWallet({ account: member.account })
    await chooseWallet(page, '/login')
    await page.waitForURL('/home')
    await page.getByText('Not activated').first().waitFor()
    await waitUntilToastsGone(page)
    await wallet.switchAccount(other.account)
    await page.getByRole('dialog', { name: 'Your wallet switched accounts' }).waitFor()
  },

  wallet: async ({ page, stack, register, enter }) => {
    const member = await register()
    await postHistory(stack, member, fullHistory)
    await enter(member)
    await page.goto('/wallet')
    await page.getByRole('button', { name: /^Frozen/ }).click()
  },
  'wallet-hidden-amounts': async ({ page, stack, register, enter }) => {
    const member = await register()
    await postHistory(stack, member, fullHistory)
    await enter(member)
    await page.goto('/home')
    await page.getByRole('button', { name: 'Hide amounts' }).click()
    await page.goto('/wallet')
    await page.getByText('Your amounts are hidden on this device').waitFor()
  },
  'wallet-empty': async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/wallet')
    await page.getByText('None yet').first().waitFor()
  },
  'wallet-loading': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/wallet\/assets/, () => new Promise(() => {}))
    await page.goto('/wallet')
    await page.getByText('Total asset value').waitFor()
  },
  'wallet-failed': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/wallet\/assets/, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/wallet')
    await page.getByRole('heading', { name: 'Your assets could not be loaded' }).waitFor()
  },
  'wallet-without-price': async ({ page, stack, register, enter }) => {
    const member = await register()
    await postHistory(stack, member, fullHistory)
    await enter(member)
    await mockMissingPrices(page)
    await page.goto('/wallet')
    await page.getByText('Excludes BTN, BTC (no price)').waitFor()
  },
  'wallet-exit': async ({ page, stack, register, disable, giveWallet }) => {
    const member = await register()
    await postHistory(stack, member, fullHistory)
    await disable(member)
    await giveWallet({ account: member.account })
    await chooseWallet(page, '/login')
    await page.getByRole('button', { name: 'Take your assets out' }).click()
    await page.getByText(/This sign-in is only for taking your assets out\./).waitFor()
    await waitUntilToastsGone(page)
  },
  'wallet-detail': async ({ page, stack, register, enter }) => {
    const member = await register()
    await postHistory(stack, member, fullHistory)
    await enter(member)
    await page.goto('/wallet/detail?symbol=USDT')
    await page.getByText('No more data available').waitFor()
  },
  'wallet-line': async ({ page, stack, register, enter }) => {
    const member = await register()
    await postHistory(stack, member, fullHistory)
    await enter(member)
    await page.goto('/wallet/detail?symbol=USDT')
    await page.getByRole('button', { name: 'Transfer in' }).first().click()
    await page.getByRole('dialog', { name: 'Transfer in' }).getByText('Available afterwards').waitFor()
  },
  'wallet-csv-handed': async ({ page, stack, register, enter }) => {
    const member = await register()
    await postHistory(stack, member, fullHistory)
    await enter(member)
    await page.goto('/wallet/detail?symbol=USDT')
    await page.getByRole('button', { name: 'Save log as CSV' }).click()
    await page.getByRole('button', { name: 'Show it here' }).waitFor()
  },
  'wallet-detail-confirming': async ({ page, stack, register, enter }) => {
    const member = await register()
    await postHistory(stack, member, [{ received: '999999999.123456789', asset: 'BTN' }])
    await enter(member)
    await mockIncomingDeposit(page)
    await page.goto('/wallet/detail?symbol=BTN')
    await page.getByText('Detected; usually final in about').waitFor()
  },
  'wallet-detail-empty': async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/wallet/detail?symbol=BTC')
    await page.getByRole('heading', { name: 'No data yet' }).waitFor()
  },
  'wallet-detail-loading': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/wallet\//, () => new Promise(() => {}))
    await page.goto('/wallet/detail?symbol=USDT')
    await page.getByRole('heading', { name: 'Asset log' }).waitFor()
  },
  'wallet-detail-failed': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/wallet\/log/, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/wallet/detail?symbol=USDT')
    await page.getByRole('heading', { name: 'The log could not be loaded' }).waitFor()
  },

  ...depositScreens,
  ...incomeScreens,
  ...statementScreens,
  ...promotionScreens,
  ...pledgeScreens,
  ...teamScreens,

  setting: async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/setting')
    await page.getByText('Not activated').first().waitFor()
  },
  'setting-log-out': async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/setting')
    await askToLogOut(page)
  },

  'setting-choose-password': async ({ page, register, enter }) => {
    await openSetting(page, enter, await register())
    await page.getByRole('button', { name: 'Choose a fund password' }).click()
    await page.getByRole('dialog', { name: 'Choose a fund password' }).waitFor()
  },
  'setting-change-password-wrong': async ({ page, stack, register, enter }) => {
    await openSetting(page, enter, await registerProtectedMember(stack, register))
    await page.getByRole('button', { name: 'Change' }).first().click()
    const sheet = page.getByRole('dialog', { name: 'Change the fund password' })
    await sheet.getByLabel('Current fund password').fill('wrong1')
    await sheet.getByLabel('New fund password').fill('new456')
    await sheet.getByRole('button', { name: 'Change the fund password' }).click()
    await sheet.getByText('Wrong fund password.').waitFor()
  },
  'setting-reset-password': async ({ page, stack, register, enter }) => {
    await openSetting(page, enter, await registerProtectedMember(stack, register))
    await page.getByRole('button', { name: 'Forgot it?' }).click()
    await page.getByRole('dialog', { name: 'Reset the fund password' }).waitFor()
  },
  'setting-reset-waits': async ({ page, stack, register, enter }) => {
    const member = await registerProtectedMember(stack, register)
    await requestPasswordReset(stack, member, 'new456')
    await openSetting(page, enter, member)
    await page.getByText(/Your fund password will be reset in/).waitFor()
  },
  'home-reset-waits': async ({ page, stack, register, enter }) => {
    const member = await registerProtectedMember(stack, register)
    await requestPasswordReset(stack, member, 'new456')
    await enter(member)
    await page.goto('/home')
    await page.getByText(/Your fund password will be reset in/).waitFor()
  },
  'setting-address-waits': async ({ page, stack, register, enter }) => {
    const member = await registerProtectedMember(stack, register)
    await requestOutputAddress(stack, member, { address: newAccount().address, password: FUND_PASSWORD })
    await openSetting(page, enter, member)
    await page.getByText(/takes effect in/).scrollIntoViewIfNeeded()
  },
  'setting-loading': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/account\//, () => new Promise(() => {}))
    await page.goto('/setting')
    await page.getByRole('button', { name: 'Log out' }).scrollIntoViewIfNeeded()
  },
  'setting-address-not-verified': async ({ page, stack, register, enter }) => {
    const member = await registerProtectedMember(stack, register)
    await requestOutputAddress(stack, member, { address: newAccount().address, password: FUND_PASSWORD })
    // As if the signer had not verified the request within 48 hours.
    await page.route(/account\/profile/, async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      const { waiting } = body.data.protection.outputAddress
      if (waiting) waiting.bindsAt = body.data.protection.at
      await route.fulfill({ response, json: body })
    })
    await openSetting(page, enter, member)
    await page.getByText(/still being verified/).scrollIntoViewIfNeeded()
  },
  'setting-look-alike': async ({ page, stack, register, enter }) => {
    const member = await registerProtectedMember(stack, register)
    await openSetting(page, enter, member)
    await page.getByRole('button', { name: 'Change' }).last().click()
    const sheet = page.getByRole('dialog', { name: 'Change output address' })
    await sheet.getByLabel('New address').fill(makeLookAlike(member.account.address))
    await sheet.getByText('Be careful:').waitFor()
  },
  'setting-lock': async ({ page, stack, register, enter }) => {
    await openSetting(page, enter, await registerProtectedMember(stack, register))
    await page.getByRole('button', { name: 'Lock transfers' }).click()
    await page.getByRole('dialog', { name: 'Lock transfers out' }).waitFor()
  },
  'setting-security-log': async ({ page, stack, register, enter }) => {
    const member = await registerProtectedMember(stack, register)
    await requestOutputAddress(stack, member, { address: newAccount().address, password: FUND_PASSWORD })
    await openSetting(page, enter, member)
    await page.getByRole('button', { name: 'Show security log' }).click()
    await page.getByText(/New output address requested/).waitFor()
  },

  ...transferScreens,
  ...rewardsScreens,
  ...recordsScreens,
  ...daoScreens,
  ...contentScreens,

  403: ({ page }) => openPage(page, '/403'),
  404: ({ page }) => openPage(page, '/404'),
  500: ({ page }) => openPage(page, '/500'),
}

async function registerProtectedMember(stack: BrowserStack, register: ScreenFixtures['register']): Promise<Member> {
  const member = await register()
  await chooseFundPassword(stack, member, FUND_PASSWORD)
  return member
}

async function openSetting(page: Page, enter: ScreenFixtures['enter'], member: Member): Promise<void> {
  await enter(member)
  await page.goto('/setting')
  await page.getByText('This one').waitFor()
}

/** Another address with the same four characters at each end. */
const makeLookAlike = (address: string): string =>
  `${address.slice(0, 6)}${'1'.repeat(32)}${address.slice(-4)}`.toLowerCase()

/** The server's answer while no price is fresh. */
export async function mockMissingPrices(page: Page): Promise<void> {
  await page.route(/\/api\/wallet\/assets/, async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: DataOf<'wallet/assets'> }
    const items = body.data.items.map((item) =>
      item.symbol === 'USDT' ? item : { ...item, price: null, values: null },
    )
    const usdt = items.find(({ symbol }) => symbol === 'USDT')?.values ?? '0'
    await route.fulfill({
      json: { ...body, data: { ...body.data, items, total: { values: usdt, without: ['BTN', 'BTC'] } } },
    })
  })
}

/** The server's answer if its price feeds were last updated this many days ago. */
export async function mockOldPrices(page: Page, daysAgo: number): Promise<void> {
  await page.route(/\/api\/wallet\/assets/, async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: DataOf<'wallet/assets'> }
    const at = new Date(Date.parse(body.data.at) - daysAgo * 86_400_000).toISOString()
    const items = body.data.items.map((item) => ({ ...item, price: item.price && { ...item.price, at } }))
    await route.fulfill({ json: { ...body, data: { ...body.data, items } } })
  })
  await patchAnswer(page, 'account/home', (data) => ({
    ...data,
    have: { ...data.have, priceAt: new Date(Date.parse(data.at) - daysAgo * 86_400_000).toISOString() },
  }))
}

/**
 * The server's answer while a deposit is seen and not final. The tests' chain makes its blocks too fast to see this
 * state.
 */
export async function mockIncomingDeposit(page: Page): Promise<void> {
  const deposit: DataOf<'wallet/log'>['lines'][number] = {
    id: 'transferIn:0xab:1',
    type: 'transferIn',
    status: 'confirming',
    direction: 'in',
    amount: '25000',
    fee: '0',
    at: new Date(Date.now() - 190_000).toISOString(),
    endedAt: null,
    balanceAfter: null,
    tx: `0x${'ab'.repeat(32)}`,
  }
  await page.route(/\/api\/wallet\/log/, async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: DataOf<'wallet/log'> }
    const data = { ...body.data, lines: [deposit, ...body.data.lines] }
    await route.fulfill({ json: { ...body, data } })
  })
  await page.route(/\/api\/wallet\/assets/, async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: DataOf<'wallet/assets'> }
    const items = body.data.items.map((item) => (item.symbol === 'BTN' ? { ...item, incoming: '25000' } : item))
    await route.fulfill({ json: { ...body, data: { ...body.data, items } } })
  })
}

async function copyLink({ page, register, enter }: ScreenFixtures, outcome: 'success' | 'error'): Promise<void> {
  await blockTimers(page, 2_000)
  await enter(await register())
  await page.goto('/share')
  await page.getByRole('button', { name: 'Copy invitation link' }).click()
  await page.locator(`[role=region] [data-type=${outcome}]`).first().waitFor()
}

/** Waits until the last toast is gone, because a toast keeps the language in which it was shown. */
const waitUntilToastsGone = (page: Page) =>
  page.locator('[role=region] [data-type]').first().waitFor({ state: 'detached' })

async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

async function chooseWallet(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await signInPage(page)
    .wallet(/Plain Wallet/)
    .click()
}

/** Prevents timers of this duration, so that the element stays while it is examined. */
async function blockTimers(page: Page, milliseconds: number): Promise<void> {
  await page.addInitScript((held) => {
    const start = window.setTimeout.bind(window)
    const startOrHold = (handler: TimerHandler, delay?: number, ...rest: unknown[]) =>
      delay === held ? 0 : start(handler, delay, ...rest)
    window.setTimeout = startOrHold as typeof window.setTimeout
  }, milliseconds)
}

async function mockPhone(page: Page): Promise<void> {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 (Linux; Android 16) Mobile' }),
  )
}
