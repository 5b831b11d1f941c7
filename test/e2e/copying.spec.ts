import type { Page } from '@playwright/test'
import { copiedText, limitClipboard } from '../browser/clipboard.ts'
import { deposit, openForm } from '../browser/deposit.ts'
import { putPasswordOff, signIn } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'

const copyLink = (page: Page) => page.getByRole('button', { name: 'Copy invitation link' })
const byHand = (page: Page) => page.getByRole('dialog', { name: 'Copy by hand' })
const selected = (page: Page) =>
  byHand(page)
    .getByRole('textbox')
    .evaluate((field: HTMLTextAreaElement) => field.value.slice(field.selectionStart, field.selectionEnd))

for (const api of ['absent', 'denied'] as const) {
  test.describe(`where the Clipboard API is ${api}, copying`, () => {
    test('is done by the older way, and leaves focus and selection as they were', async ({
      page,
      context,
      stack,
      register,
      enter,
      toasts,
    }) => {
      await limitClipboard(page, { api, execCommand: 'works' })
      const member = await register()
      await enter(member)
      await page.goto('/share')
      const tail = page.getByText(`…${member.account.address.slice(-6)}`)
      await tail.evaluate((text) => getSelection()?.selectAllChildren(text))
      await copyLink(page).press('Enter')
      await expect.poll(() => toasts).toEqual(['Copy successful'])
      expect(await copiedText(page, context)).toBe(`${stack.origin}/regist?invite=${member.inviteCode}`)
      await expect(page.getByRole('button', { name: /Copied|Copy invitation link/ })).toBeFocused()
      expect(await page.evaluate(() => getSelection()?.toString())).toBe(await tail.textContent())
      await expect(page.locator('textarea')).toHaveCount(0)
    })

    test('works in a sheet, which keeps the focus', async ({ page, context, stack, enterWith, toasts }) => {
      await limitClipboard(page, { api, execCommand: 'works' })
      await enterWith({ USDT: '5' })
      await openForm(page, 'USDT')
      await deposit(page).amount.fill('3')
      const copy = deposit(page).sheet.getByRole('button', { name: 'Copy the address' })
      await copy.press('Enter')
      await expect.poll(() => toasts).toEqual(['Copy successful'])
      expect(await copiedText(page, context)).toBe(stack.contracts.vault)
      await expect(copy).toBeFocused()
      await expect(deposit(page).amount).toHaveValue('3')
    })

    test('that fails altogether shows the text, selected, and never says that it was copied', async ({
      page,
      stack,
      register,
      enter,
      toasts,
    }) => {
      await limitClipboard(page, { api, execCommand: 'fails' })
      const member = await register()
      await enter(member)
      await page.goto('/share')
      await copyLink(page).click()
      await expect(byHand(page)).toContainText('The text is selected')
      await expect.poll(() => selected(page)).toBe(`${stack.origin}/regist?invite=${member.inviteCode}`)
      await expect(byHand(page).getByRole('textbox')).toBeFocused()
      expect(toasts).toEqual([api === 'absent' ? 'Your browser does not support the Clipboard API.' : 'Copy failed'])
      await expect(page.getByText('Copied', { exact: true })).toHaveCount(0)
      await page.keyboard.press('Escape')
      await expect(byHand(page)).toBeHidden()
      await expect(copyLink(page)).toBeFocused()
    })
  })
}

test('an address that cannot be copied is shown above its sheet, which stays', async ({ page, stack, enterWith }) => {
  await limitClipboard(page, { api: 'denied', execCommand: 'fails' })
  await enterWith({ USDT: '5' })
  await openForm(page, 'USDT')
  await deposit(page).amount.fill('3')
  await deposit(page).sheet.getByRole('button', { name: 'Copy the address' }).click()
  await expect.poll(() => selected(page)).toBe(stack.contracts.vault)
  await byHand(page).getByRole('button', { name: 'Close' }).first().click()
  await expect(byHand(page)).toBeHidden()
  await expect(deposit(page).sheet).toBeVisible()
  await expect(deposit(page).amount).toHaveValue('3')
})

test('the set-up code that cannot be copied is shown to be copied by hand', async ({ page, stack, giveWallet }) => {
  await limitClipboard(page, { api: 'absent', execCommand: 'fails' })
  await giveWallet()
  await page.goto(`/regist?invite=${stack.rootCode}`)
  await signIn(page)
    .wallet(/Plain Wallet/)
    .click()
  await page.getByRole('button', { name: 'Confirm and sign' }).click()
  await putPasswordOff(page)
  await page.getByRole('button', { name: 'Copy the set-up code' }).click()
  await expect.poll(() => selected(page)).toMatch(/^(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}$/)
})
