import type { Page } from '@playwright/test'
import { expectInEveryLanguage } from '../browser/appearance.ts'
import {
  backdateProtections,
  chooseFundPassword,
  getAs,
  type Member,
  postAs,
  requestOutputAddress,
} from '../browser/member.ts'
import { signInPage } from '../browser/sign-in.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { expect, test } from '../browser/test.ts'
import {
  FUND_PASSWORD,
  makeTransfer,
  openTransferConfirmation,
  patchTerms,
  patchTransfers,
  registerMemberWithBalance,
  transferPage,
} from '../browser/transfer.ts'
import { newAccount } from '../browser/wallet.ts'

// The app refreshes its data by itself, and a request may be open when the test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

/** A transfer that the member's own transfer lock holds for a day. */
async function makeLockedTransfer(page: Page, stack: BrowserStack, member: Member): Promise<void> {
  await postAs(stack, 'account/transfer-lock', member, { days: 1, password: FUND_PASSWORD })
  await makeTransfer(page, 'USDT', '25')
}

test.describe('the transfer form', () => {
  test('opens from an asset, and shows while typing what arrives, what is debited and the limits', async ({
    page,
    enterHolding,
  }) => {
    await enterHolding()
    await page.goto('/wallet/detail?symbol=USDT')
    await expect(page.locator('main:visible')).toContainText('24-hour transfer quota')
    await expect(page.locator('main:visible')).toContainText('100 / 100')
    await page.getByRole('button', { name: 'Transfer out' }).click()
    await expect(page).toHaveURL('/setting/transfer?symbol=USDT')

    const { main, amount, max } = transferPage(page)
    await expect(page.getByRole('radio', { name: 'USDT' })).toBeChecked()
    await expect(main).toContainText('Available: 500 USDT')
    await expect(main).toContainText('10 to 50,000 USDT')
    await expect(main).toContainText('100 of 100 USDT')
    await expect(main).toContainText('Your own wallet')
    await expect(main).toContainText('Goes out within a few minutes; usually final about a minute after that.')
    await expect(main).toContainText('Above 5,000 USDT, an operator reviews it first')

    await amount.fill('25.5')
    await expect(main).toContainText('25.50 USDT')
    await expect(main).toContainText('26.50 USDT')
    await expect(main).toContainText('fee of 1 USDT included')
    await max.click()
    await expect(amount).toHaveValue('100')

    await page.getByRole('radio', { name: 'BTC' }).check()
    await expect(amount).toHaveValue('')
    await expect(main).toContainText('0.0005 to 2 BTC')
  })

  test('fills in at most the balance minus the fee, and says at once that a balance is too small', async ({
    page,
    enterHolding,
  }) => {
    await enterHolding({ USDT: '50.500001', BTN: '100' })
    await page.goto('/setting/transfer')
    await transferPage(page).max.click()
    await expect(transferPage(page).amount).toHaveValue('49.500001')
    await expect(transferPage(page).main).toContainText('50.500001 USDT')
    await page.getByRole('radio', { name: 'BTN' }).check()
    await expect(transferPage(page).main).toContainText('You have 100 BTN. A transfer needs at least')
    await expect(transferPage(page).max).toHaveCount(0)
  })

  test('shows amount errors at the field, in the pool’s order and in three languages', async ({
    page,
    enterHolding,
  }) => {
    await enterHolding({ USDT: '150' })
    await page.goto('/setting/transfer')
    await page.getByText('Available: 150 USDT').waitFor()
    await page.getByRole('button', { name: 'Transfer out' }).click()
    await expectInEveryLanguage(page, { en: 'Enter an amount', zh_tw: '請輸入數量', zh_cn: '请输入数量' })
    await transferPage(page).amount.fill('1,234')
    await expect(page.getByText('A comma can mean two things here. Write 1234 or 1.234')).toBeVisible()
    await transferPage(page).amount.fill('9.999999')
    await expectInEveryLanguage(page, {
      en: 'The value must be between 10 and 50,000',
      zh_tw: '數值必須介於 10 與 50,000 之間',
      zh_cn: '数值必须在 10 和 50,000 之间',
    })
    await transferPage(page).amount.fill('149.000001')
    await expectInEveryLanguage(page, {
      en: 'Insufficient available balance. At most 149\u00a0USDT can arrive: you have 150\u00a0USDT, and the fee is 1\u00a0USDT.',
      zh_tw: '可用餘額不足。最多可到帳 149\u00a0USDT：您有 150\u00a0USDT，手續費為 1\u00a0USDT。',
      zh_cn: '可用余额不足。最多可到账 149\u00a0USDT：您有 150\u00a0USDT，手续费为 1\u00a0USDT。',
    })
    await transferPage(page).amount.fill('149')
    await expectInEveryLanguage(page, {
      en: 'Insufficient available quota',
      zh_tw: '可用額度不足',
      zh_cn: '可用额度不足',
    })
    await page.getByRole('button', { name: 'Transfer out' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(transferPage(page).amount).toBeFocused()
    await transferPage(page).amount.fill('100')
    await expect(page.getByText('Insufficient')).toHaveCount(0)
  })

  test('of a member without a fund password leads to choosing one', async ({ page, register, enter }) => {
    const member = await register()
    await enter(member)
    await page.goto('/setting')
    await page.getByRole('link', { name: /^Transfer out/ }).click()
    await expect(page).toHaveURL('/setting/transfer')
    await expect(page.getByText('Choose one first.')).toBeVisible()
    await page.getByRole('button', { name: 'Choose a fund password' }).click()
    const sheet = page.getByRole('dialog', { name: 'Choose a fund password' })
    await sheet.getByLabel('Set-up code').fill(member.setupCode)
    await sheet.getByLabel('Fund password', { exact: true }).fill(FUND_PASSWORD)
    await sheet.getByRole('button', { name: 'Choose a fund password' }).click()
    await expect(sheet).toBeHidden()
    await expect(page.getByRole('button', { name: 'Transfer out' })).toBeVisible()
  })

  test('of a pool without a plan says so, in three languages', async ({ page, register, enter }) => {
    await enter(await register())
    const refusal = { code: 409, message: '', data: null, reason: 'plan-none' }
    await page.route(/transfer\/terms/, (route) => route.fulfill({ status: 409, json: refusal }))
    await page.goto('/setting/transfer')
    await expectInEveryLanguage(page, { en: 'No plan yet', zh_tw: '尚未公布方案', zh_cn: '尚未公布方案' })
    await expect(page.getByRole('button', { name: 'Transfer out' })).toHaveCount(0)
  })

  test('shows another output address with its binding date, its holds, and a link to change it', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await registerMemberWithBalance(stack, register)
    const { address } = newAccount()
    await requestOutputAddress(stack, member, { address, password: FUND_PASSWORD })
    await backdateProtections(stack, member, 49)
    await enter(member)
    await page.goto('/setting/transfer')
    const { main } = transferPage(page)
    await expect(main).toContainText(address.slice(6, 21))
    await expect(main).toContainText('In use since')
    await expect(main).toContainText('It goes out when all of these have ended.')
    await expect(main).toContainText(/A transfer made now is held until .+\./)
    await expect(main).toContainText('New output address')
    await expect(main).toContainText(/ends in (47 h 0 min|46 h 59 min)/)
    await main.getByRole('link', { name: 'Change address' }).click()
    await expect(page).toHaveURL('/setting')
  })

  test('says during a payout pause when transfers are paid, as does the sheet, also for held transfers', async ({
    page,
    enterHolding,
  }) => {
    await enterHolding()
    const [soon, later] = [5, 30].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString()) as [
      string,
      string,
    ]
    await patchTerms(page, () => ({ pausedUntil: soon }))
    await openTransferConfirmation(page, 'USDT', '25')
    const { main, sheet } = transferPage(page)
    const words = /When payouts resume, on .+ at the latest\. You can cancel the transfer until then\./
    await expect(sheet).toContainText(words)
    await expect(sheet).not.toContainText('Goes out within')
    await page.getByRole('button', { name: 'Close' }).click()
    await expect(main).toContainText(words)
    await expect(main).not.toContainText('Goes out within')
    await expectInEveryLanguage(page, {
      en: 'You can cancel the transfer until then.',
      zh_tw: '在此之前您可以取消這筆轉出。',
      zh_cn: '在此之前您可以取消这笔转出。',
    })

    await patchTerms(page, () => ({ pausedUntil: soon, holds: [{ reason: 'own-lock', endsAt: later }] }))
    await page.reload()
    await expect(main).toContainText('when all of these have ended and payouts have resumed')
    await expect(main).not.toContainText('When payouts resume')
  })

  test('says before the request that two operators must approve it', async ({ page, enterHolding }) => {
    await enterHolding({ USDT: '60000' })
    await patchTerms(page, ({ symbols }) => ({
      symbols: symbols.map((one) => ({ ...one, quota: { left: '60000', total: '60000' } })),
    }))
    await page.goto('/setting/transfer')
    const { main, amount } = transferPage(page)
    await amount.fill('5000')
    await expect(main).toContainText('Goes out within a few minutes')
    await amount.fill('5000.000001')
    await expect(main).toContainText(
      'Above 5,000 USDT, an operator reviews it first, for up to 72 hours. You can cancel',
    )
    await expect(main).not.toContainText('Goes out within a few minutes')
    await amount.fill('20000.01')
    await expect(main).toContainText('Above 20,000 USDT, two operators must approve it.')
  })
})

