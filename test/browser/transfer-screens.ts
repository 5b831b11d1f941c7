import type { Asset } from '@lode/kernel'
import { askOutputAddress, type Member, waited } from './member.ts'
import type { Tools } from './screens.ts'
import { asIf, asIfTerms, memberWith, type Order, order, PASSWORD, transfer } from './transfer.ts'
import { newAccount } from './wallet.ts'

const HOUR_MS = 3_600_000
const later = (hours: number) => new Date(Date.now() + hours * HOUR_MS - 20_000).toISOString()
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString()

type Open = (tools: Tools) => Promise<void>

/** The form, the sheet, the timeline in each of its states, and the records. */
export const transferScreens: Readonly<Record<string, Open>> = {
  'transfer-form': async (tools) => {
    await openForm(tools, 'USDT')
    await transfer(tools.page).amount.fill('90.5')
  },
  'transfer-form-wrong': async (tools) => {
    await openForm(tools, 'BTC')
    await transfer(tools.page).amount.fill('0.0001')
  },
  'transfer-form-held': async (tools) => {
    await asIfTerms(tools.page, () => ({
      holds: [
        { reason: 'device-new', endsAt: later(23) },
        { reason: 'own-lock', endsAt: later(71) },
      ],
      pausedUntil: later(5),
    }))
    await openForm(tools, 'BTN')
    await transfer(tools.page).amount.fill('9999.000000000000000001')
  },
  'transfer-form-large': async (tools) => {
    await asIfTerms(tools.page, ({ symbols }) => ({
      symbols: symbols.map((one) => ({
        ...one,
        available: '4999999.123456',
        quota: { left: '4999999', total: '5000000' },
      })),
    }))
    await openForm(tools, 'USDT')
    await transfer(tools.page).amount.fill('49999.123456')
  },
  'transfer-form-other-address': async (tools) => {
    const member = await openForm(tools, 'USDT')
    await askOutputAddress(tools.stack, member, { address: newAccount().address, password: PASSWORD })
    await waited(tools.stack, member, 49)
    await tools.page.reload()
    await tools.page.getByText('Bound since').waitFor()
  },
  'transfer-form-under-way': async (tools) => {
    await openForm(tools, 'USDT')
    await order(tools.page, 'USDT', '20')
    await order(tools.page, 'BTN', '1234.000000000000000001')
    await tools.page.goto('/setting/transfer')
    await tools.page.getByRole('heading', { name: 'Under way' }).waitFor()
  },
  'transfer-form-loading': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/transfer\/terms/, () => new Promise(() => {}))
    await page.goto('/setting/transfer')
    await page.getByText('When').waitFor()
  },
  'transfer-form-failed': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/transfer\/terms/, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/setting/transfer')
    await page.getByRole('heading', { name: 'The terms of a transfer could not be loaded' }).waitFor()
  },
  'transfer-no-plan': async ({ page, register, enter }) => {
    await enter(await register())
    const refusal = { code: 409, message: '', data: null, reason: 'plan-none' }
    await page.route(/\/api\/transfer\/terms/, (route) => route.fulfill({ status: 409, json: refusal }))
    await page.goto('/setting/transfer')
    await page.getByRole('heading', { name: 'No plan yet' }).waitFor()
  },
  'transfer-no-password': async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/setting/transfer')
    await page.getByText('which you have not chosen yet').waitFor()
  },
  'transfer-confirm': async (tools) => {
    await openForm(tools, 'USDT')
    await transfer(tools.page).amount.fill('90.5')
    await transfer(tools.page).submit.click()
    await transfer(tools.page).password.fill(PASSWORD)
  },
  'transfer-confirm-long': async (tools) => {
    await openForm(tools, 'BTN')
    await transfer(tools.page).amount.fill('9999.000000000000000001')
    await transfer(tools.page).submit.click()
    await transfer(tools.page).password.fill(PASSWORD)
  },
  'transfer-confirm-wrong': async (tools) => {
    await openForm(tools, 'USDT')
    await transfer(tools.page).amount.fill('90.5')
    await transfer(tools.page).submit.click()
    await transfer(tools.page).password.fill('wrong1')
    await transfer(tools.page).confirm.click()
    await tools.page.getByText('Wrong fund password.').waitFor()
  },
  'transfer-confirm-unheard': async (tools) => {
    await openForm(tools, 'USDT')
    await transfer(tools.page).amount.fill('90.5')
    await transfer(tools.page).submit.click()
    await transfer(tools.page).password.fill(PASSWORD)
    await tools.page.route(/\/api\/transfer\/order/, (route) => route.abort())
    await transfer(tools.page).confirm.click()
    await tools.page.getByText('No answer yet.').waitFor()
  },
  'transfer-unheard': async (tools) => {
    await transferScreens['transfer-confirm-unheard']?.(tools)
    await tools.page.reload()
    await tools.page.getByText('So far it is not in your records').waitFor()
  },

  'transfer-held': (tools) =>
    timeline(tools, {
      state: 'held',
      status: 2,
      queue: null,
      holds: [
        { reason: 'device-new', endsAt: later(23) },
        { reason: 'review-size', endsAt: null },
        { reason: 'review-account', endsAt: later(72) },
        { reason: 'check', endsAt: null },
      ],
    }),
  'transfer-queued': (tools) =>
    timeline(tools, { state: 'approved', status: 2, queue: { reason: 'paused', until: later(5), late: false } }),
  'transfer-late': (tools) =>
    timeline(tools, {
      state: 'approved',
      status: 2,
      queue: { reason: 'decision-not-obeyed', until: null, late: true },
    }),
  'transfer-confirming': (tools) =>
    timeline(tools, {
      state: 'mined',
      status: 3,
      queue: null,
      cancellable: false,
      tx: `0x${'ab'.repeat(32)}`,
      steps: stepsTo('requested', 'approved', 'signed', 'broadcast', 'mined'),
    }),
  'transfer-arrived': (tools) =>
    timeline(tools, {
      state: 'final',
      status: 1,
      queue: null,
      cancellable: false,
      tx: `0x${'ab'.repeat(32)}`,
      amount: '1234567.123456789012345678',
      symbol: 'BTN',
      fee: '100',
      steps: stepsTo('requested', 'approved', 'signed', 'broadcast', 'mined', 'final'),
    }),
  'transfer-rejected': (tools) =>
    timeline(tools, {
      state: 'rejected',
      status: 0,
      queue: null,
      cancellable: false,
      note: 'The address is listed as stolen. Please write to us.',
      steps: stepsTo('requested', 'rejected'),
    }),
  'transfer-reverted': (tools) =>
    timeline(tools, {
      state: 'reverted',
      status: 0,
      queue: null,
      cancellable: false,
      steps: stepsTo('requested', 'reverted'),
    }),
  'transfer-cancel': async (tools) => {
    await timeline(tools, { state: 'approved', status: 2, queue: null })
    await transfer(tools.page).cancel.click()
    await tools.page.getByRole('alertdialog').waitFor()
  },
  'transfer-loading': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/order\/detail/, () => new Promise(() => {}))
    await page.goto('/setting/transfer?id=00000000-0000-4000-8000-000000000000')
    await page.getByRole('button', { name: 'All transfers' }).waitFor()
  },
  'transfer-unknown': async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/setting/transfer?id=00000000-0000-4000-8000-000000000000')
    await page.getByRole('heading', { name: 'There is no such transfer' }).waitFor()
  },

  'transfer-records': async (tools) => {
    const { page } = tools
    await openForm(tools, 'USDT')
    for (let made = 0; made < 3; made += 1) await order(page, 'USDT', '20')
    const states = [
      { state: 'held', status: 2, holds: [{ reason: 'review-size', endsAt: null }] },
      { state: 'mined', status: 3, amount: '4999999.123456789012345678', symbol: 'BTN' },
      { state: 'final', status: 1, amount: '0.00418721', symbol: 'BTC' },
    ] as const
    let place = 0
    await asIf(page, () => ({ holds: [], queue: null, ...states[place++ % states.length] }) as Partial<Order>)
    await page.goto('/setting/transfer?show=records')
    await page.getByText('No more data available').waitFor()
  },
  'transfer-records-empty': async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/setting/transfer?show=records')
    await page.getByRole('heading', { name: 'No data yet' }).waitFor()
  },
  'transfer-records-loading': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/order\/list/, () => new Promise(() => {}))
    await page.goto('/setting/transfer?show=records')
    await page.getByRole('heading', { name: 'Transfer records' }).waitFor()
  },
  'transfer-records-failed': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/order\/list/, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/setting/transfer?show=records')
    await page.getByRole('heading', { name: 'Your transfers could not be loaded' }).waitFor()
  },
}

async function openForm({ page, stack, register, enter }: Tools, symbol: Asset): Promise<Member> {
  const member = await memberWith(stack, register, { USDT: '1210.5', BTN: '132400.75', BTC: '0.00418721' })
  await enter(member)
  await page.goto(`/setting/transfer?symbol=${symbol}`)
  await page.getByText('Available:').waitFor()
  return member
}

/** A real transfer, shown as if it were in this state. */
async function timeline(tools: Tools, standing: Partial<Order>): Promise<void> {
  const { page } = tools
  await openForm(tools, 'USDT')
  await asIf(page, () => ({ holds: [], ...standing }))
  await order(page, 'USDT', '90.5')
}

const stepsTo = (...states: Order['state'][]): Order['steps'] =>
  states.map((state, place) => ({ state, at: ago((states.length - place) * 40) }))
