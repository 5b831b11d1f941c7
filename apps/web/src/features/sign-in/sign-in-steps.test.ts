import { describe, expect, it } from 'vitest'
import type { Wallet } from '../../chain/index.ts'
import { exampleChain as chain } from '../../chain/testing/chain.ts'
import type { TextFunction } from '../../shared/i18n/index.ts'
import type { Purpose, UnderwayState } from './sign-in-machine.ts'
import { buildSignInSteps } from './sign-in-steps.tsx'

const t = ((key: string) => key.replace('signIn.', '')) as unknown as TextFunction
const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const wallet: Wallet = { id: 'x', brand: 'other', name: 'Example', icon: null, provider: { request: async () => null } }
const common = (purpose: Purpose) => ({ purpose, invite: null, attempt: 1, wallet, account, chain }) as const
const asked = { message: 'sign me', messageAt: 0, inviterTail: null }
const lines = (state: UnderwayState) => buildSignInSteps(t, state).map((step) => `${step.title}: ${step.state}`)

describe('the steps that a member sees', () => {
  it('are four while logging in, with the step under way as the current one', () => {
    expect(lines({ ...common('login'), ...asked, at: 'signing' })).toEqual([
      'steps.connect: done',
      'steps.request: done',
      'steps.sign: current',
      'steps.login: waiting',
    ])
  })

  it('name the registration when the member registers', () => {
    expect(lines({ ...common('register'), ...asked, at: 'submitting', signature: '0x12' })).toEqual([
      'steps.connect: done',
      'steps.requestRegister: done',
      'steps.sign: done',
      'steps.register: current',
    ])
  })

  it('end with success', () => {
    const session = { token: 't', account, lang: 'en' } as const
    expect(lines({ ...common('login'), at: 'succeeded', session }).slice(-2)).toEqual([
      'steps.login: done',
      'outcome.loginSucceeded: done',
    ])
  })

  it('end with failure, right after the step that failed', () => {
    const problem = { from: 'wallet', what: 'pending' } as const
    expect(lines({ ...common('register'), at: 'failed', step: 'request', problem, signed: null })).toEqual([
      'steps.connect: done',
      'steps.requestRegister: failed',
      'outcome.registerFailed: failed',
    ])
  })

  it('show no failure when the member refuses in the wallet', () => {
    expect(lines({ ...common('login'), ...asked, at: 'declined' })).toContain('steps.sign: current')
  })
})
