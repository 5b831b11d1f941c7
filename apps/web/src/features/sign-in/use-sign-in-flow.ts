import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { call } from '../../shared/api/index.ts'
import { text } from '../../shared/i18n/index.ts'
import { startLoading, toast } from '../../shared/notify/index.ts'
import { session, thisDevice } from '../../shared/session/index.ts'
import type { Ports } from './perform-request.ts'
import { createSignInFlow, type SignInFlow } from './sign-in-flow.ts'
import type { SignInState } from './sign-in-machine.ts'

const ports: Ports = {
  walletCode: () => import('../../chain/index.ts'),
  call,
  language: () => session.get().lang,
  device: thisDevice,
  now: () => Date.now(),
  startLoading,
  signedIn: (answer, purpose) => {
    session.signIn({ ...answer, exit: purpose === 'exit' })
    // After a registration the next screen says so itself, and a toast would cover the code, which is shown only once.
    if (purpose !== 'register') return toast.success(text('signIn.outcome.loginSucceeded'))
    // The member has just read and accepted the risks. If this call fails, they are shown again after the set-up code.
    void import('../first-run/index.ts').then(({ acceptRisks }) => acceptRisks())
  },
}

/** One sign-in flow while its page is open. */
export function useSignInFlow(): { state: SignInState; send: SignInFlow['send'] } {
  const [flow] = useState(() => createSignInFlow(ports))
  useEffect(() => flow.end, [flow])
  return { state: useStore(flow.store), send: flow.send }
}
