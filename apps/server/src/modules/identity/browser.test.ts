import type { FastifyRequest } from 'fastify'
import type { Address } from 'viem'
import { describe, expect, it } from 'vitest'
import { parseUserAgent, readBrowser } from './browser.ts'

describe('a browser', () => {
  it('has another hash for each of its members, and the same one at each sign-in', () => {
    const [ann, ben] = [
      '0x00000000000000000000000000000000000000A1',
      '0x00000000000000000000000000000000000000b2',
    ] as const
    const request = { headers: {} } as FastifyRequest
    const hashOf = (account: Address, device: string) =>
      readBrowser(account, request, device).deviceHash?.toString('hex')
    expect(hashOf(ann, 'one')).toBe(hashOf(ann, 'one'))
    expect(new Set([hashOf(ann, 'one'), hashOf(ann, 'two'), hashOf(ben, 'one')]).size).toBe(3)
    expect(readBrowser(ann, request, undefined)).toEqual({ deviceHash: null, userAgent: null })
  })
})

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('a user agent', () => {
  it.each([
    [`Mozilla/5.0 (Linux; Android 14; K) ${WEBKIT} Chrome/131.0.0.0 Mobile Safari/537.36`, 'Chrome', 'Android'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`,
      'Edge',
      'Windows',
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox', 'macOS'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'Safari',
      'iOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0 Mobile/15E148 Safari/604.1',
      'Chrome',
      'iOS',
    ],
    [
      `Mozilla/5.0 (Linux; Android 14) ${WEBKIT} Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36 BitKeep Android/v8`,
      'Bitget Wallet',
      'Android',
    ],
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/131.0.0.0 Safari/537.36`, 'Chrome', 'Linux'],
    ['curl/8.0', null, null],
    ['', null, null],
  ])('gives the common names of the browser and the system: %s', (userAgent, browser, system) => {
    expect(parseUserAgent(userAgent)).toEqual({ browser, system })
  })
})
