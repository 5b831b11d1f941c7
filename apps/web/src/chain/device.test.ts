import { describe, expect, it } from 'vitest'
import { detectDevice, listConnectionLinks, listPageLinks } from './device.ts'

describe('the device', () => {
  it.each([
    ['phone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148', 5],
    ['phone', 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36', 5],
    ['phone', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15', 5],
    ['desktop', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15', 0],
    ['desktop', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', 10],
  ])('is a %s: %s', (device, userAgent, maxTouchPoints) => {
    expect(detectDevice({ userAgent, maxTouchPoints })).toBe(device)
  })
})

describe('a link into a wallet’s browser', () => {
  it('carries the whole address of the page, with the invitation code', () => {
    const page = 'https://lode.example/regist?invite=7QK2M9X4&redirect=%2Fhome'
    const links = Object.fromEntries(listPageLinks(page).map(({ name, href }) => [name, href]))
    const query = (wallet: string, parameter: string) => new URL(links[wallet] ?? '').searchParams.get(parameter)
    expect(links.MetaMask).toBe('https://link.metamask.io/dapp/lode.example/regist?invite=7QK2M9X4&redirect=%2Fhome')
    const okxLink = query('OKX Wallet', 'deeplink') ?? ''
    expect(okxLink).toMatch(/^okx:\/\/wallet\/dapp\/url\?/)
    expect(new URL(okxLink).searchParams.get('dappUrl')).toBe(page)
    expect(query('Trust Wallet', 'url')).toBe(page)
    expect(query('Bitget Wallet', 'url')).toBe(page)
    expect(links.imToken).toMatch(/^imtokenv2:\/\/navigate\/DappView\?/)
    expect(query('imToken', 'url')).toBe(page)
    expect(links.TokenPocket).toMatch(/^tpdapp:\/\/open\?/)
    expect(JSON.parse(query('TokenPocket', 'params') ?? '')).toEqual({ url: page })
  })
})

describe('a link that connects a wallet app', () => {
  it('carries the whole pairing address', () => {
    const uri = 'wc:7f6e504b@2?relay-protocol=irn&symKey=587d5484'
    const links = listConnectionLinks(uri)
    expect(links.map(({ href }) => href.split('?')[0])).toEqual([
      'https://metamask.app.link/wc',
      'okex://main/wc',
      'https://link.trustwallet.com/wc',
      'bitkeep://wc',
      'imtokenv2://wc',
      'tpoutside://wc',
      'onekey-wallet://wc',
    ])
    for (const { href } of links) expect(new URL(href).searchParams.get('uri')).toBe(uri)
  })
})
