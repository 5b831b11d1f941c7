import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Wallet } from '../../chain/index.ts'
import { exampleChain as chain } from '../../chain/testing/chain.ts'
import {
  currentStep,
  initialState,
  isBusy,
  nextState,
  type SignInEvent,
  type SignInProblem,
  type SignInState,
} from './sign-in-machine.ts'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const wallet: Wallet = {
  id: 'so.onekey.app.wallet',
  brand: 'onekey',
  name: 'OneKey',
  icon: null,
  provider: { request: async () => null },
}
const session = { token: 'token', account: alice, lang: 'en' } as const
const refusal = (reason: 'account-disabled' | 'invite-unknown' | 'rate-limited'): SignInProblem => ({
  from: 'server',
  failure: { kind: 'refused', status: 403, reason, serverMessage: 'No.', otherwise: 'errors.netError', fields: {} },
})

type TestEvent = SignInEvent extends infer Each
  ? Each extends { attempt: number }
    ? Omit<Each, 'attempt'>
    : Each
  : never
/** Applies events in order. Each answer gets the current attempt. */
const applyEvents = (from: SignInState, ...events: TestEvent[]): SignInState =>
  events.reduce<SignInState>(
    (state, event) => nextState(state, { attempt: state.attempt, ...event } as SignInEvent),
    from,
  )

const choose: TestEvent = { type: 'wallet-chosen', wallet, invite: null }
const chooseWithInvite: TestEvent = { type: 'wallet-chosen', wallet, invite: '7QK2M9X4' }
const connected: TestEvent = { type: 'connected', account: alice, chain, chainId: 31_337 }
const connectedElsewhere: TestEvent = { type: 'connected', account: alice, chain, chainId: 1 }
const mayLogIn: TestEvent = {
  type: 'checked',
  now: 1_000,
  answer: { action: 'login', message: 'sign me', inviterTail: null },
}
const mustRegister: TestEvent = {
  type: 'checked',
  now: 1_000,
  answer: { action: 'register', message: null, inviterTail: null },
}
const mayRegister: TestEvent = {
  type: 'checked',
  now: 1_000,
  answer: { action: 'register', message: 'register me', inviterTail: 'a1b2c3' },
}
const signed: TestEvent = { type: 'signed', signature: '0x12' }
const submitted: TestEvent = { type: 'submitted', session }

describe('logging in', () => {
  it('goes from the choice of a wallet to success', () => {
    const path = [choose, connected, mayLogIn, signed, submitted]
    const seen = path.map((_, index) => applyEvents(initialState, ...path.slice(0, index + 1)).at)
    expect(seen).toEqual(['connecting', 'checking', 'signing', 'submitting', 'succeeded'])
  })

  it('of an account that is not registered stops before anything is signed', () => {
    const state = applyEvents(initialState, choose, connected, mustRegister)
    expect(state).toMatchObject({ at: 'unregistered', wallet, account: alice })
  })

  it('of a disabled account fails, and the same signature can be posted as an exit', () => {
    const failed = applyEvents(initialState, choose, connected, mayLogIn, signed, {
      type: 'failed',
      step: 'submit',
      account: alice,
      problem: refusal('account-disabled'),
    })
    expect(failed).toMatchObject({ at: 'failed', step: 'submit' })
    expect(applyEvents(failed, { type: 'take-assets-out' })).toMatchObject({
      at: 'submitting',
      purpose: 'exit',
      wallet,
      message: 'sign me',
      signature: '0x12',
    })
  })

  it('offers the exit for no other failure', () => {
    const failed = applyEvents(initialState, choose, {
      type: 'failed',
      step: 'request',
      account: alice,
      problem: refusal('rate-limited'),
    })
    expect(applyEvents(failed, { type: 'take-assets-out' })).toBe(failed)
  })
})

