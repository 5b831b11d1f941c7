import { EventEmitter } from 'node:events'
import { ok, type Result, refused } from '@lode/kernel'
import { describe, expect, it, vi } from 'vitest'
import * as chainCode from '../../chain/connection.ts'
import type { Wallet } from '../../chain/index.ts'
import { exampleChain as chain } from '../../chain/testing/chain.ts'
import type { Failure } from '../../shared/api/index.ts'
import type { Ports } from './perform-request.ts'
import { createSignInFlow } from './sign-in-flow.ts'
import type { SignInState } from './sign-in-machine.ts'

/** A promise that the test resolves later. The web app's types have no Promise.withResolvers. */
function answerLater() {
  let resolve: (value: unknown) => void = () => {}
  const promise = new Promise<unknown>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const alicesSession = { token: 'token', account: alice, lang: 'zh_tw' }

/** A wallet that the test answers for: each request waits until `answer` is called for its method. */
function scriptedWallet(start: { account?: string; chainId?: string } = {}) {
  const events = new EventEmitter()
  const asked: string[] = []
  const open = new Map<string, (answer: Result<unknown, unknown>) => void>()
  const facts = { account: start.account ?? alice.toLowerCase(), chainId: start.chainId ?? '0x7a69' }
  const wallet: Wallet = {
    id: 'org.example',
    brand: 'other',
    name: 'Example',
    icon: null,
    provider: {
      request: ({ method }) => {
        asked.push(method)
        if (method === 'eth_accounts') return Promise.resolve([facts.account])
        if (method === 'eth_chainId') return Promise.resolve(facts.chainId)
        return new Promise((resolve, reject) => {
          open.set(method, (answer) => (answer.ok ? resolve(answer.value) : reject(answer.error)))
        })
      },
      on: (event, listener) => events.on(event, listener),
      removeListener: (event, listener) => events.removeListener(event, listener),
    },
  }
  const settle = (method: string, answer: Result<unknown, unknown>) => {
    const waiting = open.get(method)
    if (!waiting) throw new Error(`${method} was not asked`)
    open.delete(method)
    waiting(answer)
  }
  return {
    wallet,
    facts,
    events,
    asked,
    approve: (method: string, value: unknown) => settle(method, ok(value)),
    refuse: (method: string, code = 4001) => settle(method, refused({ code })),
  }
}

type Answers = Partial<{ [Name in 'pool/chain' | 'sign/check' | 'sign/login' | 'sign/regist']: unknown }>

function start(answers: Answers = {}) {
  const calls: [string, unknown][] = []
  const remembered: string[] = []
  const signedIn = vi.fn()
  const loading = { now: false }
  const given: Answers = {
    'pool/chain': chain,
    'sign/check': { action: 'login', message: 'sign me', inviterTail: null },
    'sign/login': alicesSession,
    ...answers,
  }
  const call = async (name: keyof Answers, request: unknown) => {
    calls.push([name, request])
    const answer = given[name]
    if (answer instanceof Promise) return answer
    return typeof answer === 'string'
      ? refused<Failure>({
          kind: 'refused',
          status: 403,
          reason: answer as 'account-disabled',
          serverMessage: answer,
          otherwise: 'errors.netError',
          fields: {},
        })
      : ok(answer)
  }
  const flow = createSignInFlow({
    walletCode: async () => ({ ...chainCode, saveLastWalletId: (id) => remembered.push(id) }),
    call: call as Ports['call'],
    language: () => 'zh_tw',
    device: () => 'this-browser',
    now: () => 1_000,
    startLoading: () => {
      loading.now = true
      return () => {
        loading.now = false
      }
    },
    signedIn,
  })
  const until = (at: SignInState['at']) => vi.waitFor(() => expect(flow.store.getState().at).toBe(at), { interval: 1 })
  return { flow, calls, remembered, signedIn, loading, until, given }
}

describe('the sign-in flow', () => {
  it('logs in: connects, checks with the checksummed account, signs, posts in the chosen language, remembers the wallet', async () => {
    const { wallet, approve, asked } = scriptedWallet()
    const { flow, calls, until, remembered, signedIn } = start()
    flow.send({ type: 'wallet-chosen', wallet, invite: null })
    await vi.waitFor(() => approve('eth_requestAccounts', [alice.toLowerCase()]))
    await until('signing')
    approve('personal_sign', '0x1234')
    await until('succeeded')
    expect(calls).toEqual([
      ['pool/chain', {}],
      ['sign/check', { account: alice }],
      ['sign/login', { message: 'sign me', signature: '0x1234', lang: 'zh_tw', device: 'this-browser' }],
    ])
    expect(asked).toEqual(['eth_requestAccounts', 'eth_chainId', 'personal_sign', 'eth_accounts'])
    expect(remembered).toEqual(['org.example'])
    expect(signedIn).toHaveBeenCalledExactlyOnceWith(alicesSession, 'login')
  })

  it('registers after the inviter was confirmed, and passes on the set-up code', async () => {
    const { wallet, approve, asked } = scriptedWallet()
    const { flow, calls, until, signedIn } = start({
      'sign/check': { action: 'register', message: 'register me', inviterTail: 'a1b2c3' },
      'sign/regist': { ...alicesSession, setupCode: 'ABCD' },
    })
    flow.send({ type: 'wallet-chosen', wallet, invite: '7QK2M9X4' })
    await vi.waitFor(() => approve('eth_requestAccounts', [alice]))
    await until('confirming')
    expect(asked).not.toContain('personal_sign')
    flow.send({ type: 'inviter-confirmed', now: 1_000 })
    await vi.waitFor(() => approve('personal_sign', '0x1234'))
    await until('succeeded')
    expect(calls.at(-1)).toEqual([
      'sign/regist',
      { message: 'register me', signature: '0x1234', lang: 'zh_tw', device: 'this-browser', invite: '7QK2M9X4' },
    ])
    expect(signedIn).toHaveBeenCalledExactlyOnceWith({ ...alicesSession, setupCode: 'ABCD' }, 'register')
  })

  it('passes on the set-up code even if the page was closed before the answer, and blocks the app until then', async () => {
    const { wallet, approve } = scriptedWallet()
    const answer = answerLater()
    const { flow, until, signedIn, loading } = start({
      'sign/check': { action: 'register', message: 'register me', inviterTail: 'a1b2c3' },
      'sign/regist': answer.promise,
    })
    flow.send({ type: 'wallet-chosen', wallet, invite: '7QK2M9X4' })
    await vi.waitFor(() => approve('eth_requestAccounts', [alice]))
    await until('confirming')
    flow.send({ type: 'inviter-confirmed', now: 1_000 })
    await vi.waitFor(() => approve('personal_sign', '0x1234'))
    await until('submitting')
    flow.end()
    expect(loading.now).toBe(true)
    answer.resolve(ok({ ...alicesSession, setupCode: 'ABCD' }))
    await vi.waitFor(() =>
      expect(signedIn).toHaveBeenCalledExactlyOnceWith({ ...alicesSession, setupCode: 'ABCD' }, 'register'),
    )
    expect(loading.now).toBe(false)
  })

  it('ignores the answer to a login whose page was closed', async () => {
    const { wallet, approve } = scriptedWallet()
    const answer = answerLater()
    const { flow, until, signedIn } = start({ 'sign/login': answer.promise })
    flow.send({ type: 'wallet-chosen', wallet, invite: null })
    await vi.waitFor(() => approve('eth_requestAccounts', [alice]))
    await vi.waitFor(() => approve('personal_sign', '0x12'))
    await until('submitting')
    flow.end()
    answer.resolve(ok(alicesSession))
    await answer.promise
    await until('choosing')
    expect(signedIn).not.toHaveBeenCalled()
  })

  it('opens an exit session of a disabled account with the signature that the wallet already gave', async () => {
    const { wallet, approve, asked } = scriptedWallet()
    const { flow, calls, until, given } = start({ 'sign/login': 'account-disabled' })
    flow.send({ type: 'wallet-chosen', wallet, invite: null })
    await vi.waitFor(() => approve('eth_requestAccounts', [alice]))
    await vi.waitFor(() => approve('personal_sign', '0x12'))
    await until('failed')
    given['sign/login'] = { token: 'exit', account: alice, lang: 'zh_tw' }
    flow.send({ type: 'take-assets-out' })
    await until('succeeded')
    expect(calls.at(-1)).toEqual([
      'sign/login',
      { message: 'sign me', signature: '0x12', lang: 'zh_tw', device: 'this-browser', exit: true },
    ])
    expect(asked.filter((method) => method === 'personal_sign')).toHaveLength(1)
  })

  it('asks for a new signature for the exit session when the first has expired', async () => {
    const { wallet, approve } = scriptedWallet()
    const { flow, calls, until, given } = start({ 'sign/login': 'account-disabled' })
    flow.send({ type: 'wallet-chosen', wallet, invite: null })
    await vi.waitFor(() => approve('eth_requestAccounts', [alice]))
    await vi.waitFor(() => approve('personal_sign', '0x12'))
    await until('failed')
    given['sign/login'] = 'message-expired'
    flow.send({ type: 'take-assets-out' })
    await until('failed')
    given['sign/check'] = { action: 'login', message: 'sign me again', inviterTail: null }
    given['sign/login'] = { token: 'exit', account: alice, lang: 'zh_tw' }
    flow.send({ type: 'try-again' })
    await vi.waitFor(() => approve('eth_requestAccounts', [alice]))
    await vi.waitFor(() => approve('personal_sign', '0x34'))
    await until('succeeded')
    expect(calls.at(-1)).toEqual([
      'sign/login',
      { message: 'sign me again', signature: '0x34', lang: 'zh_tw', device: 'this-browser', exit: true },
    ])
  })

  it('returns to the wallet choice without a message when the member refuses in the wallet', async () => {
    const { wallet, refuse } = scriptedWallet()
    const { flow, until } = start()
    flow.send({ type: 'wallet-chosen', wallet, invite: null })
    await vi.waitFor(() => refuse('eth_requestAccounts'))
    await until('choosing')
    expect(flow.store.getState()).toMatchObject({ inviteProblem: null })
  })

  it('reports that the wallet already has an open request', async () => {
    const { wallet, refuse } = scriptedWallet()
    const { flow, until } = start()
    flow.send({ type: 'wallet-chosen', wallet, invite: null })
    await vi.waitFor(() => refuse('eth_requestAccounts', -32002))
    await until('failed')
    expect(flow.store.getState()).toMatchObject({ problem: { from: 'wallet', what: 'pending' } })
  })

  it('lets the member leave a wallet that never answers, and ignores its late answer', async () => {
    const silent = scriptedWallet()
    const other = scriptedWallet()
    const { flow, until, calls } = start()
    flow.send({ type: 'wallet-chosen', wallet: silent.wallet, invite: null })
    await vi.waitFor(() => expect(silent.asked).toContain('eth_requestAccounts'))
    flow.send({ type: 'another-wallet' })
    flow.send({ type: 'wallet-chosen', wallet: other.wallet, invite: null })
    await vi.waitFor(() => expect(other.asked).toContain('eth_requestAccounts'))
    silent.approve('eth_requestAccounts', [bob])
    other.approve('eth_requestAccounts', [alice])
    await until('signing')
    expect(flow.store.getState()).toMatchObject({ wallet: other.wallet, account: alice })
    expect(calls.filter(([name]) => name === 'sign/check')).toEqual([['sign/check', { account: alice }]])
  })

  it('does not post a signature of another account', async () => {
    const { wallet, facts, approve } = scriptedWallet()
    const { flow, until, calls } = start()
    flow.send({ type: 'wallet-chosen', wallet, invite: null })
    await vi.waitFor(() => approve('eth_requestAccounts', [alice]))
    await until('signing')
    facts.account = bob
    approve('personal_sign', '0x12')
    await until('failed')
    expect(flow.store.getState()).toMatchObject({
      problem: { what: 'account-changed', oldAccount: alice, newAccount: bob },
    })
    expect(calls.map(([name]) => name)).not.toContain('sign/login')
  })

  it('fails at once when the wallet changes its account, and stops listening when the page is closed', async () => {
    const { wallet, events, approve } = scriptedWallet()
    const { flow, until } = start()
    flow.send({ type: 'wallet-chosen', wallet, invite: null })
    await vi.waitFor(() => approve('eth_requestAccounts', [alice]))
    await until('signing')
    events.emit('accountsChanged', [bob.toLowerCase()])
    await until('failed')
    flow.end()
    expect(events.listenerCount('accountsChanged')).toBe(0)
  })

  it('switches the wrong network with one press and continues', async () => {
    const { wallet, facts, approve, asked } = scriptedWallet({ chainId: '0x1' })
    const { flow, until } = start()
    flow.send({ type: 'wallet-chosen', wallet, invite: null })
    await vi.waitFor(() => approve('eth_requestAccounts', [alice]))
    await until('wrong-network')
    expect(asked).not.toContain('wallet_switchEthereumChain')
    flow.send({ type: 'switch-network' })
    flow.send({ type: 'switch-network' })
    await vi.waitFor(() => expect(asked).toContain('wallet_switchEthereumChain'))
    facts.chainId = '0x7a69'
    approve('wallet_switchEthereumChain', null)
    await until('signing')
    expect(asked.filter((method) => method === 'wallet_switchEthereumChain')).toHaveLength(1)
  })

  it('sends one request to the wallet, however often the member taps', async () => {
    const { wallet, asked } = scriptedWallet()
    const { flow } = start()
    for (let tap = 0; tap < 5; tap += 1) flow.send({ type: 'wallet-chosen', wallet, invite: null })
    await vi.waitFor(() => expect(asked).toContain('eth_requestAccounts'))
    expect(asked).toEqual(['eth_requestAccounts'])
  })
})
