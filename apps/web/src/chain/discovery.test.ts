import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listWallets, type Wallet } from './discovery.ts'

const png = 'data:image/png;base64,iVBORw0KGgo='
const provider = (flags: Record<string, unknown> = {}) => ({ request: async () => null, ...flags })
const announcement = (rdns: string, name: string, from: unknown = provider(), icon: unknown = png) => ({
  info: { uuid: '350670db-19fa-4704-a166-e52e178b59d2', rdns, name, icon },
  provider: from,
})
const names = (wallets: Wallet[]) => wallets.map((wallet) => wallet.name)
const ids = (wallets: Wallet[]) => wallets.map((wallet) => wallet.id)
const throwing = new Proxy(
  {},
  {
    get() {
      throw new Error('hands off')
    },
    has() {
      throw new Error('hands off')
    },
    ownKeys() {
      throw new Error('hands off')
    },
    getPrototypeOf() {
      throw new Error('hands off')
    },
  },
)
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

describe('wallets of a page', () => {
  it('are none if nothing is announced or injected', () => {
    expect(listWallets({ announced: [], globals: {} })).toEqual([])
  })

  it('are listed as OneKey, Trust, BitKeep, then others, in any order of announcement', () => {
    const announced = [
      announcement('io.metamask', 'MetaMask'),
      announcement('com.bitget.web3', 'Bitget Wallet'),
      announcement('io.rabby', 'Rabby'),
      announcement('com.trustwallet.app', 'Trust Wallet'),
      announcement('so.onekey.app.wallet', 'OneKey'),
    ]
    expect(names(listWallets({ announced, globals: {} }))).toEqual([
      'OneKey',
      'Trust Wallet',
      'Bitget Wallet',
      'MetaMask',
      'Rabby',
    ])
  })

  it('are found by their own globals if they do not announce themselves', () => {
    const onekey = provider()
    const trust = provider()
    const bitkeep = provider()
    const generic = provider()
    const wallets = listWallets({
      announced: [],
      globals: { $onekey: { ethereum: onekey }, trustwallet: trust, bitkeep: { ethereum: bitkeep }, ethereum: generic },
    })
    expect(wallets.map((wallet) => wallet.provider)).toEqual([onekey, trust, bitkeep, generic])
    expect(ids(wallets)).toEqual(['so.onekey.app.wallet', 'com.trustwallet.app', 'com.bitget.web3', 'injected'])
  })

  it.each([
    ['isOneKey', 'onekey'],
    ['isTrust', 'trust'],
    ['isTrustWallet', 'trust'],
    ['isBitKeep', 'bitget'],
    ['isMetaMask', 'other'],
  ])('are recognized by the flag %s', (flag, brand) => {
    const ethereum = provider({ [flag]: true })
    expect(listWallets({ announced: [], globals: { ethereum } })).toMatchObject([{ brand, provider: ethereum }])
  })

  it('include Trust if its provider is inside its global', () => {
    const inside = provider()
    expect(listWallets({ announced: [], globals: { trustwallet: { ethereum: inside } } })).toMatchObject([
      { brand: 'trust', provider: inside },
    ])
  })

  it('include each provider of a shared global, but not the proxy in front of them', () => {
    const trust = provider({ isTrust: true })
    const one = provider()
    const two = provider()
    const ethereum = { ...provider(), providers: [one, trust, two, trust] }
    const wallets = listWallets({ announced: [], globals: { ethereum } })
    expect(wallets.map((wallet) => wallet.provider)).toEqual([trust, one, two])
    expect(new Set(ids(wallets)).size).toBe(3)
  })

  it('are listed once when the same object is announced and injected', () => {
    const shared = provider({ isMetaMask: true })
    const wallets = listWallets({
      announced: [announcement('io.metamask', 'MetaMask', shared)],
      globals: { ethereum: shared },
    })
    expect(names(wallets)).toEqual(['MetaMask'])
  })

  it('are listed once, with the announced provider, when announced and injected under one identity', () => {
    const announcedOne = provider()
    const wallets = listWallets({
      announced: [announcement('so.onekey.app.wallet', 'OneKey', announcedOne)],
      globals: { $onekey: { ethereum: provider() }, ethereum: provider({ isOneKey: true }) },
    })
    expect(wallets).toHaveLength(1)
    expect(wallets[0]?.provider).toBe(announcedOne)
  })

  it('are listed once when an announced wallet is also injected as another object', () => {
    const wallets = listWallets({
      announced: [announcement('io.rabby', 'Rabby')],
      globals: { ethereum: provider({ isRabby: true, isMetaMask: true }) },
    })
    expect(ids(wallets)).toEqual(['io.rabby'])
  })

  it('are recognized by rdns, not by their name', () => {
    expect(listWallets({ announced: [announcement('org.example', 'OneKey')], globals: {} })[0]?.brand).toBe('other')
  })

  it('show their names without invisible and direction-changing characters', () => {
    const [wallet] = listWallets({ announced: [announcement('org.example', '\u202eyeKenO\u200b\n ')], globals: {} })
    expect(wallet?.name).toBe('yeKenO')
  })

  it('have no icon if it would have to be loaded from a URL', () => {
    const announced = [announcement('org.example', 'Example', provider(), 'https://example.org/track.png')]
    expect(listWallets({ announced, globals: {} })[0]?.icon).toBeNull()
  })
})