describe('registering', () => {
  it('asks the member to confirm the inviter before the wallet is asked to sign', () => {
    const confirming = applyEvents(initialState, chooseWithInvite, connected, mayRegister)
    expect(confirming).toMatchObject({ at: 'confirming', inviterTail: 'a1b2c3', invite: '7QK2M9X4' })
    const done = applyEvents(confirming, { type: 'inviter-confirmed', now: 2_000 }, signed, submitted)
    expect(done.at).toBe('succeeded')
  })

  it('cannot be canceled once the signature is sent, because the answer contains the set-up code', () => {
    const submitting = applyEvents(
      initialState,
      chooseWithInvite,
      connected,
      mayRegister,
      { type: 'inviter-confirmed', now: 2_000 },
      signed,
    )
    expect(applyEvents(submitting, { type: 'another-wallet' })).toBe(submitting)
  })

  it('with an unknown invitation code returns to the code field', () => {
    const state = applyEvents(initialState, chooseWithInvite, connected, {
      type: 'failed',
      step: 'request',
      account: alice,
      problem: refusal('invite-unknown'),
    })
    expect(state).toMatchObject({ at: 'choosing', inviteProblem: 'invite-unknown' })
  })

  it('of a registered account offers to log in with the same wallet', () => {
    const registered = applyEvents(initialState, chooseWithInvite, connected, mayLogIn)
    expect(registered.at).toBe('registered')
    const login = applyEvents(registered, { type: 'log-in-instead' })
    expect(login).toMatchObject({ at: 'connecting', purpose: 'login', invite: null, wallet })
  })

  it('never asks for a signature without knowing the inviter', () => {
    const state = applyEvents(initialState, chooseWithInvite, connected, {
      type: 'checked',
      now: 1_000,
      answer: { action: 'register', message: 'register me', inviterTail: null },
    })
    expect(state.at).toBe('failed')
  })

  it('asks for a new message when the confirmation took too long', () => {
    const confirming = applyEvents(initialState, chooseWithInvite, connected, mayRegister)
    expect(applyEvents(confirming, { type: 'inviter-confirmed', now: 1_000 + 240_000 }).at).toBe('checking')
  })
})

describe('a refusal in the wallet', () => {
  it('of the connection returns to the wallet choice', () => {
    expect(applyEvents(initialState, choose, { type: 'wallet-refused' }).at).toBe('choosing')
  })

  it('of the signature leaves the button usable, with the same message while it is fresh', () => {
    const declined = applyEvents(initialState, choose, connected, mayLogIn, { type: 'wallet-refused' })
    expect(declined.at).toBe('declined')
    expect(isBusy(declined)).toBe(false)
    expect(applyEvents(declined, { type: 'sign-again', now: 100_000 })).toMatchObject({
      at: 'signing',
      message: 'sign me',
    })
    expect(applyEvents(declined, { type: 'sign-again', now: 300_000 }).at).toBe('checking')
  })

  it('of the network switch leaves the switch button', () => {
    const state = applyEvents(
      initialState,
      choose,
      connectedElsewhere,
      { type: 'switch-network' },
      { type: 'wallet-refused' },
    )
    expect(state).toMatchObject({ at: 'wrong-network', switching: false, problem: null })
  })
})

describe('the wrong network', () => {
  const wrong = applyEvents(initialState, choose, connectedElsewhere)

  it('waits for the member and switches nothing by itself', () => {
    expect(wrong).toMatchObject({ at: 'wrong-network', switching: false })
  })

  it('is switched by the button', () => {
    expect(applyEvents(wrong, { type: 'switch-network' }, { type: 'network-switched' }).at).toBe('checking')
  })

  it('ends when the member switches in the wallet, and the late answer to the button is ignored', () => {
    const switching = applyEvents(wrong, { type: 'switch-network' })
    const checking = applyEvents(switching, { type: 'chain-changed', chainId: 31_337 })
    expect(checking.at).toBe('checking')
    expect(nextState(checking, { type: 'wallet-refused', attempt: switching.attempt })).toBe(checking)
  })

  it('shows that the wallet did not switch, and does not ask again by itself', () => {
    const problem: SignInProblem = { from: 'wallet', what: 'network-unchanged' }
    const state = applyEvents(wrong, { type: 'switch-network' }, { type: 'network-stayed', problem })
    expect(state).toMatchObject({ at: 'wrong-network', switching: false, problem })
  })

  it('is also noticed when the wallet changes the network later', () => {
    const signing = applyEvents(initialState, choose, connected, mayLogIn)
    const away = applyEvents(signing, { type: 'chain-changed', chainId: 1 })
    expect(away.at).toBe('wrong-network')
    const { attempt } = signing
    expect(nextState(away, { type: 'signed', signature: '0x12', attempt })).toBe(away)
    const problem: SignInProblem = { from: 'wallet', what: 'no-signature' }
    expect(nextState(away, { type: 'failed', step: 'sign', account: alice, problem, attempt })).toBe(away)
  })

  it('is ignored once the signature is sent', () => {
    const submitting = applyEvents(initialState, choose, connected, mayLogIn, signed)
    expect(applyEvents(submitting, { type: 'chain-changed', chainId: 1 })).toBe(submitting)
  })
})

