import { depositPage, openDepositForm } from '../browser/deposit.ts'
import { expect, test } from '../browser/test.ts'

// The app refreshes its data by itself, and a request may be open when the test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

test.describe('a word that needs an explanation', () => {
  for (const { path, word, name, text } of [
    {
      path: '/pledge',
      word: 'Effective pledge',
      name: /^Explain: Effective pledge$/,
      text: 'times the factor of its term',
    },
    { path: '/pledge', word: 'Network share', name: /^Explain: Network share$/, text: 'as a part of all members’' },
    { path: '/wallet/detail?symbol=USDT', word: 'Frozen', name: /^Explain: Frozen$/, text: 'It is still yours.' },
    { path: '/teams', word: 'Activated', name: /^Explain: Activated$/, text: 'Has bought at least L1.' },
    { path: '/wallet/detail?symbol=USDT', word: 'Quota', name: /^Explain: Quota$/, text: 'in any 24 hours' },
    {
      path: '/promotion',
      word: 'Computing power',
      name: /^Explain: Computing power$/,
      text: 'Dividends follow pledges',
    },
  ] as const)
    test(`${word} is explained by a button that the keyboard reaches`, async ({ page, register, enter }) => {
      await enter(await register())
      await page.goto(path)
      const ask = page.locator('main:visible').getByRole('button', { name })
      await ask.focus()
      await page.keyboard.press('Enter')
      const sheet = page.getByRole('dialog', { name: word })
      await expect(sheet).toContainText(text)
      await page.keyboard.press('Escape')
      await expect(sheet).toBeHidden()
      await expect(ask).toBeFocused()
    })

  test('leaves the page as it is if the explanation cannot be loaded', async ({ page, register, enter, messages }) => {
    await enter(await register())
    await page.goto('/pledge')
    const ask = page.locator('main:visible').getByRole('button', { name: 'Explain: Network share' })
    await expect(ask).toBeVisible()
    await page.context().setOffline(true)
    await ask.click()
    await expect
      .poll(() => messages)
      .toEqual(['This could not be loaded. Check your connection, then reload the page.'])
    await expect(ask).toBeVisible()
  })

  test('leads to the help article, in Chinese too', async ({ page, register, enter }) => {
    await enter(await register({ lang: 'zh_tw' }))
    await page.goto('/pledge')
    await page.getByRole('button', { name: '說明：有效質押' }).click()
    const sheet = page.getByRole('dialog', { name: '有效質押' })
    await expect(sheet).toContainText('質押數量乘以期限係數')
    await sheet.getByRole('link', { name: '更多說明：什麼是質押' }).click()
    await expect(page).toHaveURL('/setting/help?article=what-a-pledge-is')
    await expect(page.locator('main:visible')).toContainText('就是有效質押')
    await expect(sheet).toBeHidden()
    await page.goBack()
    await expect(page).toHaveURL('/pledge')
  })
})

test('a wallet without coins leads to the article about the coins', async ({ page, enterWith }) => {
  await enterWith({})
  await openDepositForm(page, 'BTN')
  const { sheet } = depositPage(page)
  await sheet.getByRole('link', { name: 'What USDT, BTN and the network’s coin are for, and how to get them' }).click()
  await expect(page).toHaveURL('/setting/help?article=how-to-begin')
  await expect(sheet).toBeHidden()
})

test('a promotion with an empty balance needs no deposit, and says so', async ({ page, register, enter }) => {
  await enter(await register())
  await page.goto('/promotion')
  await page.getByRole('button', { name: /^Promote to L1/ }).click()
  await expect(page.getByRole('dialog', { name: 'Promote to L1' })).toContainText(
    'You need no deposit: your wallet can pay directly.',
  )
})
