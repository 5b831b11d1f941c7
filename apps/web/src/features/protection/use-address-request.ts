import type { Result } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { useEffect, useRef } from 'react'
import { call } from '../../shared/api/index.ts'
import { type CommandProblem, isPasswordRefusal } from '../../shared/command/index.ts'
import { refuseSigning, type SignedChallenge, signChallenge } from './sign-challenge.ts'

type AddressRequest = {
  readonly address: string
  readonly password: string
  /** The member's own wallet, which needs no signature. */
  readonly isOwn: boolean
}

/**
 * Requests an output address, which the wallet signs first. After a wrong fund password the signature is used again, so
 * that the member signs only once. If the sheet is closed while the wallet asks, nothing is requested.
 */
export function useAddressRequest() {
  const isClosed = useRef(false)
  useEffect(() => {
    isClosed.current = false
    return () => {
      isClosed.current = true
    }
  }, [])
  const kept = useRef<{ readonly address: string; readonly challenge: SignedChallenge } | null>(null)

  return async ({
    address,
    password,
    isOwn,
  }: AddressRequest): Promise<Result<DataOf<'account/output-address'>, CommandProblem>> => {
    if (isOwn) return call('account/output-address', { address, password }, { quiet: true })
    let challenge = kept.current?.address === address ? kept.current.challenge : null
    if (challenge === null) {
      const signed = await signChallenge({ purpose: 'output-address', address })
      if (!signed.ok) return signed
      if (isClosed.current) return refuseSigning('refused')
      challenge = signed.value
    }
    const answer = await call('account/output-address', { address, password, ...challenge }, { quiet: true })
    kept.current = !answer.ok && isPasswordRefusal(answer.error) ? { address, challenge } : null
    return answer
  }
}
