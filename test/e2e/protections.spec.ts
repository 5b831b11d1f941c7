import type { Page } from '@playwright/test'
import { switchAppearance } from '../browser/appearance.ts'
import {
  backdateProtections,
  chooseFundPassword,
  type Member,
  requestOutputAddress,
  requestPasswordReset,
} from '../browser/member.ts'
import { fullHistory, postHistory } from '../browser/post-history.ts'
import { expectHome, signInPage } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'
import { FUND_PASSWORD } from '../browser/transfer.ts'
import { newAccount } from '../browser/wallet.ts'

const card = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

test.describe('registration', () => {
  test('shows the set-up code first, and then opens the sheet for the fund password with the code filled in', async ({
    page,
    stack,
    giveWallet,
    toasts,
  }) => {
    const wallet = await giveWallet()
    await page.goto(`/regist?invite=${stack.rootCode}`)
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Confirm and sign' }).click()
    await expect(page.getByText('keep the code: it is shown only once')).toBeVisible()
    await page.getByRole('button', { name: 'Choose a fund password' }).click()
    const sheet = page.getByRole('dialog', { name: 'Choose a fund password' })
    await expect(sheet.getByLabel('Set-up code')).toHaveValue(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
    const submit = sheet.getByRole('button', { name: 'Choose a fund password' })
    const field = sheet.getByLabel('Fund password', { exact: true })
    // The button of an incomplete form says what is missing.
    await submit.click()
    await expect(field).toHaveAccessibleDescription('Please fill this in · 6 to 20 letters or digits')
    await expect(field).toBeFocused()
    await field.pressSequentially('abc')
    await expect(field).toHaveAccessibleDescription('6 to 20 letters or digits')
    await page.keyboard.press('Enter')
    await expect(field).toHaveAccessibleDescription('Invalid password format · 6 to 20 letters or digits')
    await expect(field).toBeFocused()

    await field.fill('ab c1')
    await field.blur()
    await expect(sheet.getByText('Invalid password format · 6 to 20 letters or digits')).toBeVisible()
    await field.fill('abc123')
    await expect(field).toHaveAccessibleDescription(/^This password is too easy to guess\./)
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await submit.click()
    await expect(field).toBeFocused()
    await field.fill(FUND_PASSWORD)
    await expect(field).toHaveAccessibleDescription('6 to 20 letters or digits')
    await expect(field).toHaveAttribute('type', 'password')
    await expect(field).toHaveAttribute('autocomplete', 'new-password')
    await sheet.getByRole('button', { name: 'Show what I type' }).click()
    await expect(field).toHaveAttribute('type', 'text')
    await submit.click()
    await expectHome(page, wallet.address)
    await expect.poll(() => toasts).toContain('Fund password chosen')

    // Nothing is held for the browser of the registration.
    await page.goto('/setting')
    await expect(card(page, 'Fund password').getByText('Chosen', { exact: true })).toBeVisible()
    await expect(card(page, 'Transfers out are held')).toHaveCount(0)
  })
})

test.describe('the fund password', () => {
  test('can be chosen later with a new set-up code if the first one was lost', async ({
    page,
    register,
    enter,
    giveWallet,
  }) => {
    const member = await register()
    const wallet = await giveWallet({ account: member.account })
    await enter(member)
    await page.goto('/setting')
    await page.getByRole('button', { name: 'Choose a fund password' }).click()
    const sheet = page.getByRole('dialog', { name: 'Choose a fund password' })
    await sheet.getByLabel('Set-up code').fill('0000-0000-0000-0000')
    await sheet.getByLabel('Fund password', { exact: true }).fill(FUND_PASSWORD)
    await sheet.getByRole('button', { name: 'Choose a fund password' }).click()
    await expect(sheet.getByText('This is not your set-up code')).toBeVisible()

    await sheet.getByRole('button', { name: 'I have lost the code' }).click()
    await expect(sheet.getByLabel('Set-up code')).not.toHaveValue('0000-0000-0000-0000')
    const signed = wallet.requests.filter(({ method }) => method === 'personal_sign')
    expect(Buffer.from(String(signed[0]?.params[0]).slice(2), 'hex').toString()).toContain('new set-up code')
    await sheet.getByRole('button', { name: 'Choose a fund password' }).click()
    await expect(sheet).toBeHidden()
    await expect(card(page, 'Fund password').getByText('Chosen', { exact: true })).toBeVisible()
  })

  test('is reset from the same sheet if the set-up code was lost after money had moved', async ({
    page,
    stack,
    register,
    enter,
    giveWallet,
  }) => {
    const member = await register()
    await postHistory(stack, member, fullHistory)
    await giveWallet({ account: member.account })
    await enter(member)
    await page.goto('/setting')
    await page.getByRole('button', { name: 'Choose a fund password' }).click()
    const sheet = page.getByRole('dialog', { name: 'Choose a fund password' })
    await sheet.getByRole('button', { name: 'I have lost the code' }).click()
    await expect(sheet.getByText('A new set-up code is given only before')).toBeVisible()
    await sheet.getByRole('button', { name: 'Reset the fund password' }).click()
    const reset = page.getByRole('dialog', { name: 'Reset the fund password' })
    await reset.getByLabel('New fund password').fill(FUND_PASSWORD)
    await reset.getByRole('button', { name: 'Sign and reset' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(card(page, 'Fund password')).toContainText('Reset pending')
  })

  test('can be changed with the present one, after which transfers are held for a day', async ({
    page,
    stack,
    register,
    enter,
    toasts,
  }) => {
    const member = await registerProtectedMember(stack, register)
    await enter(member)
    await page.goto('/setting')
    await card(page, 'Fund password').getByRole('button', { name: 'Change' }).click()
    const sheet = page.getByRole('dialog', { name: 'Change the fund password' })
    await sheet.getByLabel('Current fund password').fill('wrong1')
    await sheet.getByLabel('New fund password').fill('new456')
    await page.keyboard.press('Enter')
    await expect(sheet.getByText('Wrong fund password. Five wrong tries lock it for 15 minutes.')).toBeVisible()
    await sheet.getByLabel('Current fund password').fill(FUND_PASSWORD)
    await page.keyboard.press('Enter')
    await expect(sheet).toBeHidden()
    await expect.poll(() => toasts).toContain('Fund password changed')
    const holds = card(page, 'Transfers out are held')
    await expect(holds.getByText('Fund password changed')).toBeVisible()
    await expect(holds.getByText(/ends in (24 h 0 min|23 h 59 min)/).first()).toBeVisible()
  })

  test('that is easily guessed can be typed as the current one, but not as the new one', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    await enter(await registerProtectedMember(stack, register))
    await page.goto('/setting')
    await card(page, 'Fund password').getByRole('button', { name: 'Change' }).click()
    const sheet = page.getByRole('dialog')
    const next = sheet.getByLabel('New fund password')
    const submit = sheet.getByRole('button', { name: 'Change the fund password' })
    await sheet.getByLabel('Current fund password').fill('password1')
    await next.pressSequentially('20261117')
    await expect(next).toBeFocused()
    const english = 'This password is too easy to guess. Avoid sequences, repetitions, dates and common words.'
    await expect(sheet.getByText(english)).toHaveCount(1)
    await submit.click()
    await expect(next).toBeFocused()
    await switchAppearance(page, { language: 'zh_tw' })
    await expect(sheet.getByText('這個密碼太容易被猜到。請避免連續或重複的字元、日期和常見單字。')).toBeVisible()
    await switchAppearance(page, { language: 'zh_cn' })
    await expect(sheet.getByText('这个密码太容易被猜到。请避免连续或重复的字符、日期和常见单词。')).toBeVisible()
    await switchAppearance(page, { language: 'en' })
    await next.pressSequentially('x4')
    await expect(sheet.getByText(english)).toHaveCount(0)
  })

  test('is locked after five wrong attempts, and shows for how long, in three languages', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await registerProtectedMember(stack, register)
    await enter(member)
    await page.goto('/setting')
    await card(page, 'Fund password').getByRole('button', { name: 'Change' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('New fund password').fill('new456')
    for (let tries = 1; tries <= 5; tries += 1) {
      await sheet.getByLabel('Current fund password').fill(`wrong${tries}`)
      const answered = page.waitForResponse(/account\/fund-password/)
      await page.keyboard.press('Enter')
      await answered
    }
    await expect(sheet.getByText('Too many wrong tries: the fund password is locked for 15 minutes.')).toBeVisible()
    await switchAppearance(page, { language: 'zh_tw' })
    await expect(sheet.getByText('輸錯次數過多，資金密碼已鎖定 15 分鐘。')).toBeVisible()
    await switchAppearance(page, { language: 'zh_cn' })
    await expect(sheet.getByText('输错次数过多，资金密码已锁定 15 分钟。')).toBeVisible()
    await switchAppearance(page, { language: 'en' })
    await page.reload()
    await expect(page.getByText('Locked after five wrong tries')).toBeVisible()
    await expect(page.getByText('ends in 15 min')).toBeVisible()
  })

  test('can be reset with the wallet; every screen shows the reset until the present password cancels it', async ({
    page,
    stack,
    register,
    giveWallet,
  }) => {
    const member = await registerProtectedMember(stack, register)
    const wallet = await giveWallet({ account: member.account })
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, member.account.address)
    await page.getByRole('link', { name: 'Open setting' }).click()
    await page.getByRole('button', { name: 'Forgot it?' }).click()
    const sheet = page.getByRole('dialog', { name: 'Reset the fund password' })
    await sheet.getByLabel('New fund password').fill('new456')

    wallet.setMisbehavior('refuses', 'personal_sign', 1)
    await sheet.getByRole('button', { name: 'Sign and reset' }).click()
    await expect(sheet.getByText('Nothing was signed.')).toBeVisible()
    await sheet.getByRole('button', { name: 'Sign and reset' }).click()
    await expect(sheet).toBeHidden()

    const banner = page.getByText('Your fund password will be reset in 3 d 0 h.')
    await expect(banner).toBeVisible()
    await expect(card(page, 'Transfers out are held').getByText('Fund password reset')).toBeVisible()
    await expect(card(page, 'Output address').getByRole('button', { name: 'Change' })).toHaveCount(0)
    await page.goto('/home')
    await expect(banner).toBeVisible()
    await page.getByRole('link', { name: 'Not you? Cancel it' }).click()
    await page.getByRole('button', { name: 'Cancel reset' }).click()
    const cancelling = page.getByRole('dialog', { name: 'Cancel reset' })
    await cancelling.getByLabel('Current fund password').fill(FUND_PASSWORD)
    await cancelling.getByRole('button', { name: 'Cancel reset' }).click()
    await expect(cancelling).toBeHidden()
    await expect(banner).toHaveCount(0)
  })

  test('cannot be reset by another account of the wallet', async ({ page, stack, register, giveWallet, enter }) => {
    const member = await registerProtectedMember(stack, register)
    const wallet = await giveWallet()
    await enter(member)
    await page.goto('/setting')
    await page.getByRole('button', { name: 'Forgot it?' }).click()
    const sheet = page.getByRole('dialog', { name: 'Reset the fund password' })
    await sheet.getByLabel('New fund password').fill('new456')
    await sheet.getByRole('button', { name: 'Sign and reset' }).click()
    await expect(sheet.getByText(/Switch it to the account you signed in with/)).toBeVisible()
    expect(wallet.countRequests('personal_sign')).toBe(0)
  })

  test('is replaced by the new one when the reset period is over', async ({ page, stack, register, enter }) => {
    const member = await registerProtectedMember(stack, register)
    await requestPasswordReset(stack, member, 'new456')
    await enter(member)
    await page.goto('/setting')
    await expect(page.getByRole('button', { name: 'Cancel reset' })).toBeVisible()
    await backdateProtections(stack, member, 72)
    await page.reload()
    await expect(page.getByText(/Your fund password will be reset in/)).toHaveCount(0)
    await card(page, 'Fund password').getByRole('button', { name: 'Change' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('Current fund password').fill('new456')
    await sheet.getByLabel('New fund password').fill('third7')
    await page.keyboard.press('Enter')
    await expect(sheet).toBeHidden()
  })
})

test.describe('the output address', () => {
  test('is requested, waits with a countdown, and can be canceled', async ({
    page,
    stack,
    register,
    enter,
    giveWallet,
    toasts,
  }) => {
    const member = await registerProtectedMember(stack, register)
    const wallet = await giveWallet({ account: member.account })
    const { address } = newAccount()
    await enter(member)
    await page.goto('/setting')
    const bound = card(page, 'Output address')
    await expect(bound.getByText('Your own wallet')).toBeVisible()
    await bound.getByRole('button', { name: 'Change' }).click()
    const sheet = page.getByRole('dialog', { name: 'Change output address' })
    await sheet.getByLabel('New address').fill('0x1234')
    await sheet.getByLabel('Fund password').fill(FUND_PASSWORD)
    await expect(sheet.getByText('Invalid wallet address')).toBeVisible()
    await sheet.getByLabel('New address').fill(member.account.address)
    await expect(sheet.getByText('This is already your output address')).toBeVisible()
    const submit = sheet.getByRole('button', { name: 'Sign and change' })
    await sheet.getByLabel('New address').fill('0x0000000000000000000000000000000000000000')
    await submit.click()
    await expect(sheet.getByText('You can’t transfer to this address')).toBeVisible()
    // One letter in the wrong case.
    const misspelled = address.replace(/[a-f]/, (letter) => letter.toUpperCase())
    await sheet.getByLabel('New address').fill(misspelled)
    await submit.click()
    await expect(sheet.getByText('The capital and small letters of this address do not fit together')).toBeVisible()
    expect(wallet.countRequests('personal_sign')).toBe(0)
    await sheet.getByLabel('New address').fill(address)
    wallet.setMisbehavior('refuses', 'personal_sign', 1)
    await submit.click()
    await expect(sheet.getByText('Nothing was signed.')).toBeVisible()

    // After a wrong fund password the wallet is not asked again.
    await sheet.getByLabel('Fund password').fill('wrong1')
    await submit.click()
    await expect(sheet.getByText('Wrong fund password')).toBeVisible()
    await sheet.getByLabel('Fund password').fill(FUND_PASSWORD)
    await submit.click()
    await expect(sheet).toBeHidden()
    expect(wallet.countRequests('personal_sign')).toBe(2)
    await expect.poll(() => toasts).toContain(`${address.slice(0, 6)}…${address.slice(-4)} takes effect in 48 hours`)

    await expect(bound.getByText(/takes effect in (2 d 0 h|47 h 59 min)/)).toBeVisible()
    await expect(bound).toContainText(address.slice(6, 21))
    await expect(bound).toContainText('Until then, everything still goes to your current address.')
    await expect(bound).toContainText('If this was not you, cancel the change now')
    await bound.getByRole('button', { name: 'Cancel change' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel change' }).click()
    await expect(bound.getByText(/takes effect in/)).toHaveCount(0)
    await page.getByRole('button', { name: 'Show security log' }).click()
    const log = page.getByRole('dialog', { name: 'Security log' })
    await expect(log.getByText(`Change of output address to ${address} canceled`)).toBeVisible()
    await expect(log.getByText(/New output address requested/)).toBeVisible()
  })

  test('is not requested if the sheet is closed while the wallet asks; typing meanwhile changes nothing', async ({
    page,
    stack,
    register,
    giveWallet,
    enter,
  }) => {
    const member = await registerProtectedMember(stack, register)
    const wallet = await giveWallet({ account: member.account })
    const { address } = newAccount()
    await enter(member)
    await page.goto('/setting')
    const bound = card(page, 'Output address')
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    const askWallet = async () => {
      await bound.getByRole('button', { name: 'Change' }).click()
      const sheet = page.getByRole('dialog', { name: 'Change output address' })
      await sheet.getByLabel('New address').fill(address)
      await sheet.getByLabel('Fund password').fill(FUND_PASSWORD)
      const asked = wallet.countRequests('personal_sign')
      wallet.setMisbehavior('waits', 'personal_sign', 1)
      await sheet.getByRole('button', { name: 'Sign and change' }).click()
      await expect.poll(() => wallet.countRequests('personal_sign')).toBe(asked + 1)
      return sheet
    }
    const closed = await askWallet()
    await closed.getByRole('button', { name: 'Close' }).click()
    await expect(closed).toBeHidden()
    wallet.stopWaiting()
    await page.waitForTimeout(1_000)
    expect(requests).not.toContain('/api/account/output-address')
    await expect(bound.getByText(/takes effect in/)).toBeHidden()

    const sheet = await askWallet()
    await sheet.getByLabel('New address').press('End')
    await sheet.getByLabel('New address').press('Backspace')
    await expect(sheet.getByLabel('New address')).toHaveValue(address)
    wallet.stopWaiting()
    await expect(sheet).toBeHidden()
    await expect(bound).toContainText(address.slice(6, 21))
  })

  test('is bound after the waiting time, and can be set back to the own wallet', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await registerProtectedMember(stack, register)
    const { address } = newAccount()
    await requestOutputAddress(stack, member, { address, password: FUND_PASSWORD })
    await backdateProtections(stack, member, 48)
    await enter(member)
    await page.goto('/setting')
    const bound = card(page, 'Output address')
    await expect(bound).toContainText(address.slice(6, 21))
    await expect(card(page, 'Transfers out are held').getByText('New output address')).toBeVisible()
    await bound.getByRole('button', { name: 'Change' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: 'Back to my own wallet' }).click()
    await expect(sheet.getByLabel('New address')).toHaveValue(member.account.address)
    // The own wallet needs no signature. There is no wallet in this browser.
    await sheet.getByLabel('Fund password').fill(FUND_PASSWORD)
    await sheet.getByRole('button', { name: 'Change address' }).click()
    await expect(bound.getByText(/takes effect in/)).toBeVisible()
  })

  test('is not requested with another account of the wallet', async ({ page, stack, register, giveWallet, enter }) => {
    await giveWallet()
    await enter(await registerProtectedMember(stack, register))
    await page.goto('/setting')
    await card(page, 'Output address').getByRole('button', { name: 'Change' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('New address').fill(newAccount().address)
    await sheet.getByLabel('Fund password').fill(FUND_PASSWORD)
    await sheet.getByRole('button', { name: 'Sign and change' }).click()
    await expect(sheet.getByText(/Switch it to the account you signed in with/)).toBeVisible()
  })

  test('that resembles one used before must be compared first', async ({
    page,
    stack,
    register,
    giveWallet,
    enter,
  }) => {
    const member = await registerProtectedMember(stack, register)
    await giveWallet({ account: member.account })
    await enter(member)
    await page.goto('/setting')
    await card(page, 'Output address').getByRole('button', { name: 'Change' }).click()
    const sheet = page.getByRole('dialog')
    const own = member.account.address
    await sheet.getByLabel('New address').fill(`${own.slice(0, 6)}${'1'.repeat(32)}${own.slice(-4)}`.toLowerCase())
    await sheet.getByLabel('Fund password').fill(FUND_PASSWORD)
    await expect(sheet.getByText('Be careful:')).toBeVisible()
    const submit = sheet.getByRole('button', { name: 'Sign and change' })
    await submit.click()
    await expect(sheet).toContainText('Compare both addresses first, then tick the box.')
    await expect(sheet.getByLabel('I have compared every character')).toBeFocused()
    await sheet.getByLabel('I have compared every character').check()
    await expect(sheet).not.toContainText('Compare both addresses first')
    await submit.click()
    await expect(sheet).toBeHidden()
  })
})

test.describe('the transfer lock', () => {
  test('is set for some days and can only be extended', async ({ page, stack, register, enter }) => {
    await enter(await registerProtectedMember(stack, register))
    await page.goto('/setting')
    const lock = card(page, 'Transfer lock')
    await lock.getByRole('button', { name: 'Lock transfers' }).click()
    const sheet = page.getByRole('dialog', { name: 'Lock transfers out' })
    await sheet.getByLabel('Days').fill('31')
    await expect(sheet.getByText('A whole number from 1 to 30')).toBeVisible()
    await sheet.getByLabel('Days').fill('3')
    await sheet.getByLabel('Fund password').fill(FUND_PASSWORD)
    await sheet.getByRole('button', { name: 'Lock', exact: true }).click()
    await expect(sheet).toBeHidden()
    await expect(lock.getByText('Locked', { exact: true })).toBeVisible()
    await lock.getByRole('button', { name: 'Extend' }).click()
    await sheet.getByLabel('Days').fill('2')
    await expect(sheet.getByText('It must end later than the current lock')).toBeVisible()
  })
})

test.describe('sessions', () => {
  test('can be ended from another browser, one by one', async ({ page, stack, browser, register, giveWallet }) => {
    const member = await registerProtectedMember(stack, register)
    await giveWallet({ account: member.account })
    const elsewhere = await browser.newContext({ baseURL: stack.origin })
    const other = await elsewhere.newPage()
    await other.goto('/healthz')
    await other.evaluate(
      ([token, account]) => {
        const state = { token, account, lang: 'en', roles: [], routers: [] }
        localStorage.setItem('session', JSON.stringify({ state, version: 1 }))
      },
      [member.token, member.account.address] as const,
    )
    await other.goto('/home')
    await expectHome(other, member.account.address)

    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, member.account.address)
    await page.goto('/setting')
    const sessions = card(page, 'Where you are signed in')
    await expect(sessions.getByText('Chrome · Linux')).toBeVisible()
    await expect(sessions.getByRole('listitem')).toHaveCount(2)
    await sessions.getByRole('button', { name: 'End the session of Unknown browser' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'End' }).click()
    await expect(sessions.getByRole('listitem')).toHaveCount(1)
    await expect(sessions.getByText('This one')).toBeVisible()

    await other.goto('/setting')
    await expect(other).toHaveURL(/\/login/)
    await elsewhere.close()
  })

  test('show an error if they cannot be listed, and load on retry', async ({ page, stack, register, enter }) => {
    await enter(await registerProtectedMember(stack, register))
    await page.route(/account\/sessions/, (route) => route.fulfill({ status: 403, json: {} }), { times: 1 })
    await page.goto('/setting')
    const sessions = card(page, 'Where you are signed in')
    await expect(sessions.getByText('Your sessions could not be loaded')).toBeVisible()
    await sessions.getByRole('button', { name: 'Try again' }).click()
    await expect(sessions.getByText('This one')).toBeVisible()
  })
})

test.describe('without a network', () => {
  test('a change shows an error and keeps what was typed', async ({ page, context, stack, register, enter }) => {
    await enter(await registerProtectedMember(stack, register))
    await page.goto('/setting')
    await card(page, 'Transfer lock').getByRole('button', { name: 'Lock transfers' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('Fund password').fill(FUND_PASSWORD)
    await context.setOffline(true)
    await sheet.getByRole('button', { name: 'Lock', exact: true }).click()
    await expect(sheet.getByText('Network connection failed. Please check your network settings.')).toBeVisible()
    await expect(sheet.getByLabel('Fund password')).toHaveValue(FUND_PASSWORD)
    await context.setOffline(false)
    await sheet.getByRole('button', { name: 'Lock', exact: true }).click()
    await expect(sheet).toBeHidden()
  })
})

test.describe('in an exit session', () => {
  test('a disabled account can still choose its fund password, and sees only what it may use', async ({
    page,
    register,
    disable,
    giveWallet,
  }) => {
    const member = await register()
    await disable(member)
    await giveWallet({ account: member.account })
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Take your assets out' }).click()
    await expect(page).not.toHaveURL(/\/login/)
    await page.goto('/setting')
    await expect(card(page, 'Fund password')).toBeVisible()
    await expect(card(page, 'Transfer lock')).toHaveCount(0)
    await expect(card(page, 'Where you are signed in')).toHaveCount(0)
    await page.getByRole('button', { name: 'Choose a fund password' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('Set-up code').fill(member.setupCode)
    await sheet.getByLabel('Fund password', { exact: true }).fill(FUND_PASSWORD)
    await sheet.getByRole('button', { name: 'Choose a fund password' }).click()
    await expect(sheet).toBeHidden()
  })
})

async function registerProtectedMember(
  stack: Parameters<typeof chooseFundPassword>[0],
  register: () => Promise<Member>,
): Promise<Member> {
  const member = await register()
  await chooseFundPassword(stack, member, FUND_PASSWORD)
  return member
}
