import type { DataOf } from '@lode/wire'
import { patchAnswer } from './api-answers.ts'
import type { ScreenFixtures } from './screens.ts'

type Statement = DataOf<'wallet/statement'>

/** The statement of a member with every kind of entry. */
export const withFullStatement = ({ at }: Statement): Statement => ({
  at,
  accounts: [
    {
      symbol: 'USDT',
      paidIn: {
        amount: '1810.5',
        deposits: '1250.5',
        beforeRegistering: '40',
        undone: '0',
        promotionsOnline: '560',
        pledgesOnline: '0',
      },
      received: {
        amount: '285',
        parts: [
          { type: 'promotionReward', amount: '180' },
          { type: 'upLevelReward', amount: '60' },
          { type: 'agentReward', amount: '45' },
        ],
      },
      spent: { amount: '701', promotionsFromBalance: '140', promotionsOnline: '560', transferFees: '1', undone: '0' },
      takenOut: '250',
      held: { amount: '1144.5', available: '1024.5', out: '120', order: '0', pledged: '0' },
      principal: { pledged: '0', returned: '0' },
      result: { takenOutAndHeld: '1394.5', than: 'less', difference: '416' },
    },
    {
      symbol: 'BTN',
      paidIn: {
        amount: '150000',
        deposits: '100000',
        beforeRegistering: '0',
        undone: '0',
        promotionsOnline: '0',
        pledgesOnline: '50000',
      },
      received: {
        amount: '84000',
        parts: [
          { type: 'airdropForActive', amount: '12000' },
          { type: 'airdropForPromotion', amount: '72000' },
        ],
      },
      spent: { amount: '0', promotionsFromBalance: '0', promotionsOnline: '0', transferFees: '0', undone: '0' },
      takenOut: '0',
      held: { amount: '234000', available: '84000', out: '0', order: '0', pledged: '150000' },
      principal: { pledged: '200000', returned: '50000' },
      result: { takenOutAndHeld: '234000', than: 'more', difference: '84000' },
    },
    {
      symbol: 'BTC',
      paidIn: {
        amount: '0',
        deposits: '0',
        beforeRegistering: '0',
        undone: '0',
        promotionsOnline: '0',
        pledgesOnline: '0',
      },
      received: { amount: '0.01234567', parts: [{ type: 'pointReward', amount: '0.01234567' }] },
      spent: {
        amount: '0.00005',
        promotionsFromBalance: '0',
        promotionsOnline: '0',
        transferFees: '0.00005',
        undone: '0',
      },
      takenOut: '0.008',
      held: { amount: '0.00429567', available: '0.00429567', out: '0', order: '0', pledged: '0' },
      principal: { pledged: '0', returned: '0' },
      result: { takenOutAndHeld: '0.01229567', than: 'more', difference: '0.01229567' },
    },
  ],
  total: {
    paidIn: '1810.5',
    received: '1087.46',
    spent: '704.25',
    takenOut: '770',
    held: '1423.71',
    without: ['BTN'],
    result: { takenOutAndHeld: '2193.71', than: 'more', difference: '383.21' },
  },
})

/** A period in which the member earned, spent and took something out. */
export const withPeriod = (data: DataOf<'wallet/period'>): DataOf<'wallet/period'> => ({
  ...data,
  accounts: [
    {
      symbol: 'USDT',
      opening: '1200.5',
      paidIn: {
        amount: '150',
        deposits: '150',
        beforeRegistering: '0',
        undone: '0',
        promotionsOnline: '0',
        pledgesOnline: '0',
      },
      received: {
        amount: '72.25',
        parts: [
          { type: 'promotionReward', amount: '60' },
          { type: 'upLevelReward', amount: '12.25' },
        ],
      },
      spent: { amount: '101', promotionsFromBalance: '100', promotionsOnline: '0', transferFees: '1', undone: '0' },
      takenOut: '250',
      closing: '1071.75',
    },
    ...data.accounts.filter(({ symbol }) => symbol === 'BTN'),
    {
      symbol: 'BTC',
      opening: '0.00300001',
      paidIn: {
        amount: '0',
        deposits: '0',
        beforeRegistering: '0',
        undone: '0',
        promotionsOnline: '0',
        pledgesOnline: '0',
      },
      received: { amount: '0.00118721', parts: [{ type: 'pointReward', amount: '0.00118721' }] },
      spent: { amount: '0', promotionsFromBalance: '0', promotionsOnline: '0', transferFees: '0', undone: '0' },
      takenOut: '0',
      closing: '0.00418722',
    },
  ],
})

export const statementScreens: Readonly<Record<string, (tools: ScreenFixtures) => Promise<void>>> = {
  statement: async ({ page, register, enter }) => {
    await enter(await register())
    await patchAnswer(page, 'wallet/statement', withFullStatement)
    await page.goto('/wallet/statement')
    await page.getByText('= held now, exactly').waitFor()
  },
  'statement-month': async ({ page, register, enter }) => {
    await enter(await register())
    await patchAnswer(page, 'wallet/statement', withFullStatement)
    await patchAnswer(page, 'wallet/period', withPeriod)
    await page.goto('/wallet/statement')
    await page.getByRole('combobox', { name: 'Days' }).selectOption({ index: 1 })
    await page.getByText('= held after, exactly').waitFor()
  },
  'statement-days-entered': async ({ page, register, enter }) => {
    await enter(await register())
    await patchAnswer(page, 'wallet/statement', withFullStatement)
    await page.goto('/wallet/statement')
    await page.getByRole('combobox', { name: 'Days' }).selectOption('Other days…')
    await page.getByLabel('First day (UTC)').fill('2026-11-15')
    await page.getByLabel('Last day (UTC)').fill('2026-11-01')
    await page.getByText('The last day is before the first.').waitFor()
  },
  'statement-unprinted': async ({ page, register, enter }) => {
    await enter(await register())
    await patchAnswer(page, 'wallet/statement', withFullStatement)
    await page.addInitScript(() => Object.defineProperty(window, 'print', { value: undefined }))
    await page.goto('/wallet/statement')
    await page.getByRole('button', { name: 'Print' }).click()
    await page.getByRole('button', { name: 'Show it here' }).waitFor()
  },
  'statement-as-text': async ({ page, register, enter }) => {
    await enter(await register())
    await patchAnswer(page, 'wallet/statement', withFullStatement)
    await page.goto('/wallet/statement')
    await page.getByRole('button', { name: 'Save as CSV' }).click()
    await page.getByRole('button', { name: 'Show it here' }).click()
    await page.getByRole('dialog').getByRole('textbox').waitFor()
  },
  'statement-empty': async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/wallet/statement')
    await page.getByRole('heading', { name: 'No data yet' }).waitFor()
  },
  'statement-loading': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/wallet\/statement/, () => new Promise(() => {}))
    await page.goto('/wallet/statement')
    await page.getByRole('heading', { name: 'Total' }).waitFor()
  },
  'statement-failed': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/wallet\/statement/, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/wallet/statement')
    await page.getByRole('heading', { name: 'Your statement could not be loaded' }).waitFor()
  },
}
