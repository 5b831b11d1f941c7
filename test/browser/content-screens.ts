import type { DataOf } from '@lode/wire'
import type { Page } from '@playwright/test'
import type { ScreenFixtures } from './screens.ts'

type Notice = DataOf<'notice/list'>['items'][number]

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString()

/** Made up here, because a published notice would be shown to every member of the run, also on other tests' screens. */
const notices: Notice[] = [
  {
    id: 'notice-4______________',
    at: hoursAgo(2),
    read: false,
    kind: 'plan',
    version: 2,
    standing: 'coming',
    startsAt: hoursAgo(-166),
    changes: [
      { path: 'transfer.USDT.fee', before: '1', after: '2' },
      { path: 'transfer.BTN.min', before: '1000', after: '2500' },
      { path: 'levels.2.quotas.BTC', before: '0.05', after: '0.04' },
      { path: 'transfer.BTC.decisionAbove', before: '1', after: '0.5' },
    ],
  },
  {
    id: 'notice-3______________',
    at: hoursAgo(31),
    read: false,
    kind: 'message',
    words: {
      en: {
        title: 'Payouts pause for two hours on Sunday while a node is replaced',
        body: [
          'On Sunday from 06:00 to 08:00 UTC no payout is signed. Transfers that you ask for meanwhile are queued and go out by themselves afterwards.',
          'Deposits, pledges and everything else go on.',
        ],
      },
      zh_tw: {
        title: '週日更換節點，轉出付款暫停兩小時',
        body: [
          '週日 06:00 至 08:00（UTC）暫停轉出付款。這段時間申請的轉出會先排隊，之後自動付出。',
          '充值、質押和其他功能照常運作。',
        ],
      },
      zh_cn: {
        title: '周日更换节点，转出付款暂停两小时',
        body: [
          '周日 06:00 至 08:00（UTC）暂停转出付款。这段时间申请的转出会先排队，之后自动付出。',
          '充值、质押和其他功能照常运行。',
        ],
      },
    },
  },
  {
    id: 'notice-2______________',
    at: hoursAgo(190),
    read: true,
    kind: 'message',
    words: {
      en: { title: 'The help has been extended', body: ['There are new articles on holds and on fake sites.'] },
      zh_tw: { title: '說明內容已擴充', body: ['新增了關於等待時間與假網站的文章。'] },
      zh_cn: { title: '帮助内容已扩充', body: ['新增了关于等待时间和假网站的文章。'] },
    },
  },
]

async function mockNotices(page: Page, items: readonly Notice[] = notices): Promise<void> {
  const unread = items.filter(({ read }) => !read).length
  await page.route(/\/api\/notice\/list/, (route) => {
    const limit = Number(new URL(route.request().url()).searchParams.get('limit') ?? 20)
    const data: DataOf<'notice/list'> = { items: items.slice(0, limit), next: null, unread }
    return route.fulfill({ json: { code: 200, message: '', data } })
  })
  await page.route(/\/api\/notice\/read/, (route) =>
    route.fulfill({ json: { code: 200, message: '', data: { unread: unread - 1 } } }),
  )
}

/** The screens of notices, help and sharing, each with the steps that open it. */
export const contentScreens: Readonly<Record<string, (tools: ScreenFixtures) => Promise<void>>> = {
  'home-notice': async ({ page, register, enter }) => {
    await enter(await register())
    await mockNotices(page)
    await page.goto('/home')
    await page.getByRole('link', { name: 'Notices, 2 unread' }).waitFor()
  },
  notice: async ({ page, register, enter }) => {
    await enter(await register())
    await mockNotices(page)
    await page.goto('/setting/notice?id=notice-4______________')
    await page.getByText(/^from 1\sUSDT/).waitFor()
  },
  'notice-message': async ({ page, register, enter }) => {
    await enter(await register())
    await mockNotices(page)
    await page.goto('/setting/notice?id=notice-3______________')
    await page.getByText('Deposits, pledges').waitFor()
  },
  'notice-empty': async ({ page, register, enter }) => {
    await enter(await register())
    await mockNotices(page, [])
    await page.goto('/setting/notice')
    await page.getByRole('heading', { name: 'No data yet' }).waitFor()
  },
  'notice-loading': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/notice\//, () => new Promise(() => {}))
    await page.goto('/setting/notice')
    await page.getByRole('heading', { name: 'Notices' }).waitFor()
  },
  'notice-failed': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/notice\//, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/setting/notice')
    await page.getByRole('heading', { name: 'Notices could not be loaded' }).waitFor()
  },

  help: async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/setting/help')
    await page.getByRole('link', { name: /What a pledge is/ }).waitFor()
  },
  'help-nothing-found': async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/setting/help?search=xyzzy')
    await page.getByRole('heading', { name: 'No articles found' }).waitFor()
  },
  'help-article': async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/setting/help?article=money-in-and-out')
    await page.getByRole('heading', { name: 'How money comes in and goes out' }).waitFor()
  },
  'help-unknown': async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/setting/help?article=nothing')
    await page.getByRole('heading', { name: 'Article not found' }).waitFor()
  },
  'help-loading': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/help\//, () => new Promise(() => {}))
    await page.goto('/setting/help')
    await page.getByRole('searchbox').waitFor()
  },
  'help-failed': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/help\//, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/setting/help')
    await page.getByRole('heading', { name: 'Help could not be loaded' }).waitFor()
  },

  share: async ({ page, register, enter }) => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: async () => {} }))
    await enter(await register())
    await page.goto('/share')
    await page.getByRole('img', { name: 'QR code of your invitation link' }).waitFor()
  },
  'share-picture-handed': async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/share')
    await page.getByRole('button', { name: 'Save as picture' }).click()
    await page.getByRole('button', { name: 'Show it here' }).scrollIntoViewIfNeeded()
  },
  'share-picture-shown': async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/share')
    await page.getByRole('button', { name: 'Save as picture' }).click()
    await page.getByRole('button', { name: 'Show it here' }).click()
    await page.getByRole('dialog').getByRole('img').waitFor()
  },
  'share-loading': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/share\//, () => new Promise(() => {}))
    await page.goto('/share')
    await page.getByText('Invitation code').waitFor()
  },
  'share-failed': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/share\//, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/share')
    await page.getByRole('heading', { name: 'Your invitation could not be loaded' }).waitFor()
  },
}
