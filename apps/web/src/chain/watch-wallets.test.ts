import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type DetectedWallets, watchWallets } from './watch-wallets.ts'

const provider = () => ({ request: async () => null })

/** The part of a window that discovery uses. */
class Page extends EventTarget {
  ethereum?: unknown
  announce(rdns: string, name: string, detail?: unknown) {
    const said = detail ?? { info: { rdns, name, icon: '' }, provider: provider() }
    this.dispatchEvent(Object.assign(new Event('eip6963:announceProvider'), { detail: said }))
  }
}
const watch = (page: Page) => {
  const told: DetectedWallets[] = []
  const stop = watchWallets((seen) => told.push(seen), page as unknown as Window)
  return { told, stop, last: () => told.at(-1) }
}
const names = (seen: DetectedWallets | undefined) => seen?.wallets.map((wallet) => wallet.name)

describe('looking for wallets', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('asks wallets to announce themselves and reports them at once', () => {
    const page = new Page()
    page.addEventListener('eip6963:requestProvider', () => page.announce('io.metamask', 'MetaMask'))
    const { last } = watch(page)
    expect(names(last())).toEqual(['MetaMask'])
    expect(last()?.looking).toBe(true)
  })

  it('waits a second for a wallet that is injected late', () => {
    const page = new Page()
    const { last } = watch(page)
    vi.advanceTimersByTime(700)
    expect(last()).toBeUndefined()
    page.ethereum = provider()
    vi.advanceTimersByTime(100)
    expect(last()?.wallets).toHaveLength(1)
  })

  it('reports after a second that there is no wallet', () => {
    const { told } = watch(new Page())
    vi.advanceTimersByTime(999)
    expect(told).toEqual([])
    vi.advanceTimersByTime(1)
    expect(told).toEqual([{ wallets: [], looking: false }])
  })

  it('still reports a wallet that announces itself later', () => {
    const page = new Page()
    const { last } = watch(page)
    vi.advanceTimersByTime(5_000)
    page.announce('so.onekey.app.wallet', 'OneKey')
    expect(names(last())).toEqual(['OneKey'])
  })

  it('reports each wallet once and ignores malformed announcements', () => {
    const page = new Page()
    const { told } = watch(page)
    page.announce('io.metamask', 'MetaMask')
    page.announce('io.metamask', 'MetaMask')
    page.announce('', '', { info: null })
    page.dispatchEvent(new Event('eip6963:announceProvider'))
    expect(told).toHaveLength(1)
  })

  it('reports nothing after it is stopped', () => {
    const page = new Page()
    const { told, stop } = watch(page)
    stop()
    page.announce('io.metamask', 'MetaMask')
    vi.advanceTimersByTime(2_000)
    expect(told).toEqual([])
  })
})
