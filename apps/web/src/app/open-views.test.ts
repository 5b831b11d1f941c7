import { describe, expect, it } from 'vitest'
import { firstView, openView } from './open-views.ts'

const names = ({ kept }: { kept: readonly { name: string }[] }) => kept.map(({ name }) => name)

describe('views that are kept alive', () => {
  it('are found again as they were left', () => {
    const home = firstView('alice', 'home', '?tab=1')
    const away = openView(home, 'alice', 'setting', '')
    const back = openView(away, 'alice', 'home', '?tab=1')

    expect(names(away)).toEqual(['home'])
    expect(back.active).toBe(home.active)
  })

  it('are listed once, however often they are opened', () => {
    let open = firstView('alice', 'setting', '')
    for (const search of ['', '', '?a=1', '']) open = openView(open, 'alice', 'home', search)
    open = openView(open, 'alice', 'setting', '')
    open = openView(open, 'alice', 'home', '')
    expect(names(open)).toEqual(['home'])
  })

  it('keep the query with which they were opened while another is in front', () => {
    const home = firstView('alice', 'home', '?symbol=BTC')
    const away = openView(home, 'alice', 'setting', '?symbol=USDT')
    expect(away.kept[0]?.query).toEqual({ symbol: 'BTC' })
    expect(away.active.query).toEqual({ symbol: 'USDT' })
  })

  it('are opened anew for other query values', () => {
    const first = firstView('alice', 'home', '?symbol=BTC')
    const second = openView(first, 'alice', 'home', '?symbol=BTN')
    expect(second.active.query).toEqual({ symbol: 'BTN' })
    expect(second.kept).toEqual([second.active])
  })

  it('are never shown to the next member', () => {
    const alice = openView(firstView('alice', 'home', ''), 'alice', 'setting', '')
    expect(names(openView(alice, null, 'login', ''))).toEqual([])
    expect(openView(alice, 'bob', 'home', '').active).not.toBe(alice.kept[0])
  })
})

describe('a view that is not kept', () => {
  it('is gone when it is left', () => {
    const setting = firstView('alice', 'setting', '')
    const home = openView(setting, 'alice', 'home', '')
    expect(names(home)).toEqual(['home'])
  })
})
