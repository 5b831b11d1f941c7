import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Wallet } from '../../chain/index.ts'
import { exampleChain as chain } from '../../chain/testing/chain.ts'
import { beginning, type Event, isBusy, next, type Problem, type State, stepOf } from './machine.ts'

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
const refusal = (reason: 'account-disabled' | 'invite-unknown' | 'rate-limited'): Problem => ({
  from: 'server',
  failure: { kind: 'refused', status: 403, reason, said: 'No.', otherwise: 'errors.netError', fields: {} },
})

type Given = Event extends infer Each ? (Each extends { attempt: number } ? Omit<Each, 'attempt'> : Each) : never
/** Applies events in order. Each answer gets the current attempt. */
const play = (from: State, ...events: Given[]): State =>
  events.reduce<State>((state, event) => next(state, { attempt: state.attempt, ...event } as Event), from)

const choose: Given = { type: 'wallet-chosen', wallet, invite: null }
const chooseWithInvite: Given = { type: 'wallet-chosen', wallet, invite: '7QK2M9X4' }
const connected: Given = { type: 'connected', account: alice, chain, chainId: 31_337 }
const connectedElsewhere: Given = { type: 'connected', account: alice, chain, chainId: 1 }
const mayLogIn: Given = {
  type: 'checked',
  now: 1_000,
  answer: { action: 'login', message: 'sign me', inviterTail: null },
}
const mustRegister: Given = {
  type: 'checked',
  now: 1_000,
  answer: { action: 'register', message: null, inviterTail: null },
}
const mayRegister: Given = {
  type: 'checked',
  now: 1_000,
  answer: { action: 'register', message: 'register me', inviterTail: 'a1b2c3' },
}
const signed: Given = { type: 'signed', signature: '0x12' }
const submitted: Given = { type: 'submitted', session }

describe('logging in', () => {
  it('goes from the choice of a wallet to success', () => {
    const path = [choose, connected, mayLogIn, signed, submitted]
    const seen = path.map((_, index) => play(beginning, ...path.slice(0, index + 1)).at)
    expect(seen).toEqual(['connecting', 'checking', 'signing', 'submitting', 'succeeded'])
  })

  it('of an account that is not registered stops before anything is signed', () => {
    const state = play(beginning, choose, connected, mustRegister)
    expect(state).toMatchObject({ at: 'unregistered', wallet, account: alice })
  })

  it('of a disabled account fails, and the same signature can be posted as an exit', () => {
    const failed = play(beginning, choose, connected, mayLogIn, signed, {
      type: 'failed',
      step: 'submit',
      account: alice,
      problem: refusal('account-disabled'),
    })
    expect(failed).toMatchObject({ at: 'failed', step: 'submit' })
    expect(play(failed, { type: 'take-assets-out' })).toMatchObject({
      at: 'submitting',
      purpose: 'exit',
      wallet,
      message: 'sign me',
      signature: '0x12',
    })
  })

  it('offers the exit for no other failure', () => {
    const failed = play(beginning, choose, {
      type: 'failed',
      step: 'request',
      account: alice,
      problem: refusal('rate-limited'),
    })
    expect(play(failed, { type: 'take-assets-out' })).toBe(failed)
  })
})

