import { BlockList } from 'node:net'
import { describe, expect, it } from 'vitest'
import { isInternalCaller, isListed } from './internal-caller.ts'

const isInternal = (remoteAddress: string, headers = {}) =>
  isInternalCaller({ headers, socket: { remoteAddress } } as Parameters<typeof isInternalCaller>[0])

describe('our own network', () => {
  it.each(['127.0.0.1', '10.20.30.40', '172.31.0.1', '192.168.1.1', '::1', 'fd00::1', '::ffff:10.0.0.1'])(
    'contains %s',
    (address) => {
      expect(isInternal(address)).toBe(true)
    },
  )

  it.each(['8.8.8.8', '172.32.0.1', '2001:db8::1', '::ffff:8.8.8.8', ''])('does not contain %s', (address) => {
    expect(isInternal(address)).toBe(false)
  })

  it('does not contain a caller whose request a proxy forwarded', () => {
    expect(isInternal('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).toBe(false)
    expect(isInternal('127.0.0.1', { forwarded: 'for=127.0.0.1' })).toBe(false)
  })
})

describe('a list of proxies', () => {
  it('matches an IPv4 address also in its IPv6 form', () => {
    const list = new BlockList()
    list.addSubnet('192.0.2.0', 24, 'ipv4')
    expect(isListed(list, '192.0.2.9')).toBe(true)
    expect(isListed(list, '::ffff:192.0.2.9')).toBe(true)
    expect(isListed(list, '::ffff:192.0.3.9')).toBe(false)
    expect(isListed(list, undefined)).toBe(false)
    expect(isListed(list, 'unix')).toBe(false)
  })
})
