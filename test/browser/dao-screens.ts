import {
  type AnnouncementArgument,
  announcementArguments,
  announcementKinds,
  announcementStates,
  type DataOf,
} from '@lode/wire'
import type { Page } from '@playwright/test'
import { patchAnswer } from './api-answers.ts'
import type { ScreenFixtures } from './screens.ts'
import { activateMember, createTeam } from './team.ts'

type OpenScreen = (tools: ScreenFixtures) => Promise<void>
type Partner = DataOf<'partner/status'>
type Change = DataOf<'plan/history'>['versions'][number]['changes'][number]

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const tx = `0x${'ab'.repeat(32)}`

/** A change of each kind: each type of value, a new level, a removed term, and a path that this app does not know. */
const changes: readonly Change[] = [
  { path: 'levels.5.price', before: '1600', after: '1800' },
  { path: 'levels.6.quotas.BTN', before: null, after: '2000000.000000000000000001' },
  { path: 'allocation.operations', before: '200', after: '150' },
  { path: 'pledgeTerms.3.weight', before: '15000', after: null },
  { path: 'transfer.BTC.decisionAbove', before: '1', after: '0.75' },
  { path: 'quoteMinutes', before: '30', after: '45' },
  { path: 'weather', before: 'fair', after: 'foul' },
]

const openDaoScreen =
  (show: string, waitFor: (page: Page) => Promise<unknown>, before?: (page: Page) => Promise<unknown>): OpenScreen =>
  async ({ page, register, enter }) => {
    await enter(await register())
    await before?.(page)
    await page.goto(`/setting/dao?show=${show}`)
    await waitFor(page)
  }

const openPartnerScreen = (standing: Partial<Partner>, words: string): OpenScreen =>
  openDaoScreen(
    'partner',
    (page) => page.getByText(words).waitFor(),
    (page) => patchAnswer(page, 'partner/status', (data) => ({ ...data, ...standing })),
  )

const openFailedScreen = (show: string, call: RegExp, heading: string): OpenScreen =>
  openDaoScreen(
    show,
    (page) => page.getByRole('heading', { name: heading }).waitFor(),
    (page) => page.route(call, (route) => route.fulfill({ status: 500, json: {} })),
  )

type Announcement = DataOf<'pool/announcements'>['open'][number]

const announcementValues: Readonly<Record<AnnouncementArgument, string>> = {
  token: '0x8A3f5C0b1d9E42F7aa61c0B8d5E4f3927160e21C',
  amount: '1234567.123456',
  cap: '50000000',
  gas: '200000',
  account: '0x8A3f5C0b1d9E42F7aa61c0B8d5E4f3927160e21C',
  to: '0x8A3f5C0b1d9E42F7aa61c0B8d5E4f3927160e21C',
  coldStorage: '0x8A3f5C0b1d9E42F7aa61c0B8d5E4f3927160e21C',
  successor: '0x8A3f5C0b1d9E42F7aa61c0B8d5E4f3927160e21C',
  bitcoinTxid: tx,
  bitcoinOutput: '3',
  callData: `0x${'ab'.repeat(100)}`,
}

/** An announcement of the kind, with one or more of the arguments that an announcement can have. */
const announcementOf = (kind: Announcement['kind'], place: number): Announcement => ({
  kind,
  arguments: announcementArguments
    .filter((_, number) => number === place % announcementArguments.length || number < 2)
    .map((name) => ({ name, value: announcementValues[name], symbol: /token|amount|cap/.test(name) ? 'USDT' : null })),
  state: 'open',
  vault: announcementValues.successor,
  tx,
  callHash: `0x${String(place).padStart(64, '0')}`,
  announcedAt: inDays(-1),
  notBefore: inDays(1),
  notAfter: inDays(8),
  endedAt: null,
})

const endedStates = announcementStates.filter((state) => state !== 'open')
const endedAs = (state: Announcement['state'], announcement = announcementOf('other', 0)): Announcement => ({
  ...announcement,
  state,
  endedAt: inDays(0),
})

const planRefused = { code: 409, message: '', data: null, reason: 'plan-none' }

