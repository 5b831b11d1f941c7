import { describe, expect, it } from 'vitest'
import { type FirstReads, takeFirstRead } from './first-reads.ts'

const AT = 1_800_000_000_000
const answer = new Response('{}')
const reads = (): FirstReads => ({
  at: AT,
  token: 'T',
  account: '0xa',
  locale: 'en-GB',
  answers: { '/account/home': Promise.resolve(answer) },
})
const request = {
  path: '/account/home',
  input: { account: '0xa' },
  headers: { Authorization: 'Bearer T', 'Accept-Language': 'en-GB' },
  signal: new AbortController().signal,
}

describe('a read that was begun before the app', () => {
  it('answers the same request of the app, once', async () => {
    const begun = reads()
    expect(await takeFirstRead(begun, request, AT + 2_000)).toBe(answer)
    expect(takeFirstRead(begun, request, AT + 2_000)).toBeUndefined()
  })

  it.each([
    ['of another session', { headers: { ...request.headers, Authorization: 'Bearer U' } }, AT],
    ['of another member', { input: { account: '0xb' } }, AT],
    ['with further values', { input: { account: '0xa', limit: '5' } }, AT],
    ['in another language', { headers: { ...request.headers, 'Accept-Language': 'zh-TW' } }, AT],
    ['that asks whether a kept answer is still true', { headers: { ...request.headers, 'If-None-Match': '"1"' } }, AT],
    ['too late', {}, AT + 15_001],
    ['before a clock was set back', {}, AT - 1],
  ])('does not answer a request %s, nor any later one', (_what, change, now) => {
    const begun = reads()
    expect(takeFirstRead(begun, { ...request, ...change }, now)).toBeUndefined()
    expect(takeFirstRead(begun, request, AT)).toBeUndefined()
  })

  it('answers no other route, and nothing if there is none', () => {
    expect(takeFirstRead(reads(), { ...request, path: '/account/profile' }, AT)).toBeUndefined()
    expect(takeFirstRead(undefined, request, AT)).toBeUndefined()
  })

  it('fails as the request did', async () => {
    const begun = { ...reads(), answers: { '/account/home': Promise.reject(new TypeError('Failed to fetch')) } }
    await expect(takeFirstRead(begun, request, AT)).rejects.toThrow('Failed to fetch')
  })

  it('is not waited for longer than the app would wait', async () => {
    const controller = new AbortController()
    const begun = { ...reads(), answers: { '/account/home': new Promise<Response>(() => {}) } }
    const taken = takeFirstRead(begun, { ...request, signal: controller.signal }, AT)
    controller.abort()
    await expect(taken).rejects.toThrow('canceled')
  })
})