describe('registering', () => {
  it('has the inviter confirmed before the wallet is asked to sign', () => {
    const confirming = play(beginning, chooseWithInvite, connected, mayRegister)
    expect(confirming).toMatchObject({ at: 'confirming', inviterTail: 'a1b2c3', invite: '7QK2M9X4' })
    const done = play(confirming, { type: 'inviter-confirmed', now: 2_000 }, signed, submitted)
    expect(done.at).toBe('succeeded')
  })

  it('cannot be left once the signature is on its way: the answer holds the set-up code', () => {
    const submitting = play(
      beginning,
      chooseWithInvite,
      connected,
      mayRegister,
      { type: 'inviter-confirmed', now: 2_000 },
      signed,
    )
    expect(play(submitting, { type: 'another-wallet' })).toBe(submitting)
  })

  it('with a code that nobody has goes back to the code', () => {
    const state = play(beginning, chooseWithInvite, connected, {
      type: 'failed',
      step: 'request',
      account: alice,
      problem: refusal('invite-unknown'),
    })
    expect(state).toMatchObject({ at: 'choosing', inviteProblem: 'invite-unknown' })
  })

  it('of a registered account offers to log in with the same wallet', () => {
    const registered = play(beginning, chooseWithInvite, connected, mayLogIn)
    expect(registered.at).toBe('registered')
    const login = play(registered, { type: 'log-in-instead' })
    expect(login).toMatchObject({ at: 'connecting', purpose: 'login', invite: null, wallet })
  })

  it('never asks for a signature without knowing the inviter', () => {
    const state = play(beginning, chooseWithInvite, connected, {
      type: 'checked',
      now: 1_000,
      answer: { action: 'register', message: 'register me', inviterTail: null },
    })
    expect(state.at).toBe('failed')
  })

  it('asks for a new message when the confirmation took too long', () => {
    const confirming = play(beginning, chooseWithInvite, connected, mayRegister)
    expect(play(confirming, { type: 'inviter-confirmed', now: 1_000 + 240_000 }).at).toBe('checking')
  })
})

describe('a refusal in the wallet', () => {
  it('of the connection leads back to the choice', () => {
    expect(play(beginning, choose, { type: 'wallet-refused' }).at).toBe('choosing')
  })

  it('of the signature leaves the button usable, with the same message while it is fresh', () => {
    const declined = play(beginning, choose, connected, mayLogIn, { type: 'wallet-refused' })
    expect(declined.at).toBe('declined')
    expect(isBusy(declined)).toBe(false)
    expect(play(declined, { type: 'sign-again', now: 100_000 })).toMatchObject({ at: 'signing', message: 'sign me' })
    expect(play(declined, { type: 'sign-again', now: 300_000 }).at).toBe('checking')
  })

  it('of the network leaves the one button', () => {
    const state = play(beginning, choose, connectedElsewhere, { type: 'switch-network' }, { type: 'wallet-refused' })
    expect(state).toMatchObject({ at: 'wrong-network', switching: false, problem: null })
  })
})

describe('the wrong network', () => {
  const wrong = play(beginning, choose, connectedElsewhere)

  it('waits for the member and switches nothing by itself', () => {
    expect(wrong).toMatchObject({ at: 'wrong-network', switching: false })
  })

  it('is left by the button', () => {
    expect(play(wrong, { type: 'switch-network' }, { type: 'network-switched' }).at).toBe('checking')
  })

  it('is left when the member switches in the wallet, and the late answer to the button is nobody’s', () => {
    const switching = play(wrong, { type: 'switch-network' })
    const checking = play(switching, { type: 'chain-changed', chainId: 31_337 })
    expect(checking.at).toBe('checking')
    expect(next(checking, { type: 'wallet-refused', attempt: switching.attempt })).toBe(checking)
  })

  it('says when the wallet stayed, and does not ask again by itself', () => {
    const problem: Problem = { from: 'wallet', what: 'network-unchanged' }
    const state = play(wrong, { type: 'switch-network' }, { type: 'network-stayed', problem })
    expect(state).toMatchObject({ at: 'wrong-network', switching: false, problem })
  })

  it('is seen also when it comes later', () => {
    const signing = play(beginning, choose, connected, mayLogIn)
    const away = play(signing, { type: 'chain-changed', chainId: 1 })
    expect(away.at).toBe('wrong-network')
    expect(next(away, { type: 'signed', signature: '0x12', attempt: signing.attempt })).toBe(away)
  })

  it('does not matter any more once the signature is on its way', () => {
    const submitting = play(beginning, choose, connected, mayLogIn, signed)
    expect(play(submitting, { type: 'chain-changed', chainId: 1 })).toBe(submitting)
  })
})

