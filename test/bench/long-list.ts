import { loadavg } from 'node:os'
import { ensureWebBuild } from '@lode/scripts/web-build'
import type { DataOf } from '@lode/wire'
import { type Browser, chromium, type Page } from '@playwright/test'
import { chromiumLaunch } from '../browser/chromium.ts'
import { registerMember, storeSession } from '../browser/member.ts'
import { postHistory } from '../browser/post-history.ts'
import { startBrowserStack } from '../browser/stack.ts'
import { createStackTemplate } from '../browser/stack-template.ts'
import { atMost, type Target } from './targets.ts'

/** The lengths at which scrolling is measured, in the order in which a member reaches them. */
const LENGTHS = (process.env.BENCH_LINES ?? '500,2000,10000').split(',').map(Number)
const SLOWDOWN = 4
const SCROLL_SECONDS = 20
const LOADING_MS = 600_000
const LOG = /\/api\/wallet\/log\?/

type LogPage = DataOf<'wallet/log'>

/**
 * Scrolls through an asset log in a slowed Chromium, while the log is refreshed every five seconds and further pages are
 * loaded. The lines are in the ledger and come from the server. Two things are measured: the time between two frames,
 * and the CPU time of every task of the page's main thread. A frame waits for such a task. Other work on the machine
 * makes frames late and adds hardly anything to CPU time, so the limit is set for the tasks.
 */
export async function benchLongList(): Promise<Target[]> {
  const { template, stop: removeTemplate } = await createStackTemplate()
  const { stack, stop } = await startBrowserStack(await ensureWebBuild(), template)
  const browser = await chromium.launch(chromiumLaunch)
  try {
    const member = await registerMember(stack)
    const most = Math.max(...LENGTHS)
    // Some more than measured, so that pages are loaded during the measurement too.
    const deposits = Array.from({ length: most + 500 }, (_, place) => ({
      received: `${place}.25`,
      asset: 'USDT' as const,
    }))
    await postHistory(stack, member, deposits)

    const page = await browser.newPage({ baseURL: stack.origin, viewport: { width: 390, height: 844 } })
    const loaded = countLoadedLines(page)
    await keepConfirming(page)
    await storeSession(page, member)
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
    await page.goto('/wallet/detail?symbol=USDT')
    await page.locator('main:visible ol > li').first().waitFor()

    const targets: Target[] = []
    for (const length of LENGTHS) {
      const beganAt = Date.now()
      await loadLines(page, loaded, length)
      const seconds = (Date.now() - beganAt) / 1_000
      const { tasks, frames } = await measureScrolling(browser, page)
      console.log(`${length} lines, ${loaded()} at the end; loaded in ${seconds.toFixed(0)} s; load ${loadavg()[0]}`)
      console.log(`  tasks, CPU ms: median ${median(tasks)}, longest ${longest(tasks).join(', ')}`)
      console.log(`  between frames, ms: median ${median(frames)}, longest ${longest(frames).join(', ')}`)
      targets.push(atMost(`longest task while scrolling through ${length} lines, in ms`, Math.max(...tasks), 50))
    }
    // A refresh may be under way.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    return targets
  } finally {
    await browser.close()
    await stop()
    await removeTemplate()
  }
}

/** Lines that the app has received, each counted once. */
function countLoadedLines(page: Page): () => number {
  const ids = new Set<string>()
  page.on('response', async (response) => {
    if (!LOG.test(response.url()) || !response.ok()) return
    const body = (await response.json().catch(() => null)) as { data: LogPage } | null
    for (const { id } of body?.data.lines ?? []) ids.add(id)
  })
  return () => ids.size
}

/** Marks the newest line as confirming, so that the app refreshes the log every five seconds. */
const keepConfirming = (page: Page) =>
  page.route(LOG, async (route) => {
    if (new URL(route.request().url()).searchParams.has('cursor')) return await route.continue()
    const response = await route.fetch()
    const body = (await response.json()) as { data: LogPage }
    const [newest, ...older] = body.data.lines
    const lines = newest ? [{ ...newest, status: 'confirming' as const }, ...older] : []
    await route.fulfill({ json: { ...body, data: { ...body.data, lines } } })
  })

/** Scrolls to the end until this many lines are loaded. */
async function loadLines(page: Page, loaded: () => number, wanted: number): Promise<void> {
  const deadline = Date.now() + LOADING_MS
  while (loaded() < wanted) {
    if (Date.now() > deadline) throw new Error(`Only ${loaded()} lines were loaded`)
    const before = loaded()
    await page.locator('main:visible').evaluate((main) => main.scrollTo(0, main.scrollHeight))
    for (let waits = 0; loaded() === before && waits < 40; waits += 1) await page.waitForTimeout(25)
  }
}

async function measureScrolling(browser: Browser, page: Page): Promise<{ tasks: number[]; frames: number[] }> {
  await page.evaluate(() => {
    const frames: number[] = []
    let before = performance.now()
    const note = (now: number) => {
      frames.push(now - before)
      before = now
      requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
    Object.assign(window, { frames })
  })
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] })
  await scroll(page)
  const trace = await browser.stopTracing()
  const frames = await page.evaluate(() => (window as unknown as { frames: number[] }).frames.slice(1))
  return { tasks: mainThreadTasks(trace), frames }
}

/** A member's scrolling: down and up in quick steps of a finger, to the top and to the end in jumps. */
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

const sorted = (values: readonly number[]) => values.toSorted((one, other) => other - one)
const median = (values: readonly number[]): string => (sorted(values)[Math.floor(values.length / 2)] ?? 0).toFixed(1)
const longest = (values: readonly number[]): string[] =>
  sorted(values)
    .slice(0, 8)
    .map((value) => value.toFixed(1))
