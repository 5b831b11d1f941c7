import { describe, expect, it } from 'vitest'
import { openFirstView, openView } from './open-views.ts'

const names = ({ kept }: { kept: readonly { name: string }[] }) => kept.map(({ name }) => name)

describe('views that are kept alive', () => {
  it('keep their state', () => {
    const home = openFirstView('alice', 'home', '?tab=1')
    const away = openView(home, 'alice', 'setting', '')
    const back = openView(away, 'alice', 'home', '?tab=1')

    expect(names(away)).toEqual(['home'])
    expect(back.active).toBe(home.active)
  })

  it('are listed once, even if they are opened several times', () => {
    let open = openFirstView('alice', 'setting', '')
    for (const search of ['', '', '?a=1', '']) open = openView(open, 'alice', 'home', search)
    open = openView(open, 'alice', 'setting', '')
    open = openView(open, 'alice', 'home', '')
    expect(names(open)).toEqual(['home'])
  })

  it('keep their query while another view is shown', () => {
    const home = openFirstView('alice', 'home', '?symbol=BTC')
    const away = openView(home, 'alice', 'setting', '?symbol=USDT')
    expect(away.kept[0]?.query).toEqual({ symbol: 'BTC' })
    expect(away.active.query).toEqual({ symbol: 'USDT' })
  })

  it('are created again for other query values', () => {
    const first = openFirstView('alice', 'home', '?symbol=BTC')
    const second = openView(first, 'alice', 'home', '?symbol=BTN')
    expect(second.active.query).toEqual({ symbol: 'BTN' })
    expect(second.kept).toEqual([second.active])
  })

  it('are never shown to the next member', () => {
    const alice = openView(openFirstView('alice', 'home', ''), 'alice', 'setting', '')
    expect(names(openView(alice, null, 'login', ''))).toEqual([])
    expect(openView(alice, 'bob', 'home', '').active).not.toBe(alice.kept[0])
  })
})

describe('a view that is not kept', () => {
  it('is removed when another view opens', () => {
    const setting = openFirstView('alice', 'setting', '')
    const home = openView(setting, 'alice', 'home', '')
    expect(names(home)).toEqual(['home'])
  })
})
