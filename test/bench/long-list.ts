import { ensureWebBuild } from '@lode/scripts/web-build'
import { chromium, type Page, type Route } from '@playwright/test'
import { chromiumLaunch } from '../browser/chromium.ts'
import { registerMember, storeSession } from '../browser/member.ts'
import { startBrowserStack } from '../browser/stack.ts'
import { createStackTemplate } from '../browser/stack-template.ts'
import { atMost, type Target } from './targets.ts'

const LINES = Number(process.env.BENCH_LINES ?? 10_000)
const SLOWDOWN = 4
const SCROLL_SECONDS = 20
/** A busy machine takes minutes for 10,000 lines. */
const LOADING_MS = 900_000
/** Pages as large as the server's, at the end of the list. Before that larger ones, to get there soon. */
const PAGE = 20
const FIRST_PAGES = 500

/**
 * Scrolls through an asset log of 10,000 lines in a slowed Chromium and measures every task of the page's main thread,
 * while the log is refreshed and further pages are loaded. A frame waits for such a task. CPU time is measured, to leave
 * other work on the machine out. Not verified: how far the browser's slowdown lets other work into that time.
 */
export async function benchLongList(): Promise<Target[]> {
  const { template, stop: removeTemplate } = await createStackTemplate()
  const { stack, stop } = await startBrowserStack(await ensureWebBuild(), template)
  const browser = await chromium.launch(chromiumLaunch)
  try {
    const page = await browser.newPage({ baseURL: stack.origin, viewport: { width: 390, height: 844 } })
    await page.route(/\/api\/wallet\/log\?/, answerLog)
    await storeSession(page, await registerMember(stack))
    await page.goto('/wallet/detail?symbol=USDT')
    const lines = page.locator('main:visible ol > li')
    await loadLines(page, LINES - 10 * PAGE)
    const before = await lines.count()

    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
    await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] })
    await scroll(page)
    const tasks = mainThreadTasks(await browser.stopTracing())
    const longest = Math.max(...tasks)
    const after = await lines.count()
    console.log(`${before} to ${after} lines, ${tasks.length} tasks, the longest ${longest.toFixed(1)} ms`)
    const slowest = tasks.toSorted((one, other) => other - one).slice(0, 10)
    console.log(`the ten longest: ${slowest.map((ms) => ms.toFixed(1)).join(', ')} ms`)
    return [atMost(`longest task while scrolling through ${LINES} lines, in ms`, longest, 50)]
  } finally {
    await browser.close()
    await stop()
    await removeTemplate()
  }
}

/** Answers as the server does, with as many lines as wanted. Each refresh brings one more line. */
let newest = LINES
async function answerLog(route: Route): Promise<void> {
  const asked = new URL(route.request().url()).searchParams
  if (asked.has('limit')) newest += 1
  const from = Number(asked.get('cursor') ?? newest)
  const size = Number(asked.get('limit') ?? (from > 10 * PAGE + FIRST_PAGES ? FIRST_PAGES : PAGE))
  const lines = Array.from({ length: Math.min(size, from) }, (_, place) => lineOf(from - place))
  const next = from > size ? String(from - size) : null
  await route.fulfill({ json: { code: 200, message: '', data: { lines, next } } })
}

/** Line 1 is the oldest. The newest ones are confirming, so the log is refreshed every five seconds. */
const lineOf = (number: number) => ({
  id: `deposit:${number}`,
  type: 'transferIn',
  status: number > LINES - 3 ? 'confirming' : 'confirmed',
  direction: 'in',
  amount: `${number}.25`,
  fee: '0',
  at: new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString(),
  endedAt: null,
  tx: `0x${number.toString(16).padStart(64, '0')}`,
})

/** Scrolls to the end until this many lines are loaded. */
async function loadLines(page: Page, wanted: number): Promise<void> {
  const deadline = Date.now() + LOADING_MS
  let loaded = 0
  while (loaded < wanted) {
    if (Date.now() > deadline) throw new Error(`Only ${loaded} lines were loaded`)
    await page.locator('main:visible').evaluate((main) => main.scrollTo(0, main.scrollHeight))
    await page.waitForTimeout(200)
    loaded = await page.locator('main:visible ol > li').count()
  }
}

/** A member's scrolling: down in quick steps, to the top and to the end in jumps. */
async function scroll(page: Page): Promise<void> {
  await page.locator('main:visible').hover()
  const endsAt = Date.now() + SCROLL_SECONDS * 1_000
  for (let step = 0; Date.now() < endsAt; step += 1) {
    await page.mouse.wheel(0, step % 40 < 20 ? 900 : -700)
    if (step % 50 === 25)
      await page
        .locator('main:visible')
        .evaluate((main) => main.scrollTo(0, main.scrollTop > 9_000 ? 0 : main.scrollHeight))
    await page.waitForTimeout(30)
  }
}

type TraceEvent = {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** CPU time of the thread in microseconds. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** The CPU time of every task of the page's main thread, in milliseconds. */
function mainThreadTasks(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args?.name === 'CrRendererMain'
  const threads = new Set(traceEvents.filter(isMain).map(({ pid, tid }) => `${pid} ${tid}`))
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === 'RunTask' && threads.has(`${pid} ${tid}`))
  if (tasks.length === 0) throw new Error('The trace has no task of the page')
  return tasks.map(({ tdur = 0 }) => tdur / 1_000)
}