test.describe('the confirming sheet', () => {
  test('repeats the transfer in words, and its password field cannot be autofilled', async ({ page, enterHolding }) => {
    const member = await enterHolding()
    await openTransferConfirmation(page, 'USDT', '25.5')
    const { sheet, password, confirm } = transferPage(page)
    await expect(sheet).toContainText('25.5 USDT leaves the pool. Once the payment is signed, nobody can reverse it.')
    await expect(sheet).toContainText('26.50 USDT')
    await expect(sheet).toContainText('fee of 1 USDT included')
    await expect(sheet).toContainText(member.account.address)
    await expect(sheet).toContainText('Goes out within a few minutes')
    await expect(password).toHaveAttribute('autocomplete', 'off')
    await expect(password).toHaveAttribute('type', 'password')
    await confirm.click()
    await expect(password).toBeFocused()
    await expectInEveryLanguage(page, {
      en: 'Please fill this in · 6 to 20 letters or digits',
      zh_tw: '請填寫此欄 · 6 到 20 個英文字母或數字',
      zh_cn: '请填写此项 · 6 到 20 位字母或数字',
    })
    await password.fill(FUND_PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\?id=/)
    await expect(transferPage(page).step('Requested')).toContainText('Fund password checked, 26.5 USDT set aside.')
  })

  test('counts wrong passwords, and after five shows how long the password is locked, in three languages', async ({
    page,
    enterHolding,
  }) => {
    await enterHolding()
    await openTransferConfirmation(page, 'USDT', '25')
    const { sheet, password, confirm } = transferPage(page)
    const keys: string[] = []
    page.on('request', (asked) => {
      if (asked.url().endsWith('/transfer/order')) keys.push(asked.postDataJSON().key)
    })
    for (let tries = 1; tries <= 4; tries += 1) {
      await password.fill(`wrong${tries}`)
      await confirm.click()
      await expect(password).toHaveValue('')
      await expect(sheet.getByText('Wrong fund password. Five wrong tries lock it for 15 minutes.')).toBeVisible()
    }
    await expectInEveryLanguage(page, {
      en: 'Wrong fund password. Five wrong tries lock it for 15 minutes.',
      zh_tw: '資金密碼錯誤。連續輸錯五次將鎖定 15 分鐘。',
      zh_cn: '资金密码错误。连续输错五次将锁定 15 分钟。',
    })
    await password.fill('wrong5')
    await confirm.click()
    await expectInEveryLanguage(page, {
      en: 'Five wrong fund passwords: locked for another 15 min.',
      zh_tw: '資金密碼輸錯五次，還要鎖定 15 分鐘。',
      zh_cn: '资金密码输错五次，还要锁定 15 分钟。',
    })
    await password.fill(FUND_PASSWORD)
    await expect(confirm).toBeDisabled()
    expect(new Set(keys).size).toBe(5)
  })

  const refusals = [
    {
      reason: 'amount-range',
      amount: '9',
      words: {
        en: 'The amount is outside the limits of one transfer.',
        zh_tw: '金額超出單筆轉出的範圍。',
        zh_cn: '金额超出单笔转出的范围。',
      },
    },
    {
      reason: 'balance-insufficient',
      amount: '500',
      words: { en: 'Insufficient available balance', zh_tw: '可用餘額不足', zh_cn: '可用余额不足' },
    },
    {
      reason: 'quota-insufficient',
      amount: '101',
      words: { en: 'Insufficient available quota', zh_tw: '可用額度不足', zh_cn: '可用额度不足' },
    },
  ] as const
  for (const { reason, amount, words } of refusals)
    test(`leads back to the field if the pool refuses with ${reason}`, async ({ page, enterHolding }) => {
      await enterHolding()
      await patchTerms(page, ({ symbols }) => ({
        symbols: symbols.map((one) => ({
          ...one,
          min: '1',
          available: '1000',
          quota: { left: '1000', total: '1000' },
        })),
      }))
      await openTransferConfirmation(page, 'USDT', amount)
      await transferPage(page).password.fill(FUND_PASSWORD)
      const answered = page.waitForResponse(/transfer\/order/)
      await transferPage(page).confirm.click()
      expect(await (await answered).json()).toMatchObject({ code: 422, reason })
      await expect(transferPage(page).sheet).toBeHidden()
      await expectInEveryLanguage(page, words)
      await transferPage(page).amount.fill('50')
      await expect(page.getByText(words.en)).toHaveCount(0)
    })

  const changes = [
    {
      reason: 'plan-changed',
      change: { planVersion: 7 },
      words: {
        en: 'The terms have changed. Please review them. Nothing was sent.',
        zh_tw: '條款已變更，請重新查看。尚未執行任何操作。',
        zh_cn: '条款已变更，请重新查看。尚未执行任何操作。',
      },
    },
    {
      reason: 'output-address-changed',
      change: { address: newAccount().address, own: false },
      words: {
        en: 'Your output address has changed. Please review it. Nothing was sent.',
        zh_tw: '您的轉出地址已變更，請重新查看。尚未執行任何操作。',
        zh_cn: '您的转出地址已变更，请重新查看。尚未执行任何操作。',
      },
    },
  ] as const
  for (const { reason, change, words } of changes)
    test(`shows the new terms and asks again if the pool refuses with ${reason}`, async ({
      page,
      stack,
      enterHolding,
    }) => {
      const member = await enterHolding()
      await patchTerms(page, () => change)
      await openTransferConfirmation(page, 'USDT', '25')
      await page.unrouteAll({ behavior: 'wait' })
      const { sheet, password, confirm } = transferPage(page)
      await password.fill(FUND_PASSWORD)
      await confirm.click()
      await expectInEveryLanguage(page, words)
      await expect(sheet).toContainText(member.account.address)
      expect((await getAs(stack, 'order/list', member, { type: '2' })).items).toEqual([])
      await confirm.click()
      await expect(page).toHaveURL(/\?id=/)
    })

  test('shows a refusal that concerns no field above its button, and stores nothing', async ({
    page,
    enterHolding,
  }) => {
    await enterHolding()
    await openTransferConfirmation(page, 'USDT', '25')
    const refusal = { code: 409, message: '', data: null, reason: 'key-conflict' }
    await page.route(/transfer\/order/, (route) => route.fulfill({ status: 409, json: refusal }))
    await transferPage(page).password.fill(FUND_PASSWORD)
    await transferPage(page).confirm.click()
    await expectInEveryLanguage(page, {
      en: 'This request was already sent with different terms. Please start again.',
      zh_tw: '此請求先前曾以不同條件送出，請重新開始。',
      zh_cn: '此请求之前曾以不同条件提交，请重新开始。',
    })
  })
})