describe('malformed announcements', () => {
  const malformed: [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['a string', 'wallet'],
    ['no info', { provider: provider() }],
    ['no provider', { info: { uuid: '1', rdns: 'org.example', name: 'Example', icon: png } }],
    ['a provider without a request function', announcement('org.example', 'Example', {})],
    ['a name that is not a string', announcement('org.example', 7 as unknown as string)],
    ['a name of only spaces', announcement('org.example', ' \u200b ')],
    ['an endless name', announcement('org.example', 'x'.repeat(1_000_000))],
    ['an endless rdns', announcement(`org.${'x'.repeat(1_000_000)}`, 'Example')],
    ['an invalid rdns', announcement('<b>', 'Example')],
    ['a script as its icon', announcement('org.example', 'Example', provider(), 'javascript:alert(1)')],
    ['a page as its icon', announcement('org.example', 'Example', provider(), 'data:text/html,<script>1</script>')],
    ['an icon of a megabyte', announcement('org.example', 'Example', provider(), png + 'A'.repeat(1_000_000))],
    ['an object as its icon', announcement('org.example', 'Example', provider(), { toString: () => png })],
    ['getters that throw', throwing],
    ['info whose getters throw', { info: throwing, provider: provider() }],
    ['a provider whose getters throw', announcement('org.example', 'Example', throwing)],
    ['a revoked proxy', revoked()],
  ]

  it.each(malformed)('with %s are skipped', (_what, detail) => {
    const good = announcement('so.onekey.app.wallet', 'OneKey')
    expect(names(listWallets({ announced: [detail, good, detail], globals: {} }))).toEqual(['OneKey'])
  })

  it('a frozen announcement is accepted', () => {
    const detail = Object.freeze(announcement('so.onekey.app.wallet', 'OneKey', Object.freeze(provider())))
    expect(names(listWallets({ announced: [detail], globals: {} }))).toEqual(['OneKey'])
  })

  it('are limited to 50', () => {
    const announced = Array.from({ length: 5_000 }, (_, index) => announcement(`org.example${index}`, 'Example'))
    expect(listWallets({ announced, globals: {} }).length).toBeLessThanOrEqual(50)
  })

  it.each([
    ['throws', throwing],
    ['is revoked', revoked()],
    ['has providers that throw', { ...provider(), providers: throwing }],
    ['has endless providers', { ...provider(), providers: { length: Number.POSITIVE_INFINITY } }],
  ])('together with a global that %s do not hide the other wallets', (_what, ethereum) => {
    const globals = { ethereum, $onekey: throwing, trustwallet: revoked(), bitkeep: { ethereum: throwing } }
    const announced = [announcement('com.trustwallet.app', 'Trust Wallet')]
    expect(names(listWallets({ announced, globals }))).toContain('Trust Wallet')
  })

  it('of any shape leave only unique wallets with a request function and a safe icon', () => {
    const piece = fc.oneof(
      fc.anything({ withBigInt: true, withMap: true, withNullPrototype: true, withTypedArray: true }),
      fc.constant('hostile'),
      fc.record(
        {
          info: fc.record(
            {
              rdns: fc.oneof(fc.domain(), fc.anything()),
              name: fc.oneof(fc.string({ unit: 'binary' }), fc.anything()),
              icon: fc.oneof(fc.webUrl(), fc.constant(png), fc.string(), fc.anything()),
            },
            { requiredKeys: [] },
          ),
          provider: fc.oneof(fc.constant(provider()), fc.anything()),
        },
        { requiredKeys: [] },
      ),
    )
    const globals = fc.oneof(
      fc.anything(),
      fc.record({ ethereum: piece, $onekey: piece, trustwallet: piece, bitkeep: piece }, { requiredKeys: [] }),
    )
    fc.assert(
      fc.property(fc.array(piece), globals, (announced, seen) => {
        // The generator inspects the values that it makes, so the throwing value is inserted afterwards.
        const details = announced.map((detail) => (detail === 'hostile' ? throwing : detail))
        const wallets = listWallets({ announced: details, globals: seen })
        expect(new Set(ids(wallets)).size).toBe(wallets.length)
        expect(new Set(wallets.map((wallet) => wallet.provider)).size).toBe(wallets.length)
        for (const wallet of wallets) {
          expect(typeof wallet.provider.request).toBe('function')
          expect(wallet.icon === null || wallet.icon.startsWith('data:image/')).toBe(true)
          expect(wallet.name === null || wallet.name.trim().length > 0).toBe(true)
        }
      }),
    )
  })
})