describe('an account that changes in the wallet', () => {
  it.each([
    ['checking', [choose, connected]],
    ['signing', [choose, connected, mayLogIn]],
    ['declined', [choose, connected, mayLogIn, { type: 'wallet-refused' }]],
    ['wrong-network', [choose, connectedElsewhere]],
  ] as [string, TestEvent[]][])('while %s stops the sign-in and names both accounts', (at, events) => {
    const before = applyEvents(initialState, ...events)
    expect(before.at).toBe(at)
    expect(applyEvents(before, { type: 'account-changed', account: bob })).toMatchObject({
      at: 'failed',
      problem: { what: 'account-changed', oldAccount: alice, newAccount: bob },
    })
  })

  it('to the same account changes nothing', () => {
    const signing = applyEvents(initialState, choose, connected, mayLogIn)
    expect(applyEvents(signing, { type: 'account-changed', account: alice })).toBe(signing)
  })

  it('to no account counts as a disconnection', () => {
    const signing = applyEvents(initialState, choose, connected, mayLogIn)
    expect(applyEvents(signing, { type: 'account-changed', account: null })).toMatchObject({
      at: 'failed',
      problem: { what: 'disconnected' },
    })
  })

  it('is ignored once the signature is sent', () => {
    const submitting = applyEvents(initialState, choose, connected, mayLogIn, signed)
    expect(applyEvents(submitting, { type: 'account-changed', account: bob })).toBe(submitting)
  })
})

describe('a wallet that answers late', () => {
  it('is ignored after the member went back, also when the same wallet was chosen again', () => {
    const first = applyEvents(initialState, choose)
    const second = applyEvents(first, { type: 'another-wallet' }, choose)
    const late: SignInEvent = { type: 'connected', account: bob, chain, chainId: 31_337, attempt: first.attempt }
    expect(nextState(second, late)).toBe(second)
  })
})

describe('a second tap', () => {
  it('on a wallet starts nothing twice', () => {
    const connecting = applyEvents(initialState, choose)
    expect(applyEvents(connecting, choose)).toBe(connecting)
    expect(isBusy(connecting)).toBe(true)
  })

  it.each<TestEvent>([
    { type: 'sign-again', now: 2_000 },
    { type: 'try-again' },
    { type: 'inviter-confirmed', now: 2_000 },
  ])('while signing changes nothing: %j', (tap) => {
    const signing = applyEvents(initialState, choose, connected, mayLogIn)
    expect(applyEvents(signing, tap)).toBe(signing)
  })
})

describe('choosing a wallet again', () => {
  it('starts from the beginning, without the earlier exit or registration', () => {
    const disabled = applyEvents(initialState, choose, connected, mayLogIn, signed, {
      type: 'failed',
      step: 'submit',
      account: alice,
      problem: refusal('account-disabled'),
    })
    const exit = applyEvents(disabled, { type: 'take-assets-out' })
    expect(applyEvents(exit, { type: 'another-wallet' }, choose)).toMatchObject({ purpose: 'login', invite: null })
    expect(applyEvents(exit, { type: 'another-wallet' }, chooseWithInvite)).toMatchObject({ purpose: 'register' })
  })
})

describe('trying again after a failure', () => {
  it('starts from the same wallet, for the same purpose, with the same code', () => {
    const failed = applyEvents(initialState, chooseWithInvite, {
      type: 'failed',
      step: 'connect',
      account: null,
      problem: { from: 'wallet', what: 'pending' },
    })
    expect(currentStep(failed)).toBe('connect')
    expect(applyEvents(failed, { type: 'try-again' })).toMatchObject({
      at: 'connecting',
      purpose: 'register',
      invite: '7QK2M9X4',
      wallet,
    })
  })
})

describe('for any sequence of events', () => {
  const anyEvent = fc.oneof(
    ...(
      [
        choose,
        { type: 'another-wallet' },
        { type: 'switch-network' },
        { type: 'inviter-confirmed', now: 2_000 },
        { type: 'sign-again', now: 2_000 },
        { type: 'try-again' },
        { type: 'log-in-instead' },
        { type: 'take-assets-out' },
        connected,
        connectedElsewhere,
        { type: 'network-switched' },
        mayLogIn,
        mustRegister,
        signed,
        submitted,
        { type: 'wallet-refused' },
        { type: 'failed', step: 'submit', account: alice, problem: refusal('account-disabled') },
        { type: 'account-changed', account: bob },
        { type: 'account-changed', account: null },
        { type: 'chain-changed', chainId: 1 },
        { type: 'chain-changed', chainId: 31_337 },
        { type: 'wallet-disconnected' },
      ] satisfies TestEvent[]
    ).map((event) => fc.record({ event: fc.constant<TestEvent>(event), stale: fc.boolean() })),
  )

  it('success follows a signature, attempts only grow, and success is final', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
        let state: SignInState = initialState
        for (const { event, stale } of events) {
          const after = nextState(state, { attempt: state.attempt - (stale ? 1 : 0), ...event } as SignInEvent)
          expect(after.attempt).toBeGreaterThanOrEqual(state.attempt)
          if (after.at === 'succeeded') expect(['submitting', 'succeeded']).toContain(state.at)
          if (after.at === 'submitting') expect(['signing', 'submitting']).toContain(state.at)
          if (state.at === 'succeeded') expect(after).toBe(state)
          state = after
        }
      }),
    )
  })
})
