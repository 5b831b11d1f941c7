import type { Asset } from '@lode/kernel'
import { backdateProtections, type Member, requestOutputAddress } from './member.ts'
import type { ScreenFixtures } from './screens.ts'
import {
  FUND_PASSWORD,
  makeTransfer,
  patchTerms,
  patchTransfers,
  registerMemberWithBalance,
  type TransferOrder,
  transferPage,
} from './transfer.ts'
import { newAccount } from './wallet.ts'

const HOUR_MS = 3_600_000
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * HOUR_MS - 20_000).toISOString()
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString()

type OpenScreen = (tools: ScreenFixtures) => Promise<void>

/** The form, the sheet, the timeline in each of its states, and the records. */
export const transferScreens: Readonly<Record<string, OpenScreen>> = {
  'transfer-form': async (tools) => {
    await openTransferForm(tools, 'USDT')
    await transferPage(tools.page).amount.fill('90.5')
  },
  'transfer-form-wrong': async (tools) => {
    await openTransferForm(tools, 'BTC')
    await transferPage(tools.page).amount.fill('0.0001')
  },
  'transfer-form-held': async (tools) => {
    await patchTerms(tools.page, () => ({
      holds: [
        { reason: 'device-new', endsAt: hoursFromNow(23) },
        { reason: 'own-lock', endsAt: hoursFromNow(71) },
      ],
      pausedUntil: hoursFromNow(5),
    }))
    await openTransferForm(tools, 'BTN')
    await transferPage(tools.page).amount.fill('9999.000000000000000001')
  },
  'transfer-form-large': async (tools) => {
    await patchTerms(tools.page, ({ symbols }) => ({
      symbols: symbols.map((one) => ({
        ...one,
        available: '4999999.123456',
        quota: { left: '4999999', total: '5000000' },
      })),
    }))
    await openTransferForm(tools, 'USDT')
    await transferPage(tools.page).amount.fill('49999.123456')
  },
  'transfer-form-other-address': async (tools) => {
    const member = await openTransferForm(tools, 'USDT')
    await requestOutputAddress(tools.stack, member, { address: newAccount().address, password: FUND_PASSWORD })
    await backdateProtections(tools.stack, member, 49)
    await tools.page.reload()
    await tools.page.getByText('In use since').waitFor()
  },
  'transfer-form-under-way': async (tools) => {
    await openTransferForm(tools, 'USDT')
    await makeTransfer(tools.page, 'USDT', '20')
    await makeTransfer(tools.page, 'BTN', '1234.000000000000000001')
    await tools.page.goto('/setting/transfer')
    await tools.page.getByRole('heading', { name: 'In progress' }).waitFor()
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
    await page.getByRole('heading', { name: 'The transfer terms could not be loaded' }).waitFor()
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
    await page.getByText('Choose one first.').waitFor()
  },
  'transfer-confirm': async (tools) => {
    await openTransferForm(tools, 'USDT')
    await transferPage(tools.page).amount.fill('90.5')
    await transferPage(tools.page).submit.click()
    await transferPage(tools.page).password.fill(FUND_PASSWORD)
  },
  'transfer-confirm-long': async (tools) => {
    await openTransferForm(tools, 'BTN')
    await transferPage(tools.page).amount.fill('9999.000000000000000001')
    await transferPage(tools.page).submit.click()
    await transferPage(tools.page).password.fill(FUND_PASSWORD)
  },
  'transfer-confirm-wrong': async (tools) => {
    await openTransferForm(tools, 'USDT')
    await transferPage(tools.page).amount.fill('90.5')
    await transferPage(tools.page).submit.click()
    await transferPage(tools.page).password.fill('wrong1')
    await transferPage(tools.page).confirm.click()
    await tools.page.getByText('Wrong fund password.').waitFor()
  },
  'transfer-confirm-unheard': async (tools) => {
    await openTransferForm(tools, 'USDT')
    await transferPage(tools.page).amount.fill('90.5')
    await transferPage(tools.page).submit.click()
    await transferPage(tools.page).password.fill(FUND_PASSWORD)
    await tools.page.route(/\/api\/transfer\/order/, (route) => route.abort())
    await transferPage(tools.page).confirm.click()
    await tools.page.getByText('Still waiting.').waitFor()
  },
  'transfer-unheard': async (tools) => {
    await transferScreens['transfer-confirm-unheard']?.(tools)
    await tools.page.reload()
    await tools.page.getByText('It is not in your records so far').waitFor()
  },

  'transfer-held': (tools) =>
    openTimeline(tools, {
      state: 'held',
      status: 2,
      queue: null,
      holds: [
        { reason: 'device-new', endsAt: hoursFromNow(23) },
        { reason: 'review-size', endsAt: null },
        { reason: 'review-account', endsAt: hoursFromNow(72) },
        { reason: 'check', endsAt: null },
      ],
    }),
  'transfer-queued': (tools) =>
    openTimeline(tools, {
      state: 'approved',
      status: 2,
      queue: { reason: 'paused', until: hoursFromNow(5), late: false },
    }),
  'transfer-late': (tools) =>
    openTimeline(tools, {
      state: 'approved',
      status: 2,
      queue: { reason: 'decision-not-obeyed', until: null, late: true },
    }),
  'transfer-confirming': (tools) =>
    openTimeline(tools, {
      state: 'mined',
      status: 3,
      queue: null,
      cancellable: false,
      tx: `0x${'ab'.repeat(32)}`,
      steps: makeSteps('requested', 'approved', 'signed', 'broadcast', 'mined'),
    }),
  'transfer-arrived': (tools) =>
    openTimeline(tools, {
      state: 'final',
      status: 1,
      queue: null,
      cancellable: false,
      tx: `0x${'ab'.repeat(32)}`,
      amount: '1234567.123456789012345678',
      symbol: 'BTN',
      fee: '100',
      steps: makeSteps('requested', 'approved', 'signed', 'broadcast', 'mined', 'final'),
    }),
  'transfer-rejected': (tools) =>
    openTimeline(tools, {
      state: 'rejected',
      status: 0,
      queue: null,
      cancellable: false,
      note: 'The address is listed as stolen. Please write to us.',
      steps: makeSteps('requested', 'rejected'),
    }),
  'transfer-reverted': (tools) =>
    openTimeline(tools, {
      state: 'reverted',
      status: 0,
      queue: null,
      cancellable: false,
      steps: makeSteps('requested', 'reverted'),
    }),
  'transfer-cancel': async (tools) => {
    await openTimeline(tools, { state: 'approved', status: 2, queue: null })
    await transferPage(tools.page).cancel.click()
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
    await page.getByRole('heading', { name: 'Transfer not found' }).waitFor()
  },

  'transfer-records': async (tools) => {
    const { page } = tools
    await openTransferForm(tools, 'USDT')
    for (let made = 0; made < 3; made += 1) await makeTransfer(page, 'USDT', '20')
    const states = [
      { state: 'held', status: 2, holds: [{ reason: 'review-size', endsAt: null }] },
      { state: 'mined', status: 3, amount: '4999999.123456789012345678', symbol: 'BTN' },
      { state: 'final', status: 1, amount: '0.00418721', symbol: 'BTC' },
    ] as const
    let place = 0
    await patchTransfers(
      page,
      () => ({ holds: [], queue: null, ...states[place++ % states.length] }) as Partial<TransferOrder>,
    )
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

async function openTransferForm({ page, stack, register, enter }: ScreenFixtures, symbol: Asset): Promise<Member> {
  const member = await registerMemberWithBalance(stack, register, {
    USDT: '1210.5',
    BTN: '132400.75',
    BTC: '0.00418721',
  })
  await enter(member)
  await page.goto(`/setting/transfer?symbol=${symbol}`)
  await page.getByText('Available:').waitFor()
  return member
}

/** A real transfer, shown as if it were in this state. */
async function openTimeline(tools: ScreenFixtures, changes: Partial<TransferOrder>): Promise<void> {
  const { page } = tools
  await openTransferForm(tools, 'USDT')
  await patchTransfers(page, () => ({ holds: [], ...changes }))
  await makeTransfer(page, 'USDT', '90.5')
}

const makeSteps = (...states: TransferOrder['state'][]): TransferOrder['steps'] =>
  states.map((state, place) => ({ state, at: secondsAgo((states.length - place) * 40) }))
