import { describe, expect, it } from 'vitest'
import { detectDevice, listWalletLinks } from './device.ts'

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
  it('carries the whole address of the page, its query included', () => {
    const page = 'https://lode.example/regist?invite=7QK2M9X4&redirect=%2Fhome'
    expect(listWalletLinks(page).map(({ name, href }) => [name, new URL(href).searchParams.get('url')])).toEqual([
      ['Trust Wallet', page],
      ['Bitget Wallet', page],
    ])
  })
})