/** The plan and its history, treasury payments, the vault's announcements, and the partner application. */
export const daoScreens: Readonly<Record<string, OpenScreen>> = {
  'dao-plan': openDaoScreen('plan', (page) => page.getByRole('heading', { name: 'Version 1' }).waitFor()),
  'dao-plan-coming': openDaoScreen(
    'plan',
    (page) => page.getByText('Upcoming').waitFor(),
    (page) =>
      patchAnswer(page, 'plan/current', (data) => ({
        ...data,
        coming: [{ version: 2, publishedAt: data.startsAt, startsAt: inDays(7), changes: [...changes] }],
      })),
  ),
  'dao-plan-none': openDaoScreen(
    'plan',
    (page) => page.getByRole('heading', { name: 'No plan yet' }).waitFor(),
    (page) => page.route(/\/api\/plan\//, (route) => route.fulfill({ status: 409, json: planRefused })),
  ),
  'dao-plan-loading': openDaoScreen(
    'plan',
    (page) => page.getByRole('heading', { name: 'Levels' }).waitFor(),
    (page) => page.route(/\/api\/plan\//, () => new Promise(() => {})),
  ),
  'dao-plan-failed': openFailedScreen('plan', /\/api\/plan\//, 'The plan could not be loaded'),
  'dao-history': openDaoScreen(
    'history',
    async (page) => {
      await page.getByText('Values changed: 7').click()
      await page.getByText('from 1,600 USDT to 1,800 USDT').first().waitFor()
    },
    (page) =>
      patchAnswer(page, 'plan/history', (data) => ({
        ...data,
        versions: [
          {
            version: 3,
            publishedAt: inDays(-1),
            startsAt: inDays(6),
            standing: 'coming',
            leavingHarder: true,
            changes: [...changes],
          },
          {
            version: 2,
            publishedAt: inDays(-2),
            startsAt: inDays(20),
            standing: 'overtaken',
            leavingHarder: false,
            changes: changes.slice(0, 1),
          },
          ...data.versions,
        ],
      })),
  ),
  'dao-history-failed': openFailedScreen('history', /\/api\/plan\//, 'The history could not be loaded'),
  'dao-payments': openDaoScreen(
    'payments',
    (page) => page.getByText('No more data available').waitFor(),
    (page) =>
      patchAnswer(page, 'pool/payments', (data) => ({
        ...data,
        items: (
          [
            ['waiting', 'Hosting of October', null],
            ['sent', '24 machines of 110 TH/s, invoice 2026-118 of the maker, second half of what was agreed', tx],
            ['paid', 'Electricity', tx],
            ['returned', 'Liquidity on the exchange', null],
          ] as const
        ).map(([state, purpose, hash], place) => ({
          id: String(place),
          from: 'pool:mining' as const,
          purpose,
          symbol: 'USDT' as const,
          amount: '184000.123456',
          address: '0x8A3f5C0b1d9E42F7aa61c0B8d5E4f3927160e21C',
          state,
          at: inDays(-1),
          tx: hash,
          paidAt: state === 'paid' ? inDays(0) : null,
        })),
      })),
  ),
  'dao-payments-empty': openDaoScreen('payments', (page) =>
    page.getByRole('heading', { name: 'No data yet' }).waitFor(),
  ),
  'dao-vault': openDaoScreen(
    'vault',
    (page) => page.getByRole('heading', { name: 'Earlier announcements' }).waitFor(),
    (page) =>
      patchAnswer(page, 'pool/announcements', () => {
        const items = announcementKinds.map(announcementOf)
        return { openCount: 140, open: items, ended: endedStates.map((state, place) => endedAs(state, items[place])) }
      }),
  ),
  'dao-partner-missing': async ({ page, stack, register, enter }) => {
    const member = await register()
    await createTeam(stack, member, { invited: 50 })
    await enter(member)
    await page.goto('/setting/dao?show=partner')
    await page.getByText('layer 5: 243 more').waitFor()
  },
  'dao-partner-ready': async ({ page, stack, register, enter }) => {
    const member = await register()
    await activateMember(stack, member)
    await patchAnswer(page, 'partner/status', (data) => ({
      ...data,
      layers: data.layers.map((one) => ({ ...one, members: one.needed })),
      mayApply: true,
    }))
    await enter(member)
    await page.goto('/setting/dao?show=partner')
    await page.getByText('243 of 243').waitFor()
  },
  'dao-partner-applied': openPartnerScreen({ standing: 'applied', appliedAt: inDays(-1) }, 'You applied on'),
  'dao-partner-approved': openPartnerScreen(
    {
      standing: 'approved',
      appliedAt: inDays(-1),
      decidedAt: inDays(0),
      reward: { produced: '12.345678', collected: '1234.5' },
      airdrop: { amount: '500000', paid: true },
    },
    'You received',
  ),
  'dao-partner-rejected': openPartnerScreen(
    { standing: 'rejected', appliedAt: inDays(-1), decidedAt: inDays(0), note: 'Please write to us first.' },
    'was rejected',
  ),
  'dao-partner-failed': openFailedScreen('partner', /\/api\/partner\//, 'Your application status could not be loaded'),
}