test.describe('a transfer', () => {
  test('shows each hold with its countdown, and continues automatically after the last one', async ({
    page,
    stack,
    enterHolding,
  }) => {
    const member = await enterHolding()
    await makeLockedTransfer(page, stack, member)
    const { main, step, state } = transferPage(page)
    await expect(state('Held')).toBeVisible()
    await expect(step('Held')).toContainText('Your own lock')
    await expect(step('Held')).toContainText(/ends in (24 h 0 min|23 h 59 min)/)
    // The log knows only "confirming", so the sheet of the line says why the transfer waits.
    const path = new URL(page.url())
    await page.goto('/wallet/detail?symbol=USDT')
    await main.getByRole('button', { name: 'Transfer out' }).first().click()
    const line = page.getByRole('dialog', { name: 'Transfer out' })
    await expect(line).toContainText(/StatusConfirmingTransfer progressHeld until \d+ \w+ 20\d\d, \d\d:\d\d/)
    await line.getByRole('link', { name: 'See the transfer' }).click()
    await expect(page).toHaveURL(path.pathname + path.search)
    await backdateProtections(stack, member, 23)
    await page.clock.install()
    await page.reload()
    await expect(step('Held')).toContainText(/ends in (1 h 0 min|59 min)/)
    await expectInEveryLanguage(page, { en: 'Your own lock', zh_tw: '您自己的鎖定', zh_cn: '您自己的锁定' })
    await backdateProtections(stack, member, 2)
    await page.clock.runFor(16_000)
    await expect(main.getByText('Held')).toHaveCount(0)
    await expect(step('Approved').or(step('Queued'))).toBeVisible()
  })

  test('keeps its address, even if another one is bound while it is held', async ({ page, stack, enterHolding }) => {
    const member = await enterHolding()
    const { address } = newAccount()
    await requestOutputAddress(stack, member, { address, password: FUND_PASSWORD })
    await postAs(stack, 'account/transfer-lock', member, { days: 30, password: FUND_PASSWORD })
    await makeTransfer(page, 'USDT', '25')
    await backdateProtections(stack, member, 49)
    await page.reload()
    const { main, step } = transferPage(page)
    await expect(step('Held')).toBeVisible()
    await expect(main).toContainText(member.account.address.slice(6, 21))
    await expect(main).not.toContainText(address.slice(6, 21))
    await page.goto('/setting/transfer')
    await expect(main).toContainText(address.slice(6, 21))
  })

  test('can be canceled before it is signed, and the full amount is available again at once', async ({
    page,
    stack,
    toasts,
    enterHolding,
  }) => {
    const member = await enterHolding()
    await makeLockedTransfer(page, stack, member)
    const balanceOf = async () =>
      (await getAs(stack, 'wallet/assets', member)).items.find(({ symbol }) => symbol === 'USDT')
    expect(await balanceOf()).toMatchObject({ balance: '474', freeze: '26', quota: { left: '75', total: '100' } })

    await transferPage(page).cancel.click()
    const dialogue = page.getByRole('alertdialog')
    await expect(dialogue).toContainText('26 USDT, fee included, and the quota are available again immediately.')
    await dialogue.getByRole('button', { name: 'Keep transfer' }).click()
    await expect(dialogue).toBeHidden()
    await transferPage(page).cancel.click()
    await dialogue.getByRole('button', { name: 'Cancel transfer' }).click()
    await expect(transferPage(page).state('Canceled')).toBeVisible()
    await expect(transferPage(page).step('Canceled by you')).toContainText('26 USDT is available again.')
    await expect(transferPage(page).step('Canceled by you')).toHaveAttribute('data-state', 'done')
    await expect(transferPage(page).cancel).toHaveCount(0)
    await expect.poll(() => toasts).toContain('Transfer canceled')
    expect(await balanceOf()).toMatchObject({ balance: '500', freeze: '0', quota: { left: '100', total: '100' } })

    const record = page.url()
    await page.goto('/wallet/detail?symbol=USDT')
    const line = page.locator('main:visible').getByRole('listitem').filter({ hasText: 'Transfer out' })
    await expect(line.getByText('Fee')).toHaveCSS('text-decoration-line', 'line-through')
    await line.getByRole('button', { name: 'Transfer out' }).click()
    await page.getByRole('link', { name: 'See the transfer' }).click()
    await expect(page).toHaveURL(record)
    await expect(transferPage(page).step('Canceled by you')).toBeVisible()
  })

  test('that was signed meanwhile can no longer be canceled, and says so', async ({
    page,
    stack,
    toasts,
    enterHolding,
  }) => {
    const member = await enterHolding()
    await makeLockedTransfer(page, stack, member)
    await transferPage(page).cancel.click()
    const refusal = { code: 409, message: '', data: null, reason: 'order-completed' }
    await page.route(/transfer\/cancel/, (route) => route.fulfill({ status: 409, json: refusal }))
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel transfer' }).click()
    await expect.poll(() => toasts).toContain('It is already signed and on its way, so it can no longer be canceled.')
  })

  test('repeats an unanswered cancellation with the same key', async ({ page, stack, enterHolding }) => {
    const member = await enterHolding()
    await makeLockedTransfer(page, stack, member)
    const keys: string[] = []
    await page.route(/transfer\/cancel/, async (route) => {
      keys.push(route.request().postDataJSON().key)
      if (keys.length > 1) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await transferPage(page).cancel.click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel transfer' }).click()
    await expect(transferPage(page).state('Canceled')).toBeVisible()
    expect(new Set(keys).size).toBe(1)
  })

  test('that the pool cannot pay yet is queued and says why, in three languages', async ({ page, enterHolding }) => {
    // This money is only in the ledger, so ledger and chain disagree and the signer pays nothing.
    await enterHolding()
    await makeTransfer(page, 'USDT', '25')
    await expect(transferPage(page).state('Queued')).toBeVisible({ timeout: 15_000 })
    await expectInEveryLanguage(page, {
      en: 'The pool is waiting for its books and the chain to match. It goes out automatically afterwards.',
      zh_tw: '礦池正等待帳目與鏈上一致，完成後自動送出。',
      zh_cn: '矿池正等待账目与链上一致，完成后自动发出。',
    })
    await expect(transferPage(page).cancel).toBeVisible()
  })

  const reasons = [
    {
      reason: 'signer-away',
      words: {
        en: 'The program that signs payouts is not running. It goes out automatically once the program is back.',
        zh_tw: '簽署付款的程式目前沒有運作，恢復後自動送出。',
        zh_cn: '签署付款的程序目前没有运行，恢复后自动发出。',
      },
    },
    {
      reason: 'decision-not-obeyed',
      words: {
        en: 'the program that signs payouts is not following their decisions right now',
        zh_tw: '簽署付款的程式目前未依他們的決定執行',
        zh_cn: '签署付款的程序目前没有执行他们的决定',
      },
    },
    {
      reason: 'others-first',
      words: {
        en: 'Many earlier transfers go out first.',
        zh_tw: '較早申請的許多筆轉出會先送出。',
        zh_cn: '较早申请的许多笔转出会先发出。',
      },
    },
    {
      reason: 'unknown',
      words: {
        en: 'We don’t know why. The operators can see that it is waiting.',
        zh_tw: '目前不清楚原因，營運人員看得到這筆轉出仍在等待。',
        zh_cn: '目前不清楚原因，运营人员看得到这笔转出仍在等待。',
      },
    },
  ] as const
  for (const { reason, words } of reasons)
    test(`that is late because of ${reason} says so in three languages, and promises no time`, async ({
      page,
      enterHolding,
    }) => {
      await enterHolding()
      await patchTransfers(page, () => ({
        state: 'approved',
        status: 2,
        holds: [],
        queue: { reason, until: null, late: true },
      }))
      await makeTransfer(page, 'USDT', '25')
      await expect(transferPage(page).state('Delayed')).toBeVisible()
      await expect(transferPage(page).main).not.toContainText('within a few minutes')
      await expectInEveryLanguage(page, words)
    })

  const endings = [
    {
      state: 'rejected',
      note: 'This address was reported as stolen.',
      words: {
        en: 'Operators’ note: “This address was reported as stolen.”',
        zh_tw: '營運人員的說明：「This address was reported as stolen.」',
        zh_cn: '运营人员的说明：“This address was reported as stolen.”',
      },
    },
    {
      state: 'reverted',
      note: null,
      words: {
        en: 'The token’s contract refused the payment to this address twice. 26 USDT is available again.',
        zh_tw: '代幣合約兩次拒絕轉帳到這個地址。26 USDT 已恢復可用。',
        zh_cn: '代币合约两次拒绝转账到这个地址。26 USDT 已恢复可用。',
      },
    },
  ] as const
  for (const { state, note, words } of endings)
    test(`that was ${state} says what happened, in three languages`, async ({ page, enterHolding }) => {
      await enterHolding()
      const at = new Date().toISOString()
      await patchTransfers(page, ({ requestedAt }) => ({
        state,
        note,
        status: 0,
        holds: [],
        queue: null,
        cancellable: false,
        steps: [
          { state: 'requested', at: requestedAt },
          { state, at },
        ],
      }))
      await makeTransfer(page, 'USDT', '25')
      await expectInEveryLanguage(page, words)
      await expect(transferPage(page).main).toContainText('not paid out; 26 USDT is available again')
    })

  test('of a disabled account is reviewed, in an exit session', async ({
    page,
    stack,
    register,
    disable,
    giveWallet,
  }) => {
    const member = await registerMemberWithBalance(stack, register)
    await disable(member)
    await giveWallet({ account: member.account })
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Take your assets out' }).click()
    await expect(page).toHaveURL('/wallet')
    await expect(page.getByRole('navigation').getByRole('link')).toHaveText(['Wallet', 'Promote', 'Pledge'])
    await page.getByRole('button', { name: 'Transfer out' }).click()
    await expect(page).toHaveURL('/setting/transfer')
    const { main, state, step } = transferPage(page)
    await expect(main).toContainText('Operators review every transfer of this account first')
    await expect(main.getByRole('link', { name: 'Change address' })).toHaveCount(0)
    await makeTransfer(page, 'USDT', '25')
    await expect(state('In review')).toBeVisible()
    await expect(step('In review')).toContainText('Review of this account')
    await expect(step('In review')).toContainText(/at the latest in (3 d 0 h|71 h 59 min)/)
    // It is also held because of a new browser.
    await expect(step('In review')).toContainText('Sign-in from a new browser')
    await expect(step('In review')).toContainText('This protects you')
    const path = new URL(page.url())
    await page.goto('/wallet/detail?symbol=USDT')
    await main.getByRole('button', { name: 'Transfer out' }).first().click()
    await expect(page.getByRole('dialog')).toContainText('StatusConfirmingTransfer progressIn review')
    await page.goto(path.pathname + path.search)
    await transferPage(page).cancel.click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel transfer' }).click()
    await expect(state('Canceled')).toBeVisible()
  })
})

test.describe('the transfer records', () => {
  test('are loaded as the member scrolls, filtered by asset and status, and each opens its timeline', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await registerMemberWithBalance(stack, register, { USDT: '500', BTN: '5000' })
    const { planVersion, address } = await getAs(stack, 'transfer/terms', member)
    const key = () => crypto.randomUUID()
    for (let made = 0; made < 22; made += 1) {
      const terms = { planVersion, address, symbol: 'USDT', amount: String(10 + made), password: FUND_PASSWORD }
      const { id } = await postAs(stack, 'transfer/order', member, { key: key(), ...terms })
      await postAs(stack, 'transfer/cancel', member, { key: key(), id })
    }
    const btn = { planVersion, address, symbol: 'BTN', amount: '1000', password: FUND_PASSWORD }
    await postAs(stack, 'transfer/order', member, { key: key(), ...btn })
    await enter(member)
    await page.goto('/setting/transfer')
    await expect(page.getByRole('heading', { name: 'In progress' })).toBeVisible()
    await page.getByRole('link', { name: 'Records' }).click()

    const { main } = transferPage(page)
    const lines = main.getByRole('listitem')
    await expect(lines.first()).toContainText('1,000.00 BTN')
    await expect(async () => {
      await main.evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight))
      await expect(page.getByText('No more data available')).toBeVisible({ timeout: 500 })
    }).toPass()
    await expect(lines).toHaveCount(23)
    expect(new Set(await lines.allInnerTexts()).size).toBe(23)

    await main.getByLabel('Asset').selectOption('BTN')
    await expect(lines).toHaveCount(1)
    await expect(main.locator('dl')).toHaveText('All transfers23Arrived0')
    await main.getByLabel('Status').selectOption('Arrived')
    await expect(page.getByText('No transfer matches these filters.')).toBeVisible()
    await main.getByLabel('Asset').selectOption('Any asset')
    await main.getByLabel('Status').selectOption('Not paid out')
    await expect(lines.first()).toContainText('31.00 USDT')
    await expect(lines.first()).toContainText('Canceled')
    await lines.first().getByRole('link').click()
    await expect(transferPage(page).step('Canceled by you')).toBeVisible()
    await page.getByRole('button', { name: 'All transfers' }).click()
    await expect(page.getByRole('heading', { name: 'Transfer records' })).toBeVisible()
  })

  test('show an error if the next page fails, and load it only on retry', async ({ page, enterHolding }) => {
    await enterHolding()
    let asked = 0
    await page.route(/order\/list/, async (route) => {
      if (route.request().url().includes('cursor=')) {
        asked += 1
        return route.fulfill({ status: 500, json: {} })
      }
      const response = await route.fetch()
      const body = await response.json()
      return route.fulfill({ json: { ...body, data: { ...body.data, next: '5' } } })
    })
    await makeTransfer(page, 'USDT', '25')
    await page.goto('/setting/transfer?show=records')
    await expect(page.getByText('Failed loading more data')).toBeVisible()
    expect(asked).toBe(1)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => asked).toBe(2)
  })

  test('say if they are empty or could not be loaded', async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/setting/transfer?show=records')
    await expect(page.getByText('Your transfers out will be listed here.')).toBeVisible()
    await page.route(/order\/list/, (route) => route.fulfill({ status: 403, json: {} }))
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Your transfers could not be loaded' })).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Your transfers out will be listed here.')).toBeVisible()
  })

  test('of other members are not accessible', async ({ page, stack, register, enter }) => {
    const member = await registerMemberWithBalance(stack, register)
    const { planVersion, address } = await getAs(stack, 'transfer/terms', member)
    const terms = { planVersion, address, symbol: 'USDT', amount: '20', password: FUND_PASSWORD }
    const { id } = await postAs(stack, 'transfer/order', member, { key: crypto.randomUUID(), ...terms })
    const other = await register()
    await chooseFundPassword(stack, other, FUND_PASSWORD)
    await enter(other)
    await page.goto(`/setting/transfer?id=${id}`)
    await expect(page.getByRole('heading', { name: 'Transfer not found' })).toBeVisible()
    await page.goto('/setting/transfer?id=nonsense')
    await expect(page.getByRole('heading', { name: 'Transfer not found' })).toBeVisible()
  })
})
