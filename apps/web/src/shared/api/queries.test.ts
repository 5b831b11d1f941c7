import { ok, type Result, refused } from '@lode/kernel'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { session } from '../session/index.ts'
import type { Api } from './client.ts'
import { CallError, type Failure } from './failure.ts'
import { createQueries, isAnswered } from './queries.ts'

const noResponse: Failure = { kind: 'no-response' }
const refusal: Failure = {
  kind: 'refused',
  status: 422,
  reason: null,
  serverMessage: 'no',
  otherwise: 'errors.netError',
  fields: {},
}
const CHAIN = { ok: true, value: { chainId: 31337 } } as const

function queriesOn(answers: Result<unknown, Failure>[]) {
  let calls = 0
  const shownFailures: Failure[] = []
  const requests: unknown[] = []
  const api = {
    call: async (_name: string, request: unknown) => {
      requests.push(request)
      return answers[Math.min(calls++, answers.length - 1)]
    },
    present: (failure: Failure) => void shownFailures.push(failure),
  } as unknown as Api
  return { ...createQueries(api), calls: () => calls, said: shownFailures, requests }
}

describe('a read', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const settle = async (pending: Promise<unknown>) => {
    const outcome = pending.catch((error: unknown) => error)
    await vi.runAllTimersAsync()
    return outcome
  }

  it('is retried after a network failure and then succeeds', async () => {
    const { queryClient, read, calls } = queriesOn([refused(noResponse), CHAIN])
    expect(await settle(queryClient.fetchQuery(read('pool/chain', {})))).toEqual(CHAIN.value)
    expect(calls()).toBe(2)
  })

  it('gives up after three tries', async () => {
    const { queryClient, read, calls } = queriesOn([refused(noResponse)])
    expect(await settle(queryClient.fetchQuery(read('pool/chain', {})))).toBeInstanceOf(CallError)
    expect(calls()).toBe(3)
  })

  it('is not retried after a refusal', async () => {
    const { queryClient, read, calls } = queriesOn([refused(refusal)])
    const error = await settle(queryClient.fetchQuery(read('pool/chain', {})))
    expect(error).toMatchObject({ failure: refusal })
    expect(calls()).toBe(1)
  })

  it('that fails without data shows no toast; a failed refresh does', async () => {
    const { queryClient, read, said } = queriesOn([refused(refusal), CHAIN, refused(refusal)])
    const query = { ...read('pool/chain', {}), staleTime: 0 }
    await settle(queryClient.fetchQuery(query))
    expect(said).toEqual([])
    await settle(queryClient.fetchQuery(query))
    await settle(queryClient.fetchQuery(query))
    expect(said).toEqual([refusal])
  })

  it('with the quiet flag shows no toast when it fails', async () => {
    const { queryClient, read, said } = queriesOn([CHAIN, refused(refusal)])
    const query = { ...read('pool/chain', {}), staleTime: 0, meta: { quiet: true } }
    await settle(queryClient.fetchQuery(query))
    expect(await settle(queryClient.fetchQuery(query))).toBeInstanceOf(CallError)
    expect(said).toEqual([])
  })

  it('of a list loads page after page until the last', async () => {
    session.signIn({ token: 'a', account: '0xa', lang: 'en' })
    const { queryClient, readPages, requests } = queriesOn([
      { ok: true, value: { lines: [], next: '7' } },
      { ok: true, value: { lines: [], next: null } },
    ])
    const pages = readPages('wallet/log', { symbol: 'USDT', status: 'confirmed' })
    const loaded = await settle(queryClient.fetchInfiniteQuery({ ...pages, pages: 9 }))
    expect(loaded).toMatchObject({ pageParams: [null, '7'] })
    expect(requests).toEqual([
      { symbol: 'USDT', status: 'confirmed' },
      { symbol: 'USDT', status: 'confirmed', cursor: '7' },
    ])
    session.signOut()
  })

  it('is cached separately for each account', () => {
    const { read } = queriesOn([CHAIN])
    session.signIn({ token: 'a', account: '0xa', lang: 'en' })
    const alice = read('account/profile', {}).queryKey
    session.signIn({ token: 'b', account: '0xb', lang: 'en' })
    expect(read('account/profile', {}).queryKey).not.toEqual(alice)
    session.signOut()
  })
})

describe('a call', () => {
  it('is not answered if the server did not get it or, with too many calls, did not look at it', () => {
    expect([ok(null), refused(refusal)].map(isAnswered)).toEqual([true, true])
    expect([refused(noResponse), refused({ ...refusal, status: 503 })].map(isAnswered)).toEqual([false, false])
    expect(isAnswered(refused({ ...refusal, status: 429, reason: 'rate-limited' }))).toBe(false)
  })
})