describe('an account that changes in the wallet', () => {
  it.each([
    ['checking', [choose, connected]],
    ['signing', [choose, connected, mayLogIn]],
    ['declined', [choose, connected, mayLogIn, { type: 'wallet-refused' }]],
    ['wrong-network', [choose, connectedElsewhere]],
  ] as [string, Given[]][])('while %s stops the sign-in and names both', (at, events) => {
    const before = play(beginning, ...events)
    expect(before.at).toBe(at)
    expect(play(before, { type: 'account-changed', account: bob })).toMatchObject({
      at: 'failed',
      problem: { what: 'account-changed', was: alice, now: bob },
    })
  })

  it('to itself changes nothing', () => {
    const signing = play(beginning, choose, connected, mayLogIn)
    expect(play(signing, { type: 'account-changed', account: alice })).toBe(signing)
  })

  it('to none is a disconnection', () => {
    const signing = play(beginning, choose, connected, mayLogIn)
    expect(play(signing, { type: 'account-changed', account: null })).toMatchObject({
      at: 'failed',
      problem: { what: 'disconnected' },
    })
  })

  it('does not matter any more once the signature is on its way', () => {
    const submitting = play(beginning, choose, connected, mayLogIn, signed)
    expect(play(submitting, { type: 'account-changed', account: bob })).toBe(submitting)
  })
})

describe('a wallet that answers late', () => {
  it('is ignored after the member went back, also when the same wallet was chosen again', () => {
    const first = play(beginning, choose)
    const second = play(first, { type: 'another-wallet' }, choose)
    const late: Event = { type: 'connected', account: bob, chain, chainId: 31_337, attempt: first.attempt }
    expect(next(second, late)).toBe(second)
  })
})

describe('a second tap', () => {
  it('on a wallet starts nothing twice', () => {
    const connecting = play(beginning, choose)
    expect(play(connecting, choose)).toBe(connecting)
    expect(isBusy(connecting)).toBe(true)
  })

  it.each<Given>([
    { type: 'sign-again', now: 2_000 },
    { type: 'try-again' },
    { type: 'inviter-confirmed', now: 2_000 },
  ])('while signing changes nothing: %j', (tap) => {
    const signing = play(beginning, choose, connected, mayLogIn)
    expect(play(signing, tap)).toBe(signing)
  })
})

describe('choosing anew', () => {
  it('begins anew: nothing of an exit or of a registration is left', () => {
    const disabled = play(beginning, choose, connected, mayLogIn, signed, {
      type: 'failed',
      step: 'submit',
      account: alice,
      problem: refusal('account-disabled'),
    })
    const exit = play(disabled, { type: 'take-assets-out' })
    expect(play(exit, { type: 'another-wallet' }, choose)).toMatchObject({ purpose: 'login', invite: null })
    expect(play(exit, { type: 'another-wallet' }, chooseWithInvite)).toMatchObject({ purpose: 'register' })
  })
})

describe('trying again after a failure', () => {
  it('starts from the same wallet, for the same purpose, with the same code', () => {
    const failed = play(beginning, chooseWithInvite, {
      type: 'failed',
      step: 'connect',
      account: null,
      problem: { from: 'wallet', what: 'pending' },
    })
    expect(stepOf(failed)).toBe('connect')
    expect(play(failed, { type: 'try-again' })).toMatchObject({
      at: 'connecting',
      purpose: 'register',
      invite: '7QK2M9X4',
      wallet,
    })
  })
})

describe('whatever happens in whatever order', () => {
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
      ] satisfies Given[]
    ).map((event) => fc.record({ event: fc.constant<Given>(event), stale: fc.boolean() })),
  )

  it('success follows a signature, attempts only grow, and success is final', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
        let state: State = beginning
        for (const { event, stale } of events) {
          const after = next(state, { attempt: state.attempt - (stale ? 1 : 0), ...event } as Event)
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
